"""What people are told who did not ask: held, bundled, and sent by their ways. Start at `telling.py`."""
