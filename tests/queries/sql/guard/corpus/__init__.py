"""Statements for and against the guard, the shop that they ask, and the canary that notices harm."""
