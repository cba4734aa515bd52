"""Which chat threads a ticket is spoken of in; addresses are opaque here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from storage.ids import JsonValue


class ThreadRole(StrEnum):
    """Whose thread it is."""

    REQUESTER = "requester"  # where the draft was made; the requester is told of changes there
    TRIAGE = "triage"  # where people who work tickets see it


@dataclass(frozen=True)
class ThreadLink:
    """A ticket's place in a chat. `address` is what the chat adapter needs to reach it."""

    ticket_id: str
    thread: str
    role: ThreadRole
    address: Mapping[str, JsonValue] = field(default_factory=dict)
