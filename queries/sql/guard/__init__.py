"""From a statement that nobody trusts to a `Guarded` one. It knows the catalogue and the asker, and no database.

Start at `guard.py`. What runs is never the statement itself, but what `guard` writes from its syntax tree, in which
each table has become a query of the rows and columns that the asker may read.
"""
