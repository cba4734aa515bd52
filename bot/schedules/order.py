"""What may be asked of a schedule. Loads nothing: the command line reads it before it opens a desk."""

from enum import StrEnum


class NoSuchJob(Exception):
    """No schedule has that name."""


class NoSuchChannel(Exception):
    """The desk was neither added to that channel nor spoken to in it."""


class Order(StrEnum):
    """What may be done to a schedule."""

    RUN = "run"
    PAUSE = "pause"
    RESUME = "resume"
