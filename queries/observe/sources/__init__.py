"""The readers of what is observed, one folder or module for each kind of server, and the limits of a run over them.

All of them only read. `asking` sends requests; `limited` gives a run its share; `recorded` stands in for
a cluster whose answers were kept. Start at `limited.py` and `kubernetes/reader.py`.
"""
