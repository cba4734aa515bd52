"""What a crawl leaves on the disk: a folder of pages and a journal. Start at `journal.py`."""
