"""Questions to databases."""
