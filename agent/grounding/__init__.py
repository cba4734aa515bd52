"""Checks of an answer after it was made: citations, support by evidence, links. Start at `citations`."""
