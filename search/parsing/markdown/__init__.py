"""Markdown to one section tree. Start at `sections.py`."""
