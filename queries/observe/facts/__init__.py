"""Typed facts from what was read: each knows its object, the request that showed it, and can be cited."""
