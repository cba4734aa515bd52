"""The command line: one module per command group. Start at `main.py`."""
