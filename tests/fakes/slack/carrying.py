"""What travels from Slack to the app, what comes back, and how long Slack waits for it."""

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tests.fakes.slack.records import Json

ANSWER_WITHIN_S = 3.0

#: `action`, `shortcut` and `view` are what a person did; `options` asks for the choices of a menu.
ParcelKind = Literal["event", "command", "action", "shortcut", "view", "options"]


@dataclass(frozen=True)
class Parcel:
    """One payload on its way."""

    kind: ParcelKind
    body: Json

    @property
    def event_id(self) -> str | None:
        """The id by which an event is known on every delivery of it."""
        found = self.body.get("event_id")
        return str(found) if found else None


@dataclass(frozen=True)
class Answer:
    """What the app said; `reason` is None for a 2xx in time, otherwise Slack's word for the failure."""

    status: int | None = None
    body: dict[str, Any] = field(default_factory=dict)
    reason: str | None = None
    no_retry: bool = False


class Transport(Protocol):
    """One of the two ways to the app."""

    async def carry(self, parcel: Parcel, *, retry_num: int = 0, retry_reason: str = "") -> Answer:
        """Deliver once and return what came back within three seconds."""
        ...
