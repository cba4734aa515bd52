"""Cards become messages: once for each key, in their place or as near to the person as Slack allows."""

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.cards import Card
from adapters.port import ANSWER, Clock, Sending
from adapters.slack.address import place_of, reference
from adapters.slack.blocks import Drawn, Shortening, draw, unsaid
from adapters.slack.calls import PATIENCE_S, Calls
from adapters.slack.errors import CLOSED, CONTENT, GONE, NOT_STREAMING, STILL_STREAMING, Denied, Failing, ScopeMissing
from adapters.slack.pacing import Priority
from adapters.slack.places import EVENT_TYPE, Begun, Json, Place, finished, mark
from adapters.slack.recent import Recent
from adapters.slack.words import WordsFor

log = logging.getLogger(__name__)

#: How every message is sent: nothing in it is looked up or turned into a mention by Slack.
_QUIET: Json = {"parse": "none", "link_names": False}
_UNFURLED: Json = {"unfurl_links": False, "unfurl_media": False}
#: Pages of a thread that are read to find a message again, and messages on each.
PAGES, PAGE = 5, 200
#: A direct conversation keeps its id.
DIRECT_S = 86_400.0


@dataclass
class _Found:
    """What a thread already holds of a card: the parts by their keys, and a message that was never ended."""

    parts: dict[str, str] = field(default_factory=dict)
    unfinished: str = ""


@dataclass(frozen=True)
class _Job:
    """One card on its way."""

    place: Place
    card: Card
    key: str
    sending: Sending

    @property
    def priority(self) -> Priority:
        return Priority.PROACTIVE if self.sending.proactive else Priority.ANSWER

    @property
    def patience_s(self) -> float:
        return 0.0 if self.sending.proactive else PATIENCE_S


class Posting:
    """Posts, edits and finds messages."""

    def __init__(self, calls: Calls, clock: Clock, words_for: WordsFor) -> None:
        self._calls = calls
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
        self, place: Place, card: Card, *, key: str, sending: Sending = ANSWER, begun: Begun | None = None
    ) -> str:
        """Return the reference of the card's last message; what is there of it already is not posted again."""
        job = _Job(place, card, key, sending)
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
        found = _Found()
        if job.sending.again or (begun is not None and begun.lost):
            found = await self._find(job)
            if job.key in found.parts:
                return reference(job.place.channel, found.parts[job.key])
        begun = begun if begun is not None and begun.ts else self._left_open(job, found)
        if begun is not None and begun.streaming and begun.shown is not None and len(messages) == 1:
            ended = await self._end_with_the_rest(job, begun)
            if ended:
                return reference(job.place.channel, begun.ts)
        return await self._post_all(job, messages, found, begun)

    async def _post_all(self, job: _Job, messages: Sequence[Drawn], found: _Found, begun: Begun | None) -> str:
        """Post each message of a card that is not there yet; the first takes the place of what was begun."""
        ts = ""
        for number, drawn in enumerate(messages, start=1):
            part = job.key if number == len(messages) else f"{job.key}/{number}"
            if part in found.parts:
                continue
            if begun is not None and begun.ts not in found.parts.values():
                carrier, begun = begun, None
                if await self._take_over(job, carrier, drawn, part):
                    ts = carrier.ts
                    continue
            ts = await self._message(job, drawn, part)
        return reference(job.place.channel, ts)

    def _left_open(self, job: _Job, found: _Found) -> Begun | None:
        """Return the message that a dead process left to be ended."""
        if job.sending.unfinished:
            channel, ts = place_of(job.sending.unfinished)
            return Begun(ts, streaming=False) if channel == job.place.channel else None
        return Begun(found.unfinished, streaming=False) if found.unfinished else None

    async def _end_with_the_rest(self, job: _Job, begun: Begun) -> bool:
        """Stop a stream with what it lacks; False when it shows something else, or cannot be stopped any more."""
        left = unsaid(job.card, begun.shown or "")
        if left is None:
            return False
        text, rest = left
        below = self._drawn(rest)[0].payload()["blocks"] if rest.blocks else []
        chunks = finished(begun.task) + ([{"type": "markdown_text", "text": text}] if text else [])
        arguments = {"ts": begun.ts, "chunks": chunks, "metadata": mark(job.key)} | ({"blocks": below} if below else {})
        try:
            await self._call(job, "chat.stopStream", arguments)
        except Denied as denied:
            if denied.code not in NOT_STREAMING | CONTENT | GONE:
                raise
            return False
        return True

    async def _take_over(self, job: _Job, begun: Begun, drawn: Drawn, part: str) -> bool:
        """Edit what was begun into a message of the card; False when it is gone."""
        try:
            if begun.streaming:
                await self._stop(job.place, begun.ts, priority=job.priority)
            await self._edit(job.place, begun.ts, drawn, priority=job.priority, key=part)
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

    async def _find(self, job: _Job) -> _Found:
        """Read the thread for what an earlier attempt left there; without the right to read, nothing is found."""
        found = _Found()
        at = await self._calls.installed()
        try:
            async for message in self._said_after(job.place):
                if message.get("user") == at.bot_user or message.get("bot_id") == at.bot_id:
                    _look_at(message, job, found)
        except (ScopeMissing, Denied) as why:
            log.warning("Slack: what was posted before cannot be looked up: %s", why)
        return found

    async def _said_after(self, place: Place) -> AsyncIterator[Json]:
        method = "conversations.replies" if place.thread_ts else "conversations.history"
        arguments: Json = {"channel": place.channel, "include_all_metadata": True, "limit": PAGE}
        arguments |= {"ts": place.thread_ts} if place.thread_ts else {}
        arguments |= {"oldest": place.asked_ts} if place.asked_ts else {}
        for _ in range(PAGES):
            page = await self._calls.call(method, arguments, thread=place.line)
            for message in page["messages"]:
                yield message
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
            arguments |= {"cursor": cursor}

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


def _look_at(message: Json, job: _Job, found: _Found) -> None:
    """Note what one of our own messages is to this card."""
    metadata = message.get("metadata") or {}
    payload = metadata.get("event_payload") or {}
    ts, key = str(message["ts"]), str(payload.get("key") or "")
    if metadata.get("event_type") != EVENT_TYPE:
        # Only a stream has no mark before its end. The first one after the question is its answer, whatever else was
        # asked since: nothing is shown of an answer before the earlier ones of its thread are posted.
        if job.place.thread_ts not in {"", ts} and not job.sending.proactive and not found.unfinished:
            found.unfinished = ts
    elif key == job.key and payload.get("unfinished"):
        found.unfinished = ts
    elif key == job.key or key.startswith(f"{job.key}/"):
        found.parts[key] = ts


def _refused_content(refused: Denied | Failing, *, again: bool) -> bool:
    """Return whether plain text may get through where the card did not."""
    if isinstance(refused, Denied) and refused.code in CONTENT:
        log.error("Slack does not take a card: %s; its plain text is sent", refused)
        return True
    return isinstance(refused, Failing) and again
