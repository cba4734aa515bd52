"""Numbers out of the company's databases: asked in words, in metrics or in SQL, shown with the statement that ran.

Member: "does it ask a database of `datasources.yaml`, or show what one gave?" The databases themselves, who may read
what, and the guard are `queries.sql`. Start at `feature.py`.
"""
