"""What can be in the way of a reminder.

ReminderError
├── NoSuchReminder     there is none, or it is somebody else's: the same answer
└── TooManyReminders   the person has as many as one may have
"""


class ReminderError(Exception):
    """Base of this package's errors."""


class NoSuchReminder(ReminderError):
    """There is none, or it is somebody else's."""


class TooManyReminders(ReminderError):
    """The person has as many as one may have."""
