"""Answers to what goes on with a thread; start reading in `going_on`."""
