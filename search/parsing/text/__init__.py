"""Plain text to Markdown, and what every format shares about text. Start at `reader.py`."""
