"""How sure an answer is, from signs of what was found. Start at `likelihood.py`."""
