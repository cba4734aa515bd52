"""How sources get into the index and stay in line with it. Start at `intake`."""
