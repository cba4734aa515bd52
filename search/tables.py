"""The tables of `search`; seen by its store and by the migrations only."""
