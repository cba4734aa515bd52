"""Whole desks on the local Teams: a house, its traffic, a desk in a process of its own, and the verdict."""
