"""Questions to databases: what may be asked (`catalog`), what runs (`guard`), where it runs (`datasources`).

A statement comes from a model, a metric (`metrics`) or a person. All take one way: `service.py` → `guard` → datasource.
Nothing runs that the guard did not write itself, from the tables and columns that the asker may read.
"""
