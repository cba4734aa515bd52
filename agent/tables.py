"""The tables of `agent`; seen by its store and by the migrations only."""
