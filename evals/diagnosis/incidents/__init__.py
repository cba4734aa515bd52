"""Incidents of our own, made up by functions: each builds the cluster in which it happened. `book.py` lists them."""
