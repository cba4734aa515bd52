"""The console: server-rendered pages. Start at `app.py`; one module per page group."""
