"""Word files to Markdown. Start at `reader.py`."""
