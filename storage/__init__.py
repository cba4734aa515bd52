"""Database and Redis primitives, and the values that are stored.

Membership test: does it wrap the database or Redis, or make a value that is stored?
It knows no ticket, no document and no person, and imports nothing of ours.
Start reading at `database.py`: `Database.transaction()` is the only commit there is.
"""
