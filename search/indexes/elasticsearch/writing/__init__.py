"""Every change of the index. Start at `writer.py`."""
