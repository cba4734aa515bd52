"""A cluster whose answers were kept in a folder: kept while reading, served again as if it were there.

Start at `api.py` (serves) and `recording.py` (keeps).
"""
