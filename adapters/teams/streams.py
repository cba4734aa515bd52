"""A message in the making: streamed where the desk is alone with a person, elsewhere a message that is edited.

Teams gives a streamed message two minutes; before they are over it goes on as one that is edited. Whoever posts the
final card ends either.
"""

import logging
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Any

from adapters.markdown.text import shorten
from adapters.outbound.pacing import Priority
from adapters.outbound.streams import LiveText
from adapters.port import Clock, Opened, Unavailable, Undeliverable
from adapters.teams.connector import Connector, Going
from adapters.teams.drawing import growing
from adapters.teams.errors import Denied, StreamOver
from adapters.teams.operations import Operation, Place, delete, edit, post
from adapters.teams.text import line
from adapters.teams.words import TeamsWords

log = logging.getLogger(__name__)

#: Seconds after which a stream becomes a message that is edited: Teams ends it after 120.
ROLL_OVER_S = 110.0
#: Seconds between two pieces of a stream, and between two edits.
PIECES_S, EDITS_S = 1.5, 3.0
STATUS_MAX = 200
_PIECE = Going(Priority.PIECE, patience_s=0.0)

Json = dict[str, Any]


class State(Enum):
    """What people see of a text in the making."""

    NOTHING = "nothing"
    STREAMING = "streaming"
    EDITED = "edited"


@dataclass(frozen=True)
class Begun:
    """What is left to be ended: a message, whether it still streams, and the text that its end has to begin with."""

    message: str
    streaming: bool
    shown: str = ""


def stream_info(kind: str, stream: str, *, sequence: int = 0) -> Json:
    """Return the entity that makes an activity a part of a stream; the first part has no stream yet."""
    numbered = {"streamSequence": sequence} if sequence else {}
    return {"type": "streaminfo", "streamType": kind} | numbered | ({"streamId": stream} if stream else {})


def ended(activity: Json, stream: str) -> Json:
    """Return an activity as the end of a stream; its text is never empty, and begins with what was streamed."""
    return activity | {"entities": [*activity.get("entities", ()), stream_info("final", stream)]}


class TeamsStream(LiveText):
    """Shows a text while it is made."""

    def __init__(
        self,
        connector: Connector,
        clock: Clock,
        place: Place,
        *,
        alone: bool,
        after_s: float,
        words: TeamsWords,
        opened: Opened | None,
    ) -> None:
        super().__init__(clock, platform="Teams", after_s=after_s)
        self.place = place
        self._connector = connector
        self._streams = alone
        self._words = words
        self._opened = opened
        self._opened_at = 0.0
        self._sequence = 0
        self._state = State.NOTHING
        self._message = ""
        self._tried = ""  # what a piece whose answer is lost may have shown

    async def close(self, *, keep: bool) -> None:
        """Show no more; without `keep`, take away what people see."""
        begun = await self.end()
        if keep or begun is None:
            return
        try:
            if begun.streaming:
                await self._connector.call(post(self.place, self._end_of_stream()))
                self._state = State.EDITED
            await self._connector.call(delete(self.place, begun.message))
        except Denied as denied:
            if denied.status != HTTPStatus.NOT_FOUND:
                await self._connector.call(edit(self.place, begun.message, said(self._words.see_chat)))
        self._message = ""

    async def end(self) -> Begun | None:
        """Show no more and return what is to be ended; None when nobody saw anything. May be asked again."""
        await self._stopped()
        return Begun(self._message, self._state is State.STREAMING, self._shown) if self._message else None

    def _line(self, text: str) -> str:
        return shorten(line(text), STATUS_MAX)

    async def _run(self) -> None:
        if not self._streams:  # where the parts of a stream are, they say so themselves
            await self._type()
        await super()._run()

    def _pause_s(self) -> float:
        return PIECES_S if self._state is State.STREAMING else EDITS_S

    def _goes_on_unsure(self) -> bool:
        """Without its id a message cannot be found again: the final post will stand beside it."""
        self._sequence += 1
        self._shown = self._tried
        return bool(self._message)

    async def _show(self) -> None:
        try:
            match self._state:
                case State.NOTHING:
                    await self._open()
                case State.STREAMING if self._clock.monotonic() - self._opened_at >= ROLL_OVER_S:
                    await self._roll_over()
                case State.STREAMING:
                    await self._show_piece()
                case State.EDITED:
                    await self._edit()
        except StreamOver:
            if self._message:  # the person has seen enough, or the time is up: what comes is an edit
                self._state = State.EDITED
                raise
            self._streams = False

    async def _open(self) -> None:
        text = growing(self._raw)
        self._opened_at = self._clock.monotonic()
        told = await self._call(post(self.place, self._piece(text) if self._streams else self._as_message(text)))
        self._state = State.STREAMING if self._streams else State.EDITED
        self._message = str(told.get("id") or "")
        self._note(text)
        if self._opened is not None and self._message:
            await self._opened(self.place.reference(self._message))

    async def _show_piece(self) -> None:
        text = growing(self._raw)
        if self._shown.startswith(text):  # nothing to add; while there is no text, the status line may change
            if text or self._shown or self._status == self._status_shown:
                return
        elif not text.startswith(self._shown):  # what came later changes how the beginning is read
            await self._roll_over()
            return
        self._tried = text
        await self._call(post(self.place, self._piece(text)))
        self._note(text)

    async def _roll_over(self) -> None:
        await self._call(post(self.place, self._end_of_stream()))
        self._state = State.EDITED

    async def _edit(self) -> None:
        text = growing(self._raw)
        if text != self._shown or self._status != self._status_shown:
            await self._call(edit(self.place, self._message, self._as_message(text)))
            self._note(text)

    async def _type(self) -> None:
        try:
            await self._call(post(self.place, {"type": "typing"}))
        except (Unavailable, Undeliverable) as why:
            log.debug("Teams: nobody sees that an answer is being made: %s", why)

    async def _call(self, operation: Operation) -> Any:
        return await self._connector.call(operation, _PIECE)

    def _note(self, text: str) -> None:
        self._sequence += 1
        self._shown, self._status_shown = text, self._status

    def _piece(self, text: str) -> Json:
        """Return the next part of the stream: the whole text so far, or the status line while there is none."""
        kind, shown = ("streaming", text) if text else ("informative", self._status)
        info = stream_info(kind, self._message, sequence=self._sequence + 1)
        return {"type": "typing", "text": shown or self._words.working, "entities": [info]}

    def _end_of_stream(self) -> Json:
        """Return the end of the stream with what it shows already."""
        return ended(said(self._shown or self._status_shown or self._words.working), self._message)

    def _as_message(self, text: str) -> Json:
        """Return a message that shows what there is so far."""
        status = self._status or ("" if text else self._words.working)
        return said("\n\n".join(part for part in (text, status) if part))


def said(text: str) -> Json:
    """Return a message of a text in Markdown."""
    return {"type": "message", "textFormat": "markdown", "text": text}
