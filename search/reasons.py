"""Why a file cannot be taken in: codes, for whoever says it in a reader's language."""

from enum import StrEnum


class Reason(StrEnum):
    """What stands against one file; `OTHER` is said by the error's own words alone."""

    EMPTY = "empty"
    NO_TEXT = "no_text"
    SCAN = "scan"
    LOCKED = "locked"
    BROKEN = "broken"
    MISLABELLED = "mislabelled"
    FORMAT = "format"
    OLD_FORMAT = "old_format"
    ENCODING = "encoding"
    TOO_LARGE = "too_large"
    TOO_MUCH_INSIDE = "too_much_inside"
    TOO_SLOW = "too_slow"
    BREAKS = "breaks"
    OTHER = "other"
