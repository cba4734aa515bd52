"""Microsoft Teams: activities in over HTTP, cards out as Adaptive Cards. Start at `inbound/app.py` and `chat.py`."""
