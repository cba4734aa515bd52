"""From a statement that nobody trusts to one that may run: parsed, checked, rewritten. Start at `guard.py`."""
