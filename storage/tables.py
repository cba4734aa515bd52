"""The tables of `storage`; seen by its store and by the migrations only."""
