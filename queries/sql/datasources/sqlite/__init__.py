"""SQLite, by the standard library: each statement in a thread, on a connection of its own. Start at `source.py`."""
