"""What people say of their settings. Start at `talk.py`."""
