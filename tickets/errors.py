"""What can go wrong with tickets.

TicketsError
├── NotFound        no such ticket or draft, or not for this actor: the same words for both
├── Ambiguous       a short reference fits several tickets that the actor may see
├── NotYours        the draft belongs to somebody else (told only to who holds one of its buttons)
├── NotAssignable   the person named may not work tickets
├── AlreadyFiled    the draft is a ticket already
├── Stale           the button belongs to an older version of the draft
├── Expired         the draft was left alone too long
├── Discarded       the draft was thrown away
├── Incomplete      required fields are still empty
├── Invalid         a value cannot be taken: which one, and why
├── Conflict        the ticket has moved on: who did what, when, and where it stands now
├── TooSoon         it was urged a moment ago
└── KeyReused       one idempotency key for two different requests
TrackerUnavailable  the external tracker does not answer; a repetition with the same key is safe
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


class TicketsError(Exception):
    """Base of this package's errors; `code` is what replies and the audit call it."""

    code: ClassVar[str] = "tickets_error"
    #: False where the actor lacks the right, True where the state is in the way.
    permitted: ClassVar[bool] = True

    @property
    def reason(self) -> str:
        """Return what the audit says; it may know more than the person is told."""
        return self.code


class NotFound(TicketsError):
    """No such ticket or draft, or not for this actor; says nothing else, so that nobody can probe."""

    code = "not_found"
    permitted = False

    def __init__(self, reference: str, *, hidden: bool = False) -> None:
        super().__init__(f"nothing is known here under {reference!r}")
        self.reference = reference
        self._hidden = hidden

    @property
    def reason(self) -> str:
        """Return whether there is something that belongs to somebody else; for the audit only."""
        return "not_yours" if self._hidden else self.code


class Ambiguous(TicketsError):
    """A short reference fits several tickets that the actor may see."""

    code = "ambiguous"

    def __init__(self, reference: str, numbers: tuple[str, ...]) -> None:
        super().__init__(f"{reference!r} may be any of {', '.join(numbers)}")
        self.reference = reference
        self.numbers = numbers


class NotYours(TicketsError):
    """The draft belongs to somebody else."""

    code = "not_yours"
    permitted = False

    def __init__(self, owner: str) -> None:
        super().__init__(f"this draft belongs to {owner}")
        self.owner = owner


class NotAssignable(TicketsError):
    """The person named may not work tickets."""

    code = "not_assignable"

    def __init__(self, assignee: str) -> None:
        super().__init__(f"{assignee} may not work tickets")
        self.assignee = assignee


class AlreadyFiled(TicketsError):
    """The draft is a ticket already; `number` is the one to show."""

    code = "already_filed"

    def __init__(self, number: str, *, by: str, at: datetime) -> None:
        super().__init__(f"already filed as {number} by {by} at {at.isoformat()}")
        self.number = number
        self.by = by
        self.at = at


class Stale(TicketsError):
    """The button belongs to an older version of the draft."""

    code = "stale"

    def __init__(self, draft_id: str, *, version: int) -> None:
        super().__init__(f"{draft_id} has changed since: it is at version {version}")
        self.draft_id = draft_id
        self.version = version


class Expired(TicketsError):
    """The draft was left alone too long."""

    code = "expired"

    def __init__(self, draft_id: str, *, at: datetime) -> None:
        super().__init__(f"{draft_id} expired at {at.isoformat()}")
        self.draft_id = draft_id
        self.at = at


class Discarded(TicketsError):
    """The draft was thrown away."""

    code = "discarded"

    def __init__(self, draft_id: str, *, by: str, at: datetime) -> None:
        super().__init__(f"{draft_id} was discarded by {by} at {at.isoformat()}")
        self.draft_id = draft_id
        self.by = by
        self.at = at


class Incomplete(TicketsError):
    """Required fields are still empty."""

    code = "incomplete"

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(f"still missing: {', '.join(missing)}")
        self.missing = missing


@dataclass(frozen=True)
class FieldProblem:
    """One value that cannot be taken."""

    field: str
    code: str  # "empty", "too_long", "unknown_field", "unknown_category", "unknown_priority", "not_a_choice"
    limit: int | None = None  # characters, with "too_long"
    allowed: tuple[str, ...] = ()  # what would be taken instead

    def __str__(self) -> str:
        limit = f" (at most {self.limit} characters)" if self.limit is not None else ""
        allowed = f" (one of: {', '.join(self.allowed)})" if self.allowed else ""
        return f"{self.field}: {self.code}{limit}{allowed}"


class Invalid(TicketsError):
    """At least one value cannot be taken; all of them are named at once."""

    code = "invalid"

    def __init__(self, *problems: FieldProblem) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


class Conflict(TicketsError):
    """The ticket has moved on. Carries who did what to it last, when, and where it stands now."""

    code = "conflict"

    def __init__(
        self, number: str, *, attempted: str, done: str, by: str, by_id: str, at: datetime, status: str, version: int
    ) -> None:
        super().__init__(f"{number} cannot {attempted}: {by} did {done} at {at.isoformat()}, it is now {status}")
        self.number = number
        self.attempted = attempted
        self.done = done
        self.by = by
        self.by_id = by_id
        self.at = at
        self.status = status
        self.version = version


class TooSoon(TicketsError):
    """It was urged a moment ago; `left_s` seconds remain."""

    code = "too_soon"

    def __init__(self, number: str, *, left_s: int) -> None:
        super().__init__(f"{number} can be urged again in {left_s} s")
        self.number = number
        self.left_s = left_s


class KeyReused(TicketsError):
    """One idempotency key came with two different requests."""

    code = "key_reused"

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} belongs to another request")
        self.key = key


class TrackerUnavailable(Exception):
    """The external tracker does not answer; a repetition with the same key is safe."""

    def __init__(self, tracker: str, *, retry_after_s: float = 30.0) -> None:
        super().__init__(f"{tracker} does not answer")
        self.tracker = tracker
        self.retry_after_s = retry_after_s
