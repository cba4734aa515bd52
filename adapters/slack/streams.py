"""A message in the making: opened when there is time to see it, ended by whoever posts the final card.

`chat.startStream` is rare (20 a minute), and Slack closes a stream after about five minutes: in both cases the text
goes on as a message that is edited.
"""

import logging
from enum import Enum
from typing import Any

from adapters.markdown.text import settled, shorten, size
from adapters.outbound.pacing import Priority, Spot
from adapters.outbound.streams import LiveText
from adapters.port import Clock, Opened, Unavailable, Undeliverable
from adapters.slack.address import reference
from adapters.slack.calls import Calls
from adapters.slack.errors import GONE, NOT_STREAMING, Denied, ScopeMissing
from adapters.slack.places import TASK, Begun, Json, Place, finished, mark
from adapters.slack.text import markdown, plain

log = logging.getLogger(__name__)

#: Seconds after which a stream becomes a message that is edited: Slack ends it after about 300.
ROLL_OVER_S = 240.0
#: Seconds between two pieces of a stream, and between two edits.
PIECES_S, EDITS_S = 1.0, 3.0
#: What people see of a text before its end stays below every limit of one message.
LONGEST_TEXT = 9_000
STATUS_MAX = 200


class State(Enum):
    """What people see of a text in the making."""

    NOTHING = "nothing"
    STREAMING = "streaming"
    EDITED = "edited"


