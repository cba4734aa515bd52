"""Slack: events in over HTTP or Socket Mode, cards out as Block Kit. Start at `inbound/app.py` and `chat.py`."""
