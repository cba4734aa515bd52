"""The default index: one SQLite file beside the application's database, and vectors in memory.

It knows SQL of its own file and nothing of where pages come from. Start reading at `engine.py`.
"""
