"""Secrets out of what is stored, logged or shown.

`stored.redact` takes out what is a secret by its own shape or stands after a secret's name; whatever is written or
shown goes through it, the company's pages too. `said.redact_said` finds more, as people say it ("the PIN is 4711"):
whatever they say goes through it before it is stored for the first time. Start reading at `said.py`.
"""
