"""The tables of `tickets`; seen by its store and by the migrations only."""
