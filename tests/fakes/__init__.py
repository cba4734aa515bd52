"""Faithful local stand-ins for platforms that a test cannot reach."""
