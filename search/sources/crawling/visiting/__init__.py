"""What becomes of one address: what it holds, which links are followed. Start at `visitor.py`."""
