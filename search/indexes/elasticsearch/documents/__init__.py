"""What an index of ours looks like, and pages as its documents. Start at `mapping.py`."""
