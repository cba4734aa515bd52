"""A message in the making: shown from a task of its own, so that nobody waits for the platform.

Opened when there is time to see it; as a stream where the platform has one, which before its time is up goes on as a
message that is edited. Whoever posts the final card ends either (`posting`). Failures only show less of it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Generic

from adapters.outbound.calling import PIECE
from adapters.outbound.errors import CallDenied, OutcomeUnknown, PlaceClosed, ScopeMissing, StreamOver, Vanished
from adapters.outbound.wire import Begun, P, Wire
from adapters.port import ChatClock, Opened, Unavailable, Undeliverable

log = logging.getLogger(__name__)

#: Seconds after which nobody waits for the end of a text any more.
LONGEST_S = 900.0
#: Texts in the making that are remembered; the oldest is given up when nobody ends them.
MANY = 1_000


class LiveText(Generic[P]):
    """Collects a text and shows it again and again. `after_s` are the seconds after which it is first shown."""

    def __init__(
        self, wire: Wire[P], clock: ChatClock, place: P, *, key: str, after_s: float, opened: Opened | None = None
    ) -> None:
        self.place = place
        self._wire = wire
        self._clock = clock
        self._key = key
        self._after_s = after_s
        self._opened = opened
        self._streams = True
        self._ended = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self._began_at = self._opened_at = 0.0
        self._status, self._raw = "", ""  # what there is to show
        self._tried = ""  # what a piece whose answer is lost may have shown
        self._begun = Begun()

    @property
    def message(self) -> str:
        """Return the message that people see, "" while there is none."""
        return self._begun.message

    async def status(self, text: str) -> None:
        """Replace the status line."""
        self._status = text
        self._start()

    async def append(self, markdown: str) -> None:
        """Add to the text shown so far."""
        self._raw += markdown
        self._start()

    def drop(self) -> None:
        """End the stream at once, whatever is under way."""
        self._ended.set()
        if self._pump is not None:
            self._pump.cancel()

    async def end(self) -> Begun | None:
        """Show no more and return what is to be ended; None when nobody saw anything. May be asked again."""
        self._ended.set()
        if self._pump is not None:
            await asyncio.wait({self._pump})
            error = None if self._pump.cancelled() else self._pump.exception()
            if error is not None:
                log.warning("%s: a text could not be shown while it was made", self._wire.platform, exc_info=error)
        return self._begun if self._begun.message or self._begun.lost else None

    async def close(self, *, keep: bool) -> None:
        """Show no more; without `keep`, take away what people see."""
        begun = await self.end()
        if keep or begun is None or not begun.message:
            return
        try:
            if begun.streaming:
                with contextlib.suppress(StreamOver, Vanished):
                    await self._wire.end(self.place, begun, key=self._key)
                self._begun = replace(begun, streaming=False)
            await self._wire.delete(self.place, begun.message)
        except (PlaceClosed, StreamOver, Vanished):
            pass
        except CallDenied:
            await self._wire.edit(self.place, begun.message, self._wire.unfinished("", self._wire.elsewhere))
        self._begun = Begun()

    def _start(self) -> None:
        if self._pump is None and not self._ended.is_set():
            self._began_at = self._clock.monotonic()
            self._pump = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._wire.signal(self.place, self._status)
        except (Unavailable, Undeliverable) as why:
            log.debug("%s: nobody sees that an answer is being made: %s", self._wire.platform, why)
        await self._rest(self._after_s - self._age())
        while not self._ended.is_set() and self._age() < LONGEST_S:
            try:
                await self._show()
            except OutcomeUnknown:
                if not self._goes_on_unsure():
                    return
            except (Undeliverable, ScopeMissing) as why:
                log.info("%s: the rest of a text is not shown while it is made: %s", self._wire.platform, why)
                return
            except Unavailable:
                pass
            await self._rest(self._wire.tempo.pieces_s if self._begun.streaming else self._wire.tempo.edits_s)

    async def _show(self) -> None:
        """Show what there is to show and is not shown yet."""
        begun, text, status = self._begun, self._wire.growing(self._raw), self._status
        try:
            if not begun.message:
                await self._open(text, status)
            elif begun.streaming and self._has_to_roll_over(text):
                await self._wire.end(self.place, begun, key=self._key, going=PIECE)
                self._begun = replace(begun, streaming=False)
            elif begun.streaming:
                if not begun.shown.startswith(text) or self._status_counts(text):
                    self._tried = text
                    await self._wire.stream(self.place, begun, text, status)
                    self._note(text, status)
            elif (text, status) != (begun.shown, begun.status):
                payload = self._wire.unfinished(text, status)
                await self._wire.edit(self.place, begun.message, payload, key=self._key, going=PIECE, unfinished=True)
                self._note(text, status)
        except StreamOver:  # somebody ended it, or its time is up: what comes is an edit
            self._begun = replace(begun, streaming=False, lost=True)
            raise

    async def _open(self, text: str, status: str) -> None:
        """Begin a stream, else a message that is edited."""
        message = ""
        if self._streams:
            try:
                message = await self._wire.stream(self.place, Begun(), text, status)
            except StreamOver:
                self._streams = False
        if not self._streams:
            payload = self._wire.unfinished(text, status)
            message = await self._wire.post(self.place, payload, key=self._key, going=PIECE, unfinished=True)
        self._opened_at = self._clock.monotonic()
        self._begun = replace(self._begun, message=message, streaming=self._streams)
        self._note(text, status)
        if self._opened is not None:
            await self._opened(self.place.reference(message))

    def _has_to_roll_over(self, text: str) -> bool:
        """Return whether the stream's time is nearly up, or the text does not go on from what it shows."""
        shown = self._begun.shown
        unlike = not (text.startswith(shown) or shown.startswith(text))
        return (
            unlike or not self._begun.certain or self._clock.monotonic() - self._opened_at >= self._wire.tempo.stream_s
        )

    def _status_counts(self, text: str) -> bool:
        """Return whether the status line of a stream is to be shown: where pieces hold the whole text, alone."""
        beside = not self._wire.cumulative or not (text or self._begun.shown)
        return beside and self._status != self._begun.status

    def _note(self, text: str, status: str) -> None:
        self._begun = replace(self._begun, shown=text, status=status, pieces=self._begun.pieces + 1)

    def _goes_on_unsure(self) -> bool:
        """Note that no answer came, and return whether it makes sense to show more."""
        begun = self._begun
        if not begun.message:  # the final post looks for it
            self._begun = replace(begun, lost=True)
            return False
        if begun.streaming:
            shown = self._tried if self._wire.cumulative else begun.shown
            self._begun = replace(begun, shown=shown, pieces=begun.pieces + 1, certain=self._wire.cumulative)
        return True

    async def _rest(self, seconds: float) -> None:
        """Wait by the clock, or until the end."""
        waiting = [
            asyncio.ensure_future(self._clock.sleep(max(0.0, seconds))),
            asyncio.ensure_future(self._ended.wait()),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()

    def _age(self) -> float:
        return self._clock.monotonic() - self._began_at


class LiveTexts(Generic[P]):
    """The texts in the making of one process, by their key."""

    def __init__(self) -> None:
        self._texts: dict[str, LiveText[P]] = {}

    def known(self, key: str) -> LiveText[P] | None:
        """Return the text of a key."""
        return self._texts.get(key)

    def others(self, key: str) -> Iterator[LiveText[P]]:
        """Yield the texts of all other keys."""
        return (text for name, text in self._texts.items() if name != key)

    def keep(self, key: str, text: LiveText[P]) -> None:
        """Remember a text, in place of the oldest when there are too many."""
        while len(self._texts) >= MANY:
            self._texts.pop(next(iter(self._texts))).drop()
        self._texts[key] = text

    def forget(self, key: str) -> None:
        """Forget a text: it was ended."""
        self._texts.pop(key, None)

    def drop(self) -> None:
        """End all of them at once."""
        for text in self._texts.values():
            text.drop()
        self._texts.clear()


class Unseen:
    """The text in the making of a place where none can be shown."""

    async def status(self, text: str) -> None:
        """Show nothing."""

    async def append(self, markdown: str) -> None:
        """Show nothing."""

    async def close(self, *, keep: bool) -> None:
        """Show nothing."""
