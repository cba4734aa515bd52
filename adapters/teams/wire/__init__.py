"""Calls of the Bot Connector: sending, people, files."""
