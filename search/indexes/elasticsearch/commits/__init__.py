"""The head: the one document that says which others count, and so makes every change whole. Start at `head.py`."""
