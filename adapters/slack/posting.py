"""Cards become messages: once for each key, in their place or as near to the person as Slack allows."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from adapters.cards import Card
from adapters.outbound.pacing import Priority
from adapters.outbound.packing import Shortening
from adapters.outbound.recent import Recent
from adapters.port import ANSWER, Clock, Sending
from adapters.slack.address import place_of, reference
from adapters.slack.blocks import Drawn, draw, unsaid
from adapters.slack.calls import PATIENCE_S, Calls
from adapters.slack.errors import CLOSED, CONTENT, GONE, NOT_STREAMING, STILL_STREAMING, Denied, Failing
from adapters.slack.lookup import Found, Lookup
from adapters.slack.places import Begun, Json, Place, finished, mark
from adapters.slack.words import WordsFor

log = logging.getLogger(__name__)

#: How every message is sent: nothing in it is looked up or turned into a mention by Slack.
_QUIET: Json = {"parse": "none", "link_names": False}
_UNFURLED: Json = {"unfurl_links": False, "unfurl_media": False}
#: A direct conversation keeps its id.
DIRECT_S = 86_400.0


@dataclass(frozen=True)
class _Job:
    """One card on its way."""

    place: Place
    card: Card
    key: str
    sending: Sending
    others: frozenset[str] = frozenset()

    @property
    def priority(self) -> Priority:
        return Priority.PROACTIVE if self.sending.proactive else Priority.ANSWER

    @property
    def patience_s(self) -> float:
        return 0.0 if self.sending.proactive else PATIENCE_S


class _Ending(Enum):
    """What came of ending a stream."""

    DONE = "done"
    DIFFERS = "differs"  # it shows something else: it has to be edited
    CLOSED = "closed"  # somebody or something ended it before


class Posting:
    """Posts, edits and finds messages."""

    def __init__(self, calls: Calls, clock: Clock, words_for: WordsFor) -> None:
        self._calls = calls
        self._lookup = Lookup(calls)
        self._words_for = words_for
        self._direct: Recent[str, str] = Recent(clock, seconds=DIRECT_S)

    async def direct(self, place: Place) -> Place:
        """Return the direct conversation with the person of a place."""

        async def open_it() -> str:
            told = await self._calls.call("conversations.open", {"users": place.user})
            return str(told["channel"]["id"])

        channel = await self._direct.get(place.user, open_it)
        return replace(place, channel=channel, thread_ts="")

    async def post(
        self,
        place: Place,
        card: Card,
        *,
        key: str,
        sending: Sending = ANSWER,
        begun: Begun | None = None,
        others: frozenset[str] = frozenset(),
    ) -> str:
        """Return the reference of the card's last message; what is there of it already is not posted again.

        `others` are messages that this process is making for other keys.
        """
        job = _Job(place, card, key, sending, others)
        try:
            return await self._post(job, begun)
        except Denied as denied:
            if denied.code not in CLOSED or sending.proactive or place.direct:
                raise
            log.warning("Slack: %s; the answer goes to the person's direct messages", denied)
            return await self._post(replace(job, place=await self.direct(place)), None)

    async def whisper(self, place: Place, card: Card, *, key: str) -> str:
        """Show a card to the person of a place alone; where Slack does not allow it, in their direct messages."""
        told: Any = {}
        try:
            for drawn in self._drawn(card):
                told = await self._ephemeral(place, drawn)
        except Denied as denied:
            log.info("Slack: %s; what is for one person goes to their direct messages", denied)
            return await self._post(_Job(await self.direct(place), card, key, Sending(again=True)), None)
        return reference(place.channel, str(told["message_ts"]))

    async def hint(self, place: Place, text: str) -> None:
        """Show a line to the person of a place, if Slack allows it."""
        try:
            await self._ephemeral(place, Drawn(blocks=(), text=text))
        except Denied as denied:
            log.info("Slack: %s; a hint is not shown", denied)

    async def update(self, posted: str, card: Card) -> None:
        """Show another card in the place of a posted one; a longer one is shortened to one message."""
        channel, ts = place_of(posted)
        await self._edit(Place(channel), ts, self._drawn(card, messages=1)[0], priority=Priority.EDIT)

    async def _post(self, job: _Job, begun: Begun | None) -> str:
        messages = self._drawn(job.card)
        closed = False
        if begun is not None and begun.streaming:
            ending = await self._end(job, begun)
            if ending is _Ending.DONE:
                return reference(job.place.channel, begun.ts)
            closed = ending is _Ending.CLOSED
        found = Found()
        left_open = begun.ts if begun is not None else _left_open(job)
        if job.sending.again or closed or (begun is None and left_open) or (begun is not None and begun.lost):
            adopts = not job.sending.proactive  # news were never in the making
            found = await self._lookup.find(job.place, job.key, adopts=adopts, others=job.others)
            if job.key in found.parts:
                return reference(job.place.channel, found.parts[job.key])
            left_open = left_open or found.unfinished
        carrier = left_open if left_open not in found.taken else ""
        return await self._post_all(job, messages, found, carrier)

    async def _post_all(self, job: _Job, messages: Sequence[Drawn], found: Found, carrier: str) -> str:
        """Post each message of a card that is not there yet; the first takes the place of what was begun."""
        ts = ""
        for number, drawn in enumerate(messages, start=1):
            part = job.key if number == len(messages) else f"{job.key}/{number}"
            if part in found.parts:
                continue
            ts, carrier = carrier, ""
            if not ts or not await self._take_over(job, ts, drawn, part):
                ts = await self._message(job, drawn, part)
        return reference(job.place.channel, ts)

    async def _end(self, job: _Job, begun: Begun) -> "_Ending":
        """Stop a stream: with what it lacks where it shows the beginning of the card for certain."""
        left = None if begun.shown is None or len(self._drawn(job.card)) > 1 else unsaid(job.card, begun.shown)
        text, rest = left or ("", None)
        below = self._drawn(rest)[0].payload()["blocks"] if rest is not None and rest.blocks else []
        chunks = finished(begun.task) + ([{"type": "markdown_text", "text": text}] if text else [])
        arguments = {"ts": begun.ts, "chunks": chunks} | ({"blocks": below} if below else {})
        metadata = mark(job.key, unfinished=left is None)
        try:
            await self._call(job, "chat.stopStream", arguments | {"metadata": metadata})
        except Denied as denied:
            if denied.code not in NOT_STREAMING | CONTENT | GONE:
                raise
            return _Ending.DIFFERS if denied.code in CONTENT else _Ending.CLOSED
        return _Ending.DIFFERS if left is None else _Ending.DONE

    async def _take_over(self, job: _Job, ts: str, drawn: Drawn, part: str) -> bool:
        """Edit what was begun into a message of the card; False when it is gone."""
        try:
            await self._edit(job.place, ts, drawn, priority=job.priority, key=part)
        except Denied as denied:
            if denied.code not in GONE:
                raise
            log.info("Slack: %s; the answer is posted anew", denied)
            return False
        return True

    async def _message(self, job: _Job, drawn: Drawn, part: str) -> str:
        thread = {"thread_ts": job.place.thread_ts} if job.place.thread_ts else {}
        arguments = _QUIET | _UNFURLED | thread | {"metadata": mark(part)}
        try:
            told = await self._call(job, "chat.postMessage", arguments | drawn.payload())
        except (Denied, Failing) as refused:
            if not _refused_content(refused, again=job.sending.again):
                raise
            told = await self._call(job, "chat.postMessage", arguments | {"text": drawn.text})
        return str(told["ts"])

    async def _edit(self, place: Place, ts: str, drawn: Drawn, *, priority: Priority, key: str = "") -> None:
        arguments = _QUIET | {"channel": place.channel, "ts": ts} | ({"metadata": mark(key)} if key else {})
        line = place.line if key else f"{place.channel}:{ts}"

        async def change(shown: Json) -> None:
            await self._calls.call("chat.update", arguments | shown, priority=priority, thread=line)

        try:
            try:
                await change(drawn.payload())
            except Denied as denied:
                if denied.code != STILL_STREAMING:
                    raise
                await self._stop(place, ts, priority=priority)
                await change(drawn.payload())
        except Denied as denied:
            if not _refused_content(denied, again=False):
                raise
            await change({"text": drawn.text, "blocks": []})

    async def _stop(self, place: Place, ts: str, *, priority: Priority) -> None:
        arguments = {"channel": place.channel, "ts": ts}
        try:
            await self._calls.call("chat.stopStream", arguments, priority=priority, thread=place.line)
        except Denied as denied:
            if denied.code not in NOT_STREAMING:
                raise

    async def _ephemeral(self, place: Place, drawn: Drawn) -> Any:
        thread = {"thread_ts": place.thread_ts} if place.thread_ts else {}
        arguments = _QUIET | thread | {"channel": place.channel, "user": place.user}
        shown = drawn.payload() if drawn.blocks else {"text": drawn.text}
        return await self._calls.call("chat.postEphemeral", arguments | shown, thread=place.line)

    async def _call(self, job: _Job, method: str, arguments: Json) -> Any:
        return await self._calls.call(
            method,
            {"channel": job.place.channel} | arguments,
            priority=job.priority,
            thread=job.place.line,
            patience_s=job.patience_s,
        )

    def _drawn(self, card: Card, *, messages: int = 3) -> tuple[Drawn, ...]:
        return draw(card, Shortening(self._words_for(card.language).shortened), messages=messages)


def _left_open(job: _Job) -> str:
    """Return the message that another process left to be ended; "" when there is none in this place."""
    if not job.sending.unfinished:
        return ""
    channel, ts = place_of(job.sending.unfinished)
    return ts if channel == job.place.channel else ""


def _refused_content(refused: Denied | Failing, *, again: bool) -> bool:
    """Return whether plain text may get through where the card did not."""
    if isinstance(refused, Denied) and refused.code in CONTENT:
        log.error("Slack does not take a card: %s; its plain text is sent", refused)
        return True
    return isinstance(refused, Failing) and again
