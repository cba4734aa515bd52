"""The instant of a time on the wall, where the clocks of a zone skip it or have it twice."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

#: Longer than any zone ever skipped: Apia once went without a day.
_LONGEST_GAP = timedelta(days=2)
_NEAR_ENOUGH = timedelta(milliseconds=1)


def instant_of(local: datetime, zone: ZoneInfo, *, second: bool = False) -> datetime:
    """Return the instant of a time without tzinfo: the end of the gap where it is skipped, the first of two.

    `second`: the second one of two.
    """
    if second:
        return local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    found = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None, fold=0) == local.replace(fold=0):
        return found
    # A skipped time is counted by what was valid before the gap, so the instant lies after the change; look for it.
    low, high = found - _LONGEST_GAP, found
    before = low.astimezone(zone).utcoffset()
    while high - low > _NEAR_ENOUGH:
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == before else (low, middle)
    return high.replace(microsecond=0)


def later(local: datetime, lapse: timedelta, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows after a while, without tzinfo; its fold tells the second of two."""
    at = local.replace(tzinfo=zone).astimezone(UTC) + lapse
    return at.astimezone(zone).replace(tzinfo=None)
