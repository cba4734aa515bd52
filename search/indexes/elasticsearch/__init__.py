"""The index on an Elasticsearch cluster, for many passages and several replicas of the desk.

It knows Elasticsearch's protocol and nothing of where pages come from. What makes a change whole is in `head.py`, which
is also where to start reading; `engine.py` has the port's methods.
"""
