"""Cards become messages: once for each key as far as the platform lets it be known, in their place and their order."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from adapters.cards import Card
from adapters.outbound.calling import NEWS, NOW, Going
from adapters.outbound.errors import (
    CallDenied,
    ContentRefused,
    OutcomeUnknown,
    PlaceClosed,
    PlatformFailed,
    StreamOver,
    Vanished,
)
from adapters.outbound.pacing import PostPriority
from adapters.outbound.recent import Recent
from adapters.outbound.streams import LiveText, LiveTexts
from adapters.outbound.wire import Begun, FoundParts, MessageDrawing, P, Payload, Wire
from adapters.port import ANSWER, ChatClock, Opened, Sending, Unavailable, Undeliverable

log = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds for which a posted part of a card is known without asking the platform.
POSTED_S = 3_600.0
#: Real seconds after which nobody waits for a new message: an answer that comes later is found by the next attempt,
#: which would post it twice otherwise.
NOBODY_WAITS_S = 5.0
#: Seconds after which the answer to a press has surely come to its client: an edit that overtook it would be hidden
#: from the person who pressed.
ANSWERED_S = 1.0
#: Seconds before each attempt to take a message away that can neither be ended nor edited. The second is made whatever
#: the first said: Teams says yes to it, and a piece of a stream that goes on elsewhere brings the message back.
SWEEPS_S = (0.0, 120.0)


@dataclass(frozen=True)
class _Job(Generic[P]):
    """One card on its way."""

    place: P
    card: Card
    key: str
    sending: Sending
    others: frozenset[str]  # messages that this process is making for other keys

    @property
    def going(self) -> Going:
        return NEWS if self.sending.proactive else NOW


class Posting(Generic[P]):
    """Posts and edits messages, and ends those in the making."""

    def __init__(self, wire: Wire[P], clock: ChatClock) -> None:
        self._wire = wire
        self._clock = clock
        self._posted: Recent[str, str] = Recent(clock, seconds=POSTED_S)  # the reference of each part, by its name
        self._texts: LiveTexts[P] = LiveTexts()
        self._under_way: dict[str, asyncio.Task[str]] = {}  # new messages
        self._sweeping: set[asyncio.Task[None]] = set()
        self._in_place: Recent[str, float] = Recent(clock, seconds=ANSWERED_S)  # messages answered by a card
        self._newest: dict[str, int] = {}  # which edit of a message is the last one
        self._numbers = itertools.count()

    def close(self) -> None:
        """Stop streaming, and leave what is not posted or taken away yet."""
        self._texts.drop()
        for task in (*self._under_way.values(), *self._sweeping):
            task.cancel()

    def posted(self, key: str) -> str | None:
        """Return the reference of what was posted under a key, None when that is not known here."""
        return self._posted.known(key)

    def keep(self, key: str, reference: str) -> None:
        """Note that a card was shown in another way than by `send`."""
        self._posted.keep(key, reference)
        self._texts.forget(key)

    def stream(self, place: P, *, key: str, after_s: float, opened: Opened | None) -> LiveText[P]:
        """Return the message in the making of a key; nobody sees it before it lasts `after_s`."""
        text = self._texts.known(key)
        if text is None:
            text = LiveText(self._wire, self._clock, place, key=key, after_s=after_s, opened=opened)
            self._texts.keep(key, text)
        return text

    async def send(self, place: P, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card, or end the stream of that key with it; return the reference of the card's last message.

        What is there of it already is not posted again. Where the place is closed, it goes to the person directly.
        """
        text = self._texts.known(key)
        begun = None if text is None else await text.end()
        if text is not None and text.place.line != place.line:
            begun = None
        others = frozenset(each.message for each in self._texts.others(key))
        job = _Job(place, card, key, sending, others)
        try:
            try:
                posted = await self._post(job, begun)
            except PlaceClosed as closed:
                if sending.proactive or place.direct:
                    raise
                log.warning("%s: %s; the answer goes to the person directly", self._wire.platform, closed)
                posted = await self._post(replace(job, place=await self._wire.direct(place)), None)
        except Undeliverable:
            self._texts.forget(key)
            raise
        self._texts.forget(key)
        return posted

    async def update(self, place: P, reference: str, card: Card) -> None:
        """Show another card in the place of a posted one; of several that wait, only the last is sent.

        What stood in messages before the posted one, such as the text of an answer, stays.
        """
        message = place.message(reference)
        number = self._newest[reference] = next(self._numbers)
        going = Going(PostPriority.EDIT, wanted=lambda: self._newest.get(reference) == number)

        async def change(payload: Payload) -> None:
            await self._wire.edit(place, message, payload, going=going)

        try:
            if (answered := self._in_place.known(reference)) is not None:
                await self._clock.sleep(max(0.0, answered + ANSWERED_S - self._clock.monotonic()))
            await self._shown(self._wire.draw(card, messages=1)[-1], change)
        finally:
            if self._newest.get(reference) == number:
                del self._newest[reference]

    def answered_in_place(self, reference: str) -> None:
        """Note that a press is just being answered by a card in the place of a posted one: edits come behind it."""
        self._in_place.keep(reference, self._clock.monotonic())

    async def _post(self, job: _Job[P], begun: Begun | None) -> str:
        """Return the reference of the last message; the first takes the place of what was begun."""
        messages = self._wire.draw(job.card)
        names = [*(f"{job.key}/{number}" for number in range(1, len(messages))), job.key]
        there = {name: posted for name in names if (posted := self._known(job.place, name))}
        left = job.place.message(job.sending.unfinished) if job.sending.unfinished else ""
        carrier = begun or Begun(left, streaming=None)
        if there:  # what was begun is the first of them
            carrier = Begun()
        gone_on = carrier.lost
        if carrier.streaming:
            try:
                if await self._wire.end(job.place, carrier, job.card, key=job.key, going=job.going):
                    there[names[0]] = carrier.message
                    carrier = Begun()
            except (StreamOver, Vanished):
                gone_on = True
        if len(there) < len(names) and (job.sending.again or gone_on or (begun is None and left)):
            found = await self._look(job)
            there |= {name: message for name, message in found.parts.items() if name in names}
            carrier = carrier if carrier.message else Begun(found.unfinished, streaming=None)
            carrier = carrier if carrier.message not in found.taken else Begun()
        return await self._post_all(job, dict(zip(names, messages, strict=True)), there, carrier)

    async def _look(self, job: _Job[P]) -> FoundParts:
        adopts = not job.sending.proactive  # news were never in the making
        return await self._wire.find(job.place, job.key, adopts=adopts, others=job.others)

    async def _post_all(
        self, job: _Job[P], messages: dict[str, MessageDrawing], there: dict[str, str], carrier: Begun
    ) -> str:
        last = ""
        for number, (name, drawn) in enumerate(messages.items()):
            last = there.get(name, "")
            if not last and job.key not in there:
                last = await self._take_over(job, carrier, drawn, name) if carrier.message else ""
                carrier = Begun()
                if not last:
                    last = await self._message(job, drawn, name)
                    if number == 0 and len(messages) > 1 and job.sending.opened is not None:
                        await job.sending.opened(job.place.reference(last))
            if last:
                self._posted.keep(name, job.place.reference(last))
        return job.place.reference(last)

    async def _take_over(self, job: _Job[P], carrier: Begun, drawn: MessageDrawing, name: str) -> str:
        """Turn what was begun into a message of the card; return its id, "" when it has to be posted anew."""

        async def change(payload: Payload) -> None:
            await self._wire.edit(job.place, carrier.message, payload, key=name, going=job.going)

        try:
            if carrier.streaming is None and await self._wire.end(
                job.place, carrier, job.card, key=job.key, going=job.going
            ):
                return carrier.message
            await self._shown(drawn, change)
        except PlaceClosed:
            raise
        except CallDenied as denied:
            log.info("%s: %s; an answer is posted anew", self._wire.platform, denied)
            if not isinstance(denied, Vanished):
                self._sweep(job.place, carrier.message)
            return ""
        return carrier.message

    async def _message(self, job: _Job[P], drawn: MessageDrawing, name: str) -> str:
        """Return the id of a new message. A slow answer is waited for by whoever comes back: posted is posted."""

        async def say(payload: Payload) -> str:
            return await self._wire.post(job.place, payload, key=name, going=job.going)

        async def post() -> str:
            message = await self._shown(drawn, say, again=job.sending.again)
            self._posted.keep(name, job.place.reference(message))
            return message

        try:
            async with asyncio.timeout(NOBODY_WAITS_S):
                return await asyncio.shield(self._begin(name, post))
        except TimeoutError as error:
            raise OutcomeUnknown("post: no answer yet", retry_after_s=1.0) from error

    def _begin(self, name: str, work: Callable[[], Coroutine[None, None, str]]) -> "asyncio.Task[str]":
        """Return the task that posts a message, begun unless it is under way."""

        def done(task: "asyncio.Task[str]") -> None:
            del self._under_way[name]
            if not task.cancelled() and task.exception() is not None:
                log.debug("%s was not posted: %s", name, task.exception())

        if name not in self._under_way:
            self._under_way[name] = asyncio.create_task(work(), name=name)
            self._under_way[name].add_done_callback(done)
        return self._under_way[name]

    async def _shown(
        self, drawn: MessageDrawing, attempt: Callable[[Payload], Awaitable[T]], *, again: bool = False
    ) -> T:
        """Return what an attempt gives; plain text is tried where the platform does not take the card."""
        try:
            return await attempt(drawn.payload())
        except ContentRefused as refused:
            why: Exception = refused
        except PlatformFailed as broken:
            if not again:
                raise
            why = broken
        log.error("%s does not take a card: %s; its plain text is sent", self._wire.platform, why)
        return await attempt(drawn.words())

    def _known(self, place: P, name: str) -> str:
        """Return the message of a part that this process posted here, "" when it posted none."""
        posted = self._posted.known(name)
        return place.message(posted) if posted is not None else ""

    def _sweep(self, place: P, message: str) -> None:
        """Take away a part of an answer that can neither be ended nor edited, as soon as the platform allows it."""

        async def take_away() -> None:
            for wait_s in SWEEPS_S:
                await self._clock.sleep(wait_s)
                try:
                    await self._wire.delete(place, message, going=NEWS)
                except (Unavailable, Undeliverable) as why:
                    log.info("%s: a part of an answer may still be seen: %s", self._wire.platform, why)

        task = asyncio.create_task(take_away())
        self._sweeping.add(task)
        task.add_done_callback(self._sweeping.discard)
