"""Wakes the readers of a place in this process at once, and holds the messages that are still being written.

Nothing here is kept: a reader in another process polls the transcript, and the final `send` of a streamed message is
what counts.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from adapters.cards import Form
from adapters.web.transcript import TranscriptPlace

#: Open event streams of one person, and of all people, in this process.
STREAMS_PER_PERSON, STREAMS = 20, 400


@dataclass
class LiveDraft:
    """A message in the making: its status line and the text so far."""

    key: str
    status: str = ""
    text: str = ""
    version: int = 0


@dataclass(eq=False)
class HubReader:
    """One open page. `wait` returns when something may have changed, or when the time is over."""

    forms: list[Form] = field(default_factory=list)
    gave_way: bool = False  # to a newer one: it ends
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Let `wait` return."""
        self._woken.set()

    async def wait(self, seconds: float) -> None:
        """Wait for `wake`, at most that long; several wakes before it count as one."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()


class Hub:
    """Readers and unfinished messages by place. Of too many open pages, one person's or all, the oldest gives way."""

    def __init__(self, *, streams_per_person: int = STREAMS_PER_PERSON, streams: int = STREAMS) -> None:
        self._per_person, self._in_all = streams_per_person, streams
        self._readers: dict[TranscriptPlace, set[HubReader]] = {}
        self._streams: dict[HubReader, str] = {}  # → person, the oldest first
        self._drafts: dict[TranscriptPlace, dict[str, LiveDraft]] = {}
        self.closing = False

    @contextmanager
    def reading(self, place: TranscriptPlace) -> Iterator[HubReader]:
        """Register a reader for as long as the block lasts."""
        reader = HubReader()
        self._make_room(place.user)
        self._streams[reader] = place.user
        self._readers.setdefault(place, set()).add(reader)
        try:
            yield reader
        finally:
            self._streams.pop(reader, None)
            self._readers[place].discard(reader)
            if not self._readers[place]:
                del self._readers[place]

    def streams(self, person: str) -> int:
        """Return how many pages of a person are followed."""
        return sum(whose == person for whose in self._streams.values())

    def _make_room(self, person: str) -> None:
        own = [reader for reader, whose in self._streams.items() if whose == person]
        oldest = own[:1] if len(own) >= self._per_person else [*self._streams][:1]
        if len(own) < self._per_person and len(self._streams) < self._in_all:
            return
        for reader in oldest:
            del self._streams[reader]
            reader.gave_way = True
            reader.wake()

    def wake(self, place: TranscriptPlace) -> None:
        """Wake every reader of the place."""
        for reader in self._readers.get(place, ()):
            reader.wake()

    def show_form(self, place: TranscriptPlace, form: Form) -> bool:
        """Give a form to the place's readers; False when nobody is there."""
        readers = self._readers.get(place, set())
        for reader in readers:
            reader.forms.append(form)
            reader.wake()
        return bool(readers)

    def open(self, place: TranscriptPlace, key: str) -> LiveDraft:
        """Return the unfinished message of that key, made when new."""
        return self._drafts.setdefault(place, {}).setdefault(key, LiveDraft(key))

    def end(self, place: TranscriptPlace, key: str) -> None:
        """Forget an unfinished message: its final form has been sent."""
        drafts = self._drafts.get(place, {})
        drafts.pop(key, None)
        if not drafts:
            self._drafts.pop(place, None)

    def drafts(self, place: TranscriptPlace) -> tuple[LiveDraft, ...]:
        """Return the unfinished messages of a place."""
        return tuple(self._drafts.get(place, {}).values())

    def close(self) -> None:
        """End every open page's stream, so that the server can stop."""
        self.closing = True
        for place in list(self._readers):
            self.wake(place)
