"""Answers, tickets and errors as card blocks, and the words for them. Pure. Start at `cards`."""
