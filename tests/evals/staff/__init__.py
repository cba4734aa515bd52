"""Conversations of a company's staff with the desk, and how each of them must go. Start at `cases.py`."""
