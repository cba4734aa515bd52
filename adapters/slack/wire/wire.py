"""Slack behind the pipeline: messages carry the outbox's key as metadata, by which they are found again.

`chat.startStream` is rare (20 a minute), and Slack closes a stream after about five minutes: in both cases the text
goes on as a message that is edited.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.cards import Card
from adapters.markdown.text import fit, settled, shorten
from adapters.outbound.calling import NOW, Going
from adapters.outbound.errors import CallDenied, ContentRefused, ScopeMissing, StreamOver
from adapters.outbound.pacing import PostPriority, Spot
from adapters.outbound.packing import Shortening
from adapters.outbound.recent import Recent
from adapters.outbound.wire import Begun, FoundParts, Payload, Tempo
from adapters.port import ChatClock, Unavailable
from adapters.slack.address import SlackAddress, place_of, reference
from adapters.slack.config import SlackConfig
from adapters.slack.drawing.blocks import SlackDrawn, draw, unsaid
from adapters.slack.drawing.text import markdown, plain
from adapters.slack.wire.client import SlackCalls
from adapters.slack.wire.errors import STILL_STREAMING
from adapters.slack.words import WordsFor

log = logging.getLogger(__name__)

#: Slack ends a stream after about 300 seconds.
TEMPO = Tempo(stream_s=240.0, pieces_s=1.0, edits_s=3.0)
#: What people see of a text before its end stays below every limit of one message.
LONGEST_TEXT = 9_000
STATUS_MAX = 200
#: A direct conversation keeps its id.
DIRECT_S = 86_400.0
#: Pages of a thread that are read, and messages on each.
PAGES, PAGE = 5, 200
#: Of the metadata of every message; the key in it is the outbox's.
EVENT_TYPE = "dutydesk_post"
#: The status line of a stream.
TASK = "work"

Json = dict[str, Any]
#: How every message is sent: nothing in it is looked up or turned into a mention by Slack.
_QUIET: Json = {"parse": "none", "link_names": False}
_UNFURLED: Json = {"unfurl_links": False, "unfurl_media": False}


@dataclass(frozen=True)
class SlackPlace:
    """Where a text is shown, and to whom; `thread_ts` "" is the conversation itself."""

    channel: str
    thread_ts: str = ""
    asked_ts: str = ""
    user: str = ""
    user_team: str = ""

    @classmethod
    def of(cls, to: SlackAddress) -> "SlackPlace":
        """Return where an address posts; without a channel, the direct messages have to be opened first."""
        return cls(to.channel, to.thread_ts, to.message_ts, to.user, to.user_team or to.team)

    @property
    def line(self) -> str:
        """Return the name under which calls of this thread keep their order."""
        return f"{self.channel}:{self.thread_ts}"

    @property
    def direct(self) -> bool:
        """Return whether this is a direct message."""
        return self.channel.startswith("D")

    def reference(self, message: str) -> str:
        """Return how a message is known outside the adapter."""
        return reference(self.channel, message)

    def message(self, reference: str) -> str:
        """Return the `ts` of a message by its reference, "" when it stands somewhere else."""
        channel, ts = place_of(reference)
        return ts if channel == self.channel else ""

    @property
    def thread(self) -> Json:
        """Return the argument that puts a message into the thread."""
        return {"thread_ts": self.thread_ts} if self.thread_ts else {}


class SlackWire:
    """Posts, edits, streams and finds messages of one workspace."""

    platform = "Slack"
    tempo = TEMPO
    cumulative = False

    def __init__(self, calls: SlackCalls, clock: ChatClock, config: SlackConfig, words_for: WordsFor) -> None:
        self.elsewhere = words_for(config.language).see_direct_message
        self._calls = calls
        self._words_for = words_for
        self._direct: Recent[str, str] = Recent(clock, seconds=DIRECT_S)

    def draw(self, card: Card, *, messages: int = 3) -> Sequence[SlackDrawn]:
        """Return a card as one to so many messages."""
        return draw(card, Shortening(self._words_for(card.language).shortened), messages=messages)

    def growing(self, markdown_so_far: str) -> str:
        """Return as much of a text as can be shown without being taken back."""
        return markdown(settled(markdown_so_far[: fit(markdown_so_far, LONGEST_TEXT)]))

    def unfinished(self, text: str, status: str) -> Payload:
        """Return a message that shows what there is so far."""
        said = _status(status) or "…"
        line = {"type": "context", "elements": [{"type": "plain_text", "text": said}]}
        return {"blocks": [*([{"type": "markdown", "text": text}] if text.strip() else []), line], "text": said}

    async def post(
        self, place: SlackPlace, payload: Payload, *, key: str, going: Going = NOW, unfinished: bool = False
    ) -> str:
        """Return the `ts` of a new message."""
        if unfinished and not self._has_room(place, "chat.postMessage", "chat.update"):
            raise Unavailable("a text in the making could not be edited", retry_after_s=TEMPO.edits_s)
        marked = {"metadata": _mark(key, unfinished=unfinished)}
        told = await self._call("chat.postMessage", place, _QUIET | _UNFURLED | place.thread | marked | payload, going)
        return str(told["ts"])

    async def edit(
        self,
        place: SlackPlace,
        message: str,
        payload: Payload,
        *,
        key: str = "",
        going: Going = NOW,
        unfinished: bool = False,
    ) -> None:
        """Put another message in the place of one; whatever still streams there is ended."""
        if unfinished and not await self._is_unfinished(place, message, going):
            raise StreamOver("chat.update", "ended by somebody else")
        metadata = {"metadata": _mark(key, unfinished=unfinished)} if key else {}
        arguments = _QUIET | {"ts": message, "blocks": []} | metadata | payload
        line = place.line if key else f"{place.channel}:{message}"
        try:
            await self._call("chat.update", place, arguments, going, line=line)
        except CallDenied as denied:
            if denied.code != STILL_STREAMING:
                raise
            await self._stop(place, message, going)
            await self._call("chat.update", place, arguments, going, line=line)

    async def stream(self, place: SlackPlace, begun: Begun, text: str, status: str) -> str:
        """Begin a stream or add to it; none is begun while many are."""
        title = _status(status) if status != begun.status else ""
        task = [_task(title, "in_progress")] if title else []
        added = text[len(begun.shown) :]
        arguments: Json = {"chunks": task + ([{"type": "markdown_text", "text": added}] if added else [])}
        going = Going(PostPriority.PIECE, patience_s=0.0)
        if begun.message:
            await self._call("chat.appendStream", place, {"ts": begun.message} | arguments, going)
            return begun.message
        if not self._has_room(place, "chat.startStream", "chat.stopStream"):
            raise StreamOver("chat.startStream", "no room")
        if not place.direct:
            arguments |= {"recipient_user_id": place.user, "recipient_team_id": place.user_team}
        told = await self._call("chat.startStream", place, place.thread | arguments, going)
        return str(told["ts"])

    async def end(
        self, place: SlackPlace, begun: Begun, card: Card | None = None, *, key: str, going: Going = NOW
    ) -> bool:
        """Stop a stream: with what it lacks of a card of one message where it shows the beginning for certain."""
        if begun.streaming is None:
            return False  # an edit of it says whether it still streams
        whole = card is not None and begun.certain and len(self.draw(card)) == 1
        left = unsaid(card, begun.shown) if card is not None and whole else None
        text, rest = left or ("", None)
        below = self.draw(rest)[0].payload()["blocks"] if rest is not None and rest.blocks else []
        chunks = [_task(_status(begun.status), "complete")] if begun.status else []
        chunks += [{"type": "markdown_text", "text": text}] if text else []
        arguments = {"ts": begun.message, "chunks": chunks} | ({"blocks": below} if below else {})
        marked = {"metadata": _mark(key, unfinished=left is None)}
        try:
            await self._call("chat.stopStream", place, arguments | marked, going)
        except ContentRefused:
            return False
        return left is not None

    async def delete(self, place: SlackPlace, message: str, *, going: Going = NOW) -> None:
        """Take a message away."""
        await self._call("chat.delete", place, {"ts": message}, going)

    async def find(self, place: SlackPlace, key: str, *, adopts: bool, others: frozenset[str]) -> FoundParts:
        """Return what a thread holds of a card; without the right to read, nothing is found."""
        found = FoundParts(taken=set(others))
        at = await self._calls.installed()
        try:
            async for message in self._said_after(place):
                if message.get("user") == at.bot_user or message.get("bot_id") == at.bot_id:
                    _look_at(message, key, found, adopts=adopts and place.thread_ts not in {"", message["ts"]})
        except (ScopeMissing, CallDenied) as why:
            log.warning("Slack: what was posted before cannot be looked up: %s", why)
        return found

    async def direct(self, place: SlackPlace) -> SlackPlace:
        """Return the direct conversation with the person of a place."""

        async def open_it() -> str:
            told = await self._calls.call("conversations.open", {"users": place.user})
            return str(told["channel"]["id"])

        channel = await self._direct.get(place.user, open_it)
        return replace(place, channel=channel, thread_ts="")

    async def signal(self, place: SlackPlace, status: str) -> None:
        """Show the status of the assistant in direct messages."""
        if place.direct and status:
            arguments = {"channel_id": place.channel, "thread_ts": place.thread_ts, "status": _status(status)}
            going = Going(PostPriority.PIECE, patience_s=0.0)
            await self._calls.call("assistant.threads.setStatus", arguments, going=going, line=place.line)

    async def whisper(self, place: SlackPlace, payload: Payload) -> str:
        """Show a message to the person of a place alone; return its `ts`.

        Below what begins a thread it stands in the channel: Slack shows it in a thread only where somebody has replied.
        """
        thread = {} if place.asked_ts == place.thread_ts else place.thread
        arguments = _QUIET | thread | {"user": place.user} | payload
        told = await self._call("chat.postEphemeral", place, arguments, NOW)
        return str(told["message_ts"])

    async def _call(
        self, method: str, place: SlackPlace, arguments: Payload, going: Going, *, line: str = ""
    ) -> Mapping[str, Any]:
        given = {"channel": place.channel, **arguments}
        return await self._calls.call(method, given, going=going, line=line or place.line)

    def _has_room(self, place: SlackPlace, *methods: str) -> bool:
        spots = (Spot(method, place.channel, PostPriority.PIECE) for method in methods)
        return all(self._calls.pacing.ready_in(spot) <= 0 for spot in spots)

    async def _stop(self, place: SlackPlace, message: str, going: Going) -> None:
        with contextlib.suppress(StreamOver):
            await self._call("chat.stopStream", place, {"ts": message}, going)

    async def _is_unfinished(self, place: SlackPlace, message: str, going: Going) -> bool:
        """Return whether a message still waits for its end: another process may have posted the final card."""
        window = {"oldest": message, "latest": message, "inclusive": True, "include_all_metadata": True}
        told = await self._call("conversations.replies", place, window | {"ts": place.thread_ts}, going)
        shown = [each for each in told["messages"] if each["ts"] == message]
        metadata = (shown[0].get("metadata") or {}) if shown else {}
        return bool((metadata.get("event_payload") or {}).get("unfinished"))

    async def _said_after(self, place: SlackPlace) -> AsyncIterator[Json]:
        method = "conversations.replies" if place.thread_ts else "conversations.history"
        arguments: Json = {"include_all_metadata": True, "limit": PAGE}
        arguments |= {"ts": place.thread_ts} if place.thread_ts else {}
        arguments |= {"oldest": place.asked_ts} if place.asked_ts else {}
        for _ in range(PAGES):
            page = await self._call(method, place, arguments, NOW)
            for message in page["messages"]:
                yield message
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
            arguments |= {"cursor": cursor}


def _status(text: str) -> str:
    return shorten(plain(text), STATUS_MAX)


def _task(title: str, status: str) -> Json:
    return {"type": "task_update", "id": TASK, "title": title, "status": status}


def _mark(key: str, *, unfinished: bool = False) -> Json:
    """Return the metadata by which a post is found again."""
    return {"event_type": EVENT_TYPE, "event_payload": {"key": key} | ({"unfinished": True} if unfinished else {})}


def _look_at(message: Json, key: str, found: FoundParts, *, adopts: bool) -> None:
    """Note what one of our own messages is to the card of a key."""
    metadata = message.get("metadata") or {}
    payload = metadata.get("event_payload") or {}
    ts, marked = str(message["ts"]), str(payload.get("key") or "")
    if metadata.get("event_type") != EVENT_TYPE:
        # Only a stream has no mark before its end. The first one after the question is its answer, whatever else was
        # asked since: nothing is shown of an answer before the earlier ones of its thread are posted.
        if adopts and ts not in found.taken and not found.unfinished:
            found.unfinished = ts
    elif marked == key and payload.get("unfinished"):
        found.unfinished = ts
    else:
        found.taken.add(ts)
        if marked == key or marked.startswith(f"{key}/"):
            found.parts[marked] = ts
