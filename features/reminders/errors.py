"""What can be in the way of a reminder.

ReminderError
├── NoSuchReminder     there is none, or it is somebody else's: the same answer
├── TooManyReminders   the person has as many as one may have
├── ComesNoMore        no time follows the one that is to be left out
└── TimeIsOver         the time that it is to get back has passed
"""

from typing import ClassVar

#: Reminders that one person may have open.
MOST_OPEN = 200


class ReminderError(Exception):
    """Base of this package's errors. `code` names the words under `refused`, its text is their `{detail}`."""

    code: ClassVar[str]


class NoSuchReminder(ReminderError):
    """There is none, or it is somebody else's."""

    code = "no_reminder"


class TooManyReminders(ReminderError):
    """The person has as many as one may have."""

    code = "too_many_reminders"

    def __init__(self) -> None:
        """Say how many that is."""
        super().__init__(str(MOST_OPEN))


class ComesNoMore(ReminderError):
    """No time follows the one that is to be left out."""

    code = "reminder_comes_no_more"


class TimeIsOver(ReminderError):
    """The time that it is to get back has passed."""

    code = "reminder_over"
