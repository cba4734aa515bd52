"""The tables of `bot`; seen by its store and by the migrations only."""
