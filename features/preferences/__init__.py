"""Personal settings: how the desk speaks to a person, when, and by which way. Start at `feature.py`."""
