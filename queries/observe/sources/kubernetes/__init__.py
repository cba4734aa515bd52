"""Objects and logs of a cluster over its API: credentials, names and paths, lists by pages, lines of logs.

Start at `reader.py`.
"""
