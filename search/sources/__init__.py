"""Implementations of the source port: a folder, and memory (the fake)."""
