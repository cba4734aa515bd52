"""Arithmetic with numbers, dates and what was found: exact, and never by a model in its head.

Member: "is its answer computed from other evidence or from the person's own numbers?" Start at `feature`.
"""
