"""The day that a file names, in the forms in which files name one."""

from datetime import date, datetime
from email.utils import parsedate_to_datetime


def day_of(value: object) -> date | None:
    """Return the day of a date, a time, or their ISO, HTTP or PDF (`D:20240131…`) form; None for anything else."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.startswith("D:"):
        text = f"{text[2:6]}-{text[6:8]}-{text[8:10]}"
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).date()
    except ValueError:
        return None
