"""Questions about numbers, read from words."""
