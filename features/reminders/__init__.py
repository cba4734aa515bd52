"""Reminders: set in words, read back, delivered at their time, snoozed, done and deleted. Start at `service`."""
