"""Incidents that only the tests have, beside those of `dutydesk eval diagnosis`; `book.py` lists both."""
