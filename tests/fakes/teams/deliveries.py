"""Teams' side of delivery: fifteen seconds for each activity, retries, duplicates and reordering, all recorded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from storage.clock import Clock
from tests.fakes.teams.endpoint import Answer, Endpoint
from tests.fakes.teams.records import Json
from tests.fakes.underway import Underway

#: The most seconds by which a reordered activity or a duplicate is late.
LATE_S = 3.0
#: What is tried once more: Teams says only that it may; that it is so often and so soon is our guess.
RETRY_AFTER_S = (2.0, 30.0)


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
        """The conversation and id by which the app knows an activity on every delivery of it."""
        return f"{self.body['conversation']['id']}:{self.body['id']}"


@dataclass
class Deliveries:
    """Everything that goes to the app goes through here; `duplicates` and `reordered` are shares of all but invokes."""

    clock: Clock
    endpoint: Endpoint
    duplicates: float = 0.0
    reordered: float = 0.0
    retry_after_s: tuple[float, ...] = RETRY_AFTER_S
    random: Random = field(default_factory=lambda: Random(4))
    records: list[Delivery] = field(default_factory=list)
    #: Called with every attempt as it ends.
    on_delivery: Callable[[Delivery], None] | None = None
    _underway: Underway = field(default_factory=Underway)

    def send(self, body: Json) -> None:
        """Start to deliver an activity; retries follow by themselves."""
        late = self.random.uniform(0.1, LATE_S) if self.random.random() < self.reordered else 0.0
        self._underway.start(self._delivered(body, late=late))
        if self.random.random() < self.duplicates:
            self._underway.start(self._doubled(body, late=late + self.random.uniform(0.0, LATE_S)))

    def send_again(self, event_id: str) -> None:
        """Start to deliver an activity once more, as after an answer that Teams did not hear."""
        body = next(each.body for each in self.records if each.event_id == event_id)
        self._underway.start(self._doubled(body, late=0.0))

    async def ask(self, body: Json) -> Answer:
        """Deliver an invoke: once, whatever comes of it."""
        return await self._attempted(body)

    def waiting(self) -> int:
        """Return how many activities are not delivered for good yet, those between two retries among them."""
        return self._underway.waiting()

    async def settled(self, *, within_s: float = 30.0) -> None:
        """Return when no activity waits for anything any more; TimeoutError after real seconds."""
        await self._underway.settled(within_s=within_s)

    async def close(self) -> None:
        """Give up every activity that still waits."""
        await self._underway.close()

    async def _delivered(self, body: Json, *, late: float) -> None:
        if late:
            await self.clock.sleep(late)
        answer = await self._attempted(body)
        for retry, after in enumerate(self.retry_after_s, start=1):
            if answer.is_final:
                return
            await self.clock.sleep(after)
            answer = await self._attempted(body, retry=retry)

    async def _doubled(self, body: Json, *, late: float) -> None:
        """Deliver once more what may well have arrived; nothing in it tells that."""
        await self.clock.sleep(late)
        await self._attempted(body, duplicate=True)

    async def _attempted(self, body: Json, *, retry: int = 0, duplicate: bool = False) -> Answer:
        started = self.clock.monotonic()
        answer = await self.endpoint.carry(body)
        milliseconds = (self.clock.monotonic() - started) * 1000
        delivery = Delivery(body, retry, answer.status, milliseconds, answer.reason, duplicate)
        self.records.append(delivery)
        if self.on_delivery is not None:
            self.on_delivery(delivery)
        return answer
