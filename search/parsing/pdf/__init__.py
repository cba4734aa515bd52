"""PDF files to Markdown: lines, then paragraphs and tables, then headings. Start at `reader.py`."""
