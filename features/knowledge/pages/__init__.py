"""The console pages of the documents: one of them, all of them, and why a passage is found. Start at `sources`."""
