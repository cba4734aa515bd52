"""Instants as people of a language and time zone read them."""

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

#: Kept from the first import on, so that nobody waits for the disk who asks for it by name.
_UTC_BY_NAME = ZoneInfo("UTC")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def moment(at: datetime, *, language: str, timezone: str = "UTC") -> str:
    """Return date and time to the minute, in the person's zone (UTC where the zone is not known)."""
    local = at.astimezone(_zone(timezone))
    if language == "zh":
        return f"{local.year}年{local.month}月{local.day}日 {local:%H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}, {local:%H:%M}"


def day_in(timezone: str, at: datetime) -> date:
    """Return the day that an instant belongs to in a zone (UTC where the zone is not known)."""
    return at.astimezone(_zone(timezone)).date()


def wall_time(at: datetime, timezone: str) -> datetime:
    """Return an instant as the clock on the wall of a zone shows it, without tzinfo."""
    return at.astimezone(_zone(timezone)).replace(tzinfo=None)


def known_zone(timezone: str) -> str:
    """Return the name of a zone that is known, "UTC" for any other."""
    return "UTC" if _zone(timezone) is UTC else timezone


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC  # without a look at the disk
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
