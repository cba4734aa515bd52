"""Ticket, Draft, Comment, their state machines, their threads, and the nonces of drafts: pure rules, no I/O.

Nonces are derived, so that a card can be drawn again after a restart with the same buttons.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from storage.ids import JsonObject, JsonValue


class Status(StrEnum):
    """The life of a filed ticket."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    CANCELLED = "cancelled"


class Priority(StrEnum):
    """How soon somebody should look."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"


class DraftState(StrEnum):
    """The life of a draft."""

    OPEN = "open"
    FILED = "filed"
    DISCARDED = "discarded"
    EXPIRED = "expired"


class Action(StrEnum):
    """What can be done to a filed ticket."""

    ASSIGN = "assign"
    CANCEL = "cancel"
    COMMENT = "comment"
    PRIORITISE = "prioritise"
    REOPEN = "reopen"
    RESOLVE = "resolve"
    URGE = "urge"


#: How an active ticket stands whose requester was asked something.
WAITS_FOR_REQUESTER = "waiting"
_ACTIVE = (Status.OPEN, Status.IN_PROGRESS)

#: Action → states it starts from → state it ends in (None: the state stays).
TRANSITIONS: Mapping[Action, Mapping[Status, Status | None]] = {
    Action.ASSIGN: {Status.OPEN: Status.IN_PROGRESS, Status.IN_PROGRESS: None},
    Action.CANCEL: dict.fromkeys(_ACTIVE, Status.CANCELLED),
    Action.COMMENT: dict.fromkeys(Status, None),
    Action.PRIORITISE: dict.fromkeys(_ACTIVE, None),
    Action.REOPEN: {Status.RESOLVED: Status.OPEN, Status.CANCELLED: Status.OPEN},
    Action.RESOLVE: dict.fromkeys(_ACTIVE, Status.RESOLVED),
    Action.URGE: dict.fromkeys(_ACTIVE, None),
}


@dataclass(frozen=True)
class Comment:
    """A line of a ticket's history written by a person; append-only."""

    id: str
    ticket_id: str
    author_id: str
    author_name: str
    text: str
    created_at: datetime


@dataclass(frozen=True)
class Change:
    """A step in a ticket's life, for its timeline."""

    at: datetime
    actor_id: str
    actor_name: str
    action: str  # "filed" or an Action
    detail: str = ""


@dataclass(frozen=True)
class Draft:
    """A ticket in the making. `version` grows with each revision; the confirm button is bound to one version."""

    id: str
    requester_id: str
    requester_name: str
    thread: str
    state: DraftState
    version: int
    category: str
    title: str
    description: str
    priority: Priority
    fields: Mapping[str, str]  # configurable ones: location, contact, …
    missing: tuple[str, ...]  # names of required fields still empty
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    ticket_number: str | None = None  # set once filed
    closed_by: str | None = None  # the name of who filed or discarded it
    closed_at: datetime | None = None
    address: JsonObject = field(default_factory=dict)  # reaches `thread`; opaque here


@dataclass(frozen=True)
class Ticket:
    """A filed ticket; `number` is what people say: TCK-2026-000123."""

    id: str
    number: str
    requester_id: str
    requester_name: str
    assignee_id: str | None
    assignee_name: str | None
    status: Status
    priority: Priority
    category: str
    title: str
    description: str
    fields: Mapping[str, str]
    version: int
    created_at: datetime
    updated_at: datetime
    urged_at: datetime | None = None
    urges: int = 0
    resolution: str = ""
    asked_by: str | None = None  # who works on it and has asked the requester something that is not answered yet
    draft_id: str = ""  # the draft it was made from
    external_key: str | None = None  # its name in an external tracker
    external_url: str | None = None
    comments: tuple[Comment, ...] = field(default_factory=tuple)  # filled by `show` only
    changes: tuple[Change, ...] = field(default_factory=tuple)  # filled by `show` only

    @property
    def stands(self) -> str:
        """Return how it stands: its state, or "waiting" where the requester has a question to answer."""
        return WAITS_FOR_REQUESTER if self.asked_by and self.status in _ACTIVE else self.status.value


def next_status(action: Action, status: Status) -> Status | None:
    """Return the state that `action` leads to from `status`; raise KeyError when it may not start there."""
    after = TRANSITIONS[action][status]
    return status if after is None else after


class ThreadRole(StrEnum):
    """Whose thread it is."""

    REQUESTER = "requester"  # where the draft was made; the requester is told of changes there
    TRIAGE = "triage"  # where people who work tickets see it


class Facet(StrEnum):
    """Which tickets a report is about."""

    NEW = "new"  # filed since an instant
    OVERDUE = "overdue"  # not ended within the hours of its priority
    WAITING = "waiting"  # nobody has taken it
    RESOLVED = "resolved"  # since an instant


@dataclass(frozen=True)
class Reported:
    """Tickets of a report: how many there are, the first of them, and how many more are not the reader's to see."""

    count: int
    tickets: tuple[Ticket, ...] = ()
    hidden: int = 0


@dataclass(frozen=True)
class TicketCounts:
    """How many tickets were filed and resolved since an instant, and how many are open now."""

    filed: int
    resolved: int
    open: int
    everybody: bool  # not the asker's own alone


@dataclass(frozen=True)
class ThreadLink:
    """A ticket's place in a chat. `address` is what the chat adapter needs to reach it."""

    ticket_id: str
    thread: str
    role: ThreadRole
    address: Mapping[str, JsonValue] = field(default_factory=dict)


#: Bytes of the digest that are kept: 128 bits.
_BYTES = 16


def nonce_of(key: bytes, draft_id: str, *, version: int) -> str:
    """Return the nonce of one version of a draft, as URL-safe text."""
    digest = hmac.new(key, f"{draft_id}:{version}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode().rstrip("=")


def version_of_nonce(key: bytes, draft_id: str, *, nonce: str, newest: int) -> int | None:
    """Return the version up to `newest` that a nonce was made for; None for one that we never made."""
    given = nonce.encode(errors="replace")
    for version in range(newest, 0, -1):
        if hmac.compare_digest(nonce_of(key, draft_id, version=version).encode(), given):
            return version
    return None
