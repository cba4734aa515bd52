"""PostgreSQL, by psycopg: the only place that knows it, imported only where a database of this kind is asked.

Start at `source.py`.
"""
