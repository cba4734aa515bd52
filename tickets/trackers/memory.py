"""A tracker in memory: the fake for tests, which can also fail the two ways a real one does."""

from dataclasses import dataclass, field

from tickets.errors import TrackerUnavailable
from tickets.ticket import Comment, Status, Ticket
from tickets.tracker import TrackerReference


@dataclass
class Issue:
    """What the tracker holds about one ticket."""

    reference: TrackerReference
    ticket: Ticket
    comments: dict[str, Comment] = field(default_factory=dict)


@dataclass
class MemoryTracker:
    """Keeps issues by key. `failures` calls fail before they act; `lost_responses` act and then fail."""

    name: str = "memory"
    remote: bool = True
    failures: int = 0
    lost_responses: int = 0
    issues: dict[str, Issue] = field(default_factory=dict)
    _keys: dict[str, str] = field(default_factory=dict)

    async def create(self, ticket: Ticket, *, key: str) -> TrackerReference:
        """Make an issue, or return the one that this key made before."""
        self._fail_before()
        name = self._keys.setdefault(key, f"MEM-{len(self._keys) + 1}")
        issue = self.issues.setdefault(name, Issue(TrackerReference(name, f"memory:///{name}"), ticket))
        self._fail_after()
        return issue.reference

    async def update(self, reference: TrackerReference, ticket: Ticket) -> None:
        """Take the newer version of the ticket."""
        self._fail_before()
        issue = self.issues[reference.key]
        if ticket.version > issue.ticket.version:
            issue.ticket = ticket
        self._fail_after()

    async def comment(self, reference: TrackerReference, comment: Comment) -> None:
        """Keep the comment under its id."""
        self._fail_before()
        self.issues[reference.key].comments[comment.id] = comment
        self._fail_after()

    async def status(self, reference: TrackerReference) -> Status | None:
        """Return the state of the newest version that arrived."""
        self._fail_before()
        return self.issues[reference.key].ticket.status

    async def close(self) -> None:
        """Forget nothing: tests look at `issues` afterwards."""

    def _fail_before(self) -> None:
        if self.failures:
            self.failures -= 1
            raise TrackerUnavailable(self.name, retry_after_s=1.0)

    def _fail_after(self) -> None:
        if self.lost_responses:
            self.lost_responses -= 1
            raise TrackerUnavailable(self.name, retry_after_s=1.0)
