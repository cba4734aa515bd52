"""The command line: a folder for each kind of command, and what all of them use. Start at `main.py`."""
