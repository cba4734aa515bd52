"""The app of a company: its manifest, its package, and a check of it."""
