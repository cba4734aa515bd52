"""What the brain can do with tickets: reading them, drafting them, changing them. Start at `reading`."""
