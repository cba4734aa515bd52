"""The tables of `identity`; seen by its store and by the migrations only."""
