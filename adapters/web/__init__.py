"""The browser chat: pages of events over SSE, cards drawn as HTML. Start at `app.py`."""
