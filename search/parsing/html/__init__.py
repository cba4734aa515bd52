"""HTML pages, pages of web sites and their sitemaps to Markdown. Start at `reader.py`."""
