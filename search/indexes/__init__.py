"""Implementations of the index port: embedded (the default) and memory (the fake)."""
