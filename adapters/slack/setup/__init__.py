"""The app of a workspace: its manifest, and a check of it."""
