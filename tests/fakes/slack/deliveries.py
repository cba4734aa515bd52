"""Slack's side of delivery: retries for events, none for people, duplicates and reordering on demand, all recorded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from storage.clock import Clock
from tests.fakes.slack.carrying import Answer, Parcel, ParcelKind, Transport
from tests.fakes.slack.records import Json
from tests.fakes.underway import Underway

#: Seconds before the first, second and third retry of an event.
RETRY_AFTER_S = (0.0, 60.0, 300.0)
#: The most seconds by which a reordered event or a duplicate is late.
LATE_S = 3.0


@dataclass(frozen=True)
class Delivery:
    """One attempt: `milliseconds` of the clock; `shown` is the failure that a person saw, None when it went well."""

    kind: ParcelKind
    body: Json
    retry_num: int
    retry_reason: str
    status: int | None
    milliseconds: float
    reason: str | None
    shown: str | None
    duplicate: bool = False

    @property
    def event_id(self) -> str:
        """The id of the event, "" for what people do."""
        return str(self.body.get("event_id", ""))


#: What a person reads when the app did not take what they did; nobody sees that an event failed.
FAILURES: dict[ParcelKind, str] = {
    "command": '{command} failed with the error "dispatch_failed".',
    "action": "⚠",
    "view": "We had some trouble connecting. Try again?",
    "shortcut": "The app is not responding.",
    "options": "No result",
}
NO_ANSWER = "{command} failed because the app did not respond."


def shown_to_person(parcel: Parcel, answer: Answer) -> str | None:
    """Return what Slack shows the person after this answer, None when there is nothing to complain of."""
    if answer.reason is None or parcel.kind == "event":
        return None
    silent = parcel.kind == "command" and answer.status is None
    return (NO_ANSWER if silent else FAILURES[parcel.kind]).format(command=parcel.body.get("command", ""))


@dataclass
class Deliveries:
    """Everything that goes to the app goes through here; `duplicates` and `reordered` are shares of all events."""

    clock: Clock
    transport: Transport
    duplicates: float = 0.0
    reordered: float = 0.0
    random: Random = field(default_factory=lambda: Random(4))
    records: list[Delivery] = field(default_factory=list)
    #: Called with every attempt as it ends.
    on_delivery: Callable[[Delivery], None] | None = None
    _underway: Underway = field(default_factory=Underway)

    def send(self, body: Json) -> None:
        """Start to deliver an event; retries follow by themselves."""
        parcel = Parcel("event", body)
        late = self.random.uniform(0.1, LATE_S) if self.random.random() < self.reordered else 0.0
        self._underway.start(self._delivered(parcel, late=late))
        if self.random.random() < self.duplicates:
            self._underway.start(self._doubled(parcel, late=late + self.random.uniform(0.0, LATE_S)))

    def send_again(self, event_id: str) -> None:
        """Start to deliver an event once more, under its id, as after an answer that Slack did not hear."""
        body = next(each.body for each in self.records if each.event_id == event_id)
        self._underway.start(self._doubled(Parcel("event", body), late=0.0))

    async def ask(self, parcel: Parcel) -> Answer:
        """Deliver what a person did: once, whatever comes of it."""
        return await self._attempted(parcel)

    def waiting(self) -> int:
        """Return how many events are not delivered for good yet, those between two retries among them."""
        return self._underway.waiting()

    async def settled(self, *, within_s: float = 30.0) -> None:
        """Return when no event waits for anything any more; TimeoutError after real seconds."""
        await self._underway.settled(within_s=within_s)

    async def close(self) -> None:
        """Give up every event that still waits."""
        await self._underway.close()

    async def _delivered(self, parcel: Parcel, *, late: float) -> None:
        if late:
            await self.clock.sleep(late)
        answer = await self._attempted(parcel)
        for retry_num, after in enumerate(RETRY_AFTER_S, start=1):
            if answer.reason is None or answer.no_retry:
                return
            if after:
                await self.clock.sleep(after)
            answer = await self._attempted(parcel, retry_num=retry_num, retry_reason=answer.reason)

    async def _doubled(self, parcel: Parcel, *, late: float) -> None:
        """Deliver once more what may well have arrived, with or without the header that admits it."""
        await self.clock.sleep(late)
        retry_num = self.random.randint(0, 1)
        reason = "http_timeout" if retry_num else ""
        await self._attempted(parcel, retry_num=retry_num, retry_reason=reason, duplicate=True)

    async def _attempted(
        self, parcel: Parcel, *, retry_num: int = 0, retry_reason: str = "", duplicate: bool = False
    ) -> Answer:
        started = self.clock.monotonic()
        answer = await self.transport.carry(parcel, retry_num=retry_num, retry_reason=retry_reason)
        delivery = Delivery(
            kind=parcel.kind,
            body=parcel.body,
            retry_num=retry_num,
            retry_reason=retry_reason,
            status=answer.status,
            milliseconds=(self.clock.monotonic() - started) * 1000,
            reason=answer.reason,
            shown=shown_to_person(parcel, answer),
            duplicate=duplicate,
        )
        self.records.append(delivery)
        if self.on_delivery is not None:
            self.on_delivery(delivery)
        return answer
