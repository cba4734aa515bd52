"""Implementations of the tracker port: local (the default) and memory (the fake)."""
