"""A call that waits for a button: its state machine, and every way in which a press can end. Pure values."""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, assert_never

from agent.tools.registry import ToolResult
from storage.ids import JsonObject, digest

#: Bytes of the digest that a nonce keeps: 128 bits.
_NONCE_BYTES = 16


class ApprovalState(StrEnum):
    """pending → executing → succeeded | failed | unknown; pending → declined | expired."""

    PENDING = "pending"
    EXECUTING = "executing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNKNOWN = "unknown"  # it may or may not have happened; a person has to look
    DECLINED = "declined"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Approval:
    """What would be done, for whom, until when; bound to the caller, the tool, the arguments and the resource."""

    id: str
    actor_id: str
    actor_name: str
    run_id: str
    event_id: str
    thread: str
    text: str
    language: str
    address: JsonObject
    tool: str
    arguments: JsonObject
    digest: str  # of tool, actor and arguments
    resource: str
    resource_version: int | None
    version: int
    state: ApprovalState
    created_at: datetime
    expires_at: datetime
    decided_by: str = ""  # a name, for the words
    decided_at: datetime | None = None
    finished_at: datetime | None = None
    lease_until: datetime | None = None
    result: JsonObject = field(default_factory=dict)
    error: JsonObject = field(default_factory=dict)


Verdict = Literal["confirm", "decline"]


@dataclass(frozen=True)
class Executed:
    """The press did it: the one execution there is."""

    approval: Approval
    result: ToolResult
    goes_on: bool = False  # the run that asked goes on, and its answer says what came of it


@dataclass(frozen=True)
class Declined:
    """The person said no; nothing was done."""

    approval: Approval


@dataclass(frozen=True)
class ExecutionFailed:
    """The press was right but the thing could not be done; `code` says why."""

    approval: Approval
    code: str
    detail: str = ""


@dataclass(frozen=True)
class Undecidable:
    """It ran and nobody knows how it ended; it is not tried again by itself."""

    approval: Approval


@dataclass(frozen=True)
class AlreadyDecided:
    """Somebody was first: what came of it, who and when."""

    approval: Approval
    state: ApprovalState
    by: str
    at: datetime


@dataclass(frozen=True)
class InProgress:
    """It is being carried out this moment."""

    approval: Approval
    by: str
    at: datetime


@dataclass(frozen=True)
class TooLate:
    """The button has expired."""

    approval: Approval
    at: datetime


@dataclass(frozen=True)
class SomebodyElses:
    """Only the person who asked may press."""

    owner: str


@dataclass(frozen=True)
class Outdated:
    """The button is not the newest one of this approval, or not one of ours."""

    approval: Approval


@dataclass(frozen=True)
class Changed:
    """What the button is about has changed since it was shown; nothing was done."""

    approval: Approval


@dataclass(frozen=True)
class NoLongerPermitted:
    """The person has lost the right since; nothing was done."""

    approval: Approval
    reason: str


Decided = (
    Executed
    | Declined
    | ExecutionFailed
    | Undecidable
    | AlreadyDecided
    | InProgress
    | TooLate
    | SomebodyElses
    | Outdated
    | Changed
    | NoLongerPermitted
)


def derive_nonce(key: bytes, approval_id: str, *, version: int) -> str:
    """Return the nonce of an approval's buttons: derived, so that a card can be drawn again after a restart."""
    made = hmac.new(key, f"{approval_id}:{version}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made[:_NONCE_BYTES]).decode().rstrip("=")


def is_nonce(key: bytes, approval: Approval, *, nonce: str) -> bool:
    """Return whether a nonce belongs to the approval as it stands, in constant time."""
    expected = derive_nonce(key, approval.id, version=approval.version)
    return hmac.compare_digest(expected.encode(), nonce.encode())


def bound(tool: str, actor_id: str, arguments: JsonObject) -> str:
    """Return the digest that ties an approval to exactly one call of one person."""
    return digest({"tool": tool, "actor": actor_id, "arguments": arguments})


def settled(approval: Approval) -> Decided:
    """Say to somebody who came too late what became of it."""
    at = approval.decided_at or approval.expires_at
    match approval.state:
        case ApprovalState.EXECUTING:
            return InProgress(approval, by=approval.decided_by, at=at)
        case ApprovalState.EXPIRED | ApprovalState.PENDING:
            return TooLate(approval, at=approval.expires_at)
        case ApprovalState.SUCCEEDED | ApprovalState.FAILED | ApprovalState.UNKNOWN | ApprovalState.DECLINED as state:
            return AlreadyDecided(approval, state=state, by=approval.decided_by, at=at)
        case _:
            assert_never(approval.state)
