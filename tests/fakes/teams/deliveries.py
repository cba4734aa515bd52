"""Teams' side of delivery: fifteen seconds for each activity, duplicates and reordering on demand, all recorded."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from storage.clock import Clock
from tests.fakes.teams.records import Json

#: Seconds that Teams waits for an answer.
ANSWER_WITHIN_S = 15.0


@dataclass(frozen=True)
class Answer:
    """What the app said; `reason` is None for a 2xx in time, otherwise why it counts as failed."""

    status: int | None = None
    body: Any = None
    reason: str | None = None


@dataclass(frozen=True)
class Delivery:
    """One attempt: `milliseconds` of the clock; `retry` counts from 0."""

    body: Json
    retry: int
    status: int | None
    milliseconds: float
    reason: str | None
    duplicate: bool = False

    @property
    def event_id(self) -> str:
        """The id by which the app knows a message or an invoke on every delivery of it."""
        return f"{self.body.get('conversation', {}).get('id', '')}:{self.body.get('id', '')}"


@dataclass
class Deliveries:
    """Everything that goes to the app goes through here; `duplicates` and `reordered` are shares of all messages."""

    clock: Clock
    endpoint: str
    duplicates: float = 0.0
    reordered: float = 0.0
    random: Random = field(default_factory=lambda: Random(4))
    records: list[Delivery] = field(default_factory=list)

    def send(self, body: Json) -> None:
        """Start to deliver an activity; retries follow by themselves."""
        raise NotImplementedError

    async def ask(self, body: Json) -> Answer:
        """Deliver an invoke: once, whatever comes of it."""
        raise NotImplementedError

    def waiting(self) -> int:
        """Return how many activities are not delivered for good yet."""
        raise NotImplementedError

    async def settled(self, *, within_s: float = 30.0) -> None:
        """Return when no activity waits for anything any more; TimeoutError after real seconds."""
        raise NotImplementedError
