"""The guard of statements: what it lets through, what it refuses, and that neither does harm."""
