"""The use cases of drafts and tickets, each one transaction. Start at `drafting.py`."""
