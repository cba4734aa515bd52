"""Whole desks behind their real server, in this process or in one of their own that may be killed."""
