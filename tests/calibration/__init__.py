"""How the judge of evidence is made: questions with and without their page, what the search saw, a model fitted to it.

A development tool: nothing here runs in a desk. Start reading at `training.py`.
"""
