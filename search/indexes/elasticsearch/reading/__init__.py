"""Every question to the index. Start at `searching.py`."""
