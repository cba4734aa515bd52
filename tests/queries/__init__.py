"""Questions to other people's systems."""
