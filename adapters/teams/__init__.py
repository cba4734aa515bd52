"""Microsoft Teams: activities in over HTTP, cards out as Adaptive Cards. Start at `app.py` (in) and `chat.py` (out)."""
