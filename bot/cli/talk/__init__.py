"""Talking to the desk from a terminal: one question, a conversation, a verb."""
