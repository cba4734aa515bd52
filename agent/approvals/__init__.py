"""Calls that wait for a button: the state machine, the press, and what a confirmed call does. Start at `approval`."""
