"""YAML files that operators and others write: read strictly, told with file, line and what to do.

It knows nothing of what they say: each reader hands in its model, and turns `FileInvalid` into an error of its own.
`plain.py` says what is read at all, whoever wrote it. Start at `reading.py`.
"""
