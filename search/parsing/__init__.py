"""Files to one section tree, one module per format. Start at `markdown.py`."""
