"""Recordings: served again, with faults, and made."""
