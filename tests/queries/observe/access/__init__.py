"""Who may look at what."""
