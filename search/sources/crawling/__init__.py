"""Fetching a web site to a folder of Markdown, which is then indexed like any folder.

Knows addresses, robots.txt, sitemaps, politeness and what was fetched before. Must not know people, the index or the
command line. Start reading at `crawl`.
"""
