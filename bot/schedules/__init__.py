"""Work by the clock. Start at `jobs`."""
