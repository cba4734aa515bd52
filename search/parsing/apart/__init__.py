"""Reading files in processes of their own, so that a bad file costs no more than its process. Start at `readers.py`."""
