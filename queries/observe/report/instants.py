"""Times within sentences: kept as instants, and said in the zone of whoever reads."""

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

#: How an instant stands in a sentence that nobody reads yet.
_INSTANT = re.compile(r"⦃(\d{4}-\d\d-\d\dT\d\d:\d\d)⦄")


def instant(at: datetime | None) -> str:
    """Return a time as it stands in a sentence until it is read; "?" for none."""
    return f"⦃{at.astimezone(UTC):%Y-%m-%dT%H:%M}⦄" if at else "?"


def with_times(text: str, timezone: str, today: datetime | None = None) -> str:
    """Return a sentence with its times as the clock of a zone shows them, and how far that is from UTC.

    One of another day than `today` has its date.
    """
    zone = zone_of(timezone)
    day = today.astimezone(zone).date() if today else None

    def said(found: re.Match[str]) -> str:
        try:
            local = datetime.fromisoformat(f"{found[1]}Z").astimezone(zone)
        except ValueError:  # no time: somebody's words in a log
            return found[0]
        sign, hours = f"{local:%z}"[:1], f"{local:%z}"[1:]
        minutes = f":{hours[2:]}" if hours[2:] != "00" else ""
        offset = f"{sign}{int(hours[:2])}{minutes}" if hours != "0000" else ""
        date = f"{local:%Y-%m-%d} " if day is not None and local.date() != day else ""
        return f"{date}{local:%H:%M} UTC{offset}"

    return _INSTANT.sub(said, text)


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name; UTC where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
