"""Digests: what is new and what waits, for a person or a channel, now or by the clock. Start at `drawing`."""
