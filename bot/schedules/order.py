"""What may be asked of a schedule. Loads nothing: the command line reads it before it opens a desk."""

from enum import StrEnum


class NoSuchJob(Exception):
    """No schedule has that name."""


class Order(StrEnum):
    """What may be done to a schedule."""

    RUN = "run"
    PAUSE = "pause"
    RESUME = "resume"
