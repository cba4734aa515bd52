"""Implementations of the tracker port, one module each; `memory` is the fake that tests use."""
