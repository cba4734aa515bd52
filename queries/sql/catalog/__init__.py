"""What a database holds, in people's words, and who may read which rows: values, their file, and its checks.

Start at `catalog.py`.
"""
