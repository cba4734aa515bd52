"""From `clusters.yaml` to clusters that can be read: reading and opening it, checking rights, drafting the directory.

Start at `opening.py` and `reading.py`.
"""
