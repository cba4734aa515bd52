"""What Teams sends, as neutral events."""
