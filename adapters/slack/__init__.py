"""Slack: events in over HTTP or Socket Mode, cards out as Block Kit. Start at `app.py` (in) and `chat.py` (out)."""