class SlackStream(LiveText):
    """Shows a text as a stream, else as a message that is edited."""

    final = (Undeliverable, ScopeMissing)

    def __init__(
        self,
        calls: Calls,
        clock: Clock,
        place: Place,
        *,
        key: str,
        after_s: float,
        opened: Opened | None,
    ) -> None:
        super().__init__(clock, platform="Slack", after_s=after_s)
        self._calls = calls
        self._place = place
        self._key = key
        self._opened = opened
        self._opened_at = 0.0
        self._state = State.NOTHING
        self._ts = ""
        self._certain = True
        self._lost = False

    @property
    def ts(self) -> str:
        """Return the message that people see, "" while there is none."""
        return self._ts

    async def close(self, *, keep: bool) -> None:
        """Show no more; without `keep`, take away what people see."""
        begun = await self.end()
        if keep or begun is None or not begun.ts:
            return
        for method in ("chat.stopStream", "chat.delete") if begun.streaming else ("chat.delete",):
            try:
                await self._calls.call(method, self._where() | {"ts": begun.ts}, thread=self._place.line)
            except Denied as denied:
                if denied.code not in NOT_STREAMING | GONE:
                    raise
        self._ts = ""

    async def end(self) -> Begun | None:
        """Show no more and return what is to be ended; None when nobody saw anything. May be asked again."""
        await self._stopped()
        if not self._ts and not self._lost:
            return None
        shown = self._shown if self._certain else None
        streaming = self._state is State.STREAMING
        return Begun(self._ts, streaming, shown=shown, task=self._status_shown, lost=self._lost)

    def _line(self, text: str) -> str:
        return shorten(plain(text), STATUS_MAX)

    async def _run(self) -> None:
        if self._place.direct and self._status:
            await self._set_status()
        await super()._run()

    def _pause_s(self) -> float:
        return PIECES_S if self._state is State.STREAMING else EDITS_S

    def _goes_on_unsure(self) -> bool:
        """Without a `ts`, nobody knows whether it was opened: the final post looks for it."""
        self._certain = False
        self._lost = self._lost or not self._ts
        return bool(self._ts)

    async def _show(self) -> None:
        match self._state:
            case State.NOTHING:
                await self._open()
            case State.STREAMING if self._streamed_s() >= ROLL_OVER_S or not self._certain:
                await self._roll_over()
            case State.STREAMING:
                await self._append()
            case State.EDITED:
                await self._edit()

    async def _open(self) -> None:
        """Begin a stream while few are begun, else a message that is edited, else nothing: the final post is enough."""
        if self._has_room("chat.startStream", "chat.stopStream"):
            said = self._next_text()
            arguments = self._where() | {"thread_ts": self._place.thread_ts, "chunks": self._chunks(said)}
            if not self._place.direct:
                arguments |= {"recipient_user_id": self._place.user, "recipient_team_id": self._place.user_team}
            self._opened_at = self._clock.monotonic()
            told = await self._call("chat.startStream", arguments)
            self._state = State.STREAMING
        elif self._has_room("chat.postMessage", "chat.update"):
            said = self._next_text()
            told = await self._call("chat.postMessage", self._where() | self._as_message(said))
            self._state = State.EDITED
        else:
            return
        self._note(said)
        self._ts = str(told["ts"])
        if self._opened is not None:
            await self._opened(reference(self._place.channel, self._ts))

    async def _append(self) -> None:
        said = self._next_text()
        chunks = self._chunks(said)
        if chunks:
            await self._call("chat.appendStream", self._where() | {"ts": self._ts, "chunks": chunks})
            self._note(said)

    async def _roll_over(self) -> None:
        chunks, metadata = finished(self._status_shown), mark(self._key, unfinished=True)
        try:
            await self._call(
                "chat.stopStream", self._where() | {"ts": self._ts, "chunks": chunks, "metadata": metadata}
            )
        except Denied as denied:
            if denied.code not in NOT_STREAMING:
                raise
        self._state = State.EDITED

    async def _edit(self) -> None:
        said = self._next_text()
        if said == self._shown and self._status == self._status_shown:
            return
        if not await self._is_unfinished():
            self._ended.set()
            return
        await self._call("chat.update", self._where() | {"ts": self._ts} | self._as_message(said))
        self._note(said)

    async def _is_unfinished(self) -> bool:
        """Return whether the message still waits for its end: another process may have posted the final card."""
        window = {"oldest": self._ts, "latest": self._ts, "inclusive": True, "include_all_metadata": True}
        told = await self._call("conversations.replies", self._where() | window | {"ts": self._place.thread_ts})
        shown = [message for message in told["messages"] if message["ts"] == self._ts]
        metadata = (shown[0].get("metadata") or {}) if shown else {}
        return bool((metadata.get("event_payload") or {}).get("unfinished"))

    async def _set_status(self) -> None:
        arguments = {"channel_id": self._place.channel, "thread_ts": self._place.thread_ts, "status": self._status}
        try:
            await self._call("assistant.threads.setStatus", arguments)
        except (Unavailable, Undeliverable) as why:
            log.debug("Slack: no status is shown: %s", why)

    async def _call(self, method: str, arguments: Json) -> Any:
        return await self._calls.call(
            method, arguments, priority=Priority.PIECE, thread=self._place.line, patience_s=0.0
        )

    def _streamed_s(self) -> float:
        return self._clock.monotonic() - self._opened_at

    def _has_room(self, *methods: str) -> bool:
        spots = (Spot(method, self._place.channel, Priority.PIECE) for method in methods)
        return all(self._calls.pacing.ready_in(spot) <= 0 for spot in spots)

    def _where(self) -> Json:
        return {"channel": self._place.channel}

    def _next_text(self) -> str:
        """Return as much of the text as can be shown without being taken back."""
        ready = settled(self._raw)
        return ready if size(ready) <= LONGEST_TEXT else self._shown

    def _note(self, said: str) -> None:
        self._shown, self._status_shown = said, self._status

    def _chunks(self, said: str) -> list[Json]:
        """Return what a stream does not show yet."""
        before, now = markdown(self._shown), markdown(said)
        self._certain = self._certain and now.startswith(before)
        added = now[len(before) :] if self._certain else ""
        status = self._status if self._status != self._status_shown else ""
        task = {"type": "task_update", "id": TASK, "title": status, "status": "in_progress"}
        return ([task] if status else []) + ([{"type": "markdown_text", "text": added}] if added else [])

    def _as_message(self, said: str) -> Json:
        """Return the arguments of a message that shows what there is so far."""
        text = [{"type": "markdown", "text": markdown(said)}] if said.strip() else []
        line = {"type": "context", "elements": [{"type": "plain_text", "text": self._status or "…"}]}
        blocks: list[Json] = [*text, line]
        thread = {"thread_ts": self._place.thread_ts} if not self._ts else {}
        return {"blocks": blocks, "text": self._status or "…", "metadata": mark(self._key, unfinished=True)} | thread
