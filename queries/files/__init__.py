"""YAML files that an operator writes for a domain: read strictly, told with file, line and what to do.

It knows no domain: each hands in its model, and turns `FileInvalid` into an error of its own. Start at `reading.py`.
"""
