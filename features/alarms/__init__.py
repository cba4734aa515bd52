"""Alarms: a fire or a stolen laptop is answered before anything else. Start at `feature.py`."""
