"""Asking a site for a page: where connections may go, robots.txt, the pace. Start at `fetcher.py`."""
