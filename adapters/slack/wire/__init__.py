"""Calls of Slack's Web API: sending, people, files."""
