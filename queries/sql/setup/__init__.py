"""From files to databases that can be asked: reading `datasources.yaml` and catalogues, checking and drafting them.

Start at `opening.py` and `reading.py`.
"""
