"""How handling an item fails: for good, for now, or with its worker."""

from storage.redaction.stored import redact

LONGEST_ERROR = 500


class Hopeless(Exception):
    """It will never succeed: the item is kept as dead at once, with the reason."""


class RetryLater(Exception):
    """The other side asks to come back in that many seconds; it does not count as a failure.

    What was not even `begun` does not count as an attempt either.
    """

    def __init__(self, seconds: float, *, begun: bool = True) -> None:
        super().__init__(f"come back in {seconds} s")
        self.seconds = seconds
        self.begun = begun


class DeadlyItem(Exception):
    """Whoever handled the item died, each time."""

    def __init__(self) -> None:
        super().__init__("whoever handled it died each time")


def words_of(error: Exception) -> str:
    """Return what is kept of a failure."""
    words = str(error) if isinstance(error, Hopeless | DeadlyItem) else f"{type(error).__name__}: {error}"
    return redact(words)[:LONGEST_ERROR]
