"""Answers from the company's documents, with citations. Start at `feature.py`."""
