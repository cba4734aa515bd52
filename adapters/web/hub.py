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
    """Readers and unfinished messages by place."""

    def __init__(self) -> None:
        self._readers: dict[TranscriptPlace, set[HubReader]] = {}
        self._drafts: dict[TranscriptPlace, dict[str, LiveDraft]] = {}
        self.closing = False

    @contextmanager
    def reading(self, place: TranscriptPlace) -> Iterator[HubReader]:
        """Register a reader for as long as the block lasts."""
        reader = HubReader()
        self._readers.setdefault(place, set()).add(reader)
        try:
            yield reader
        finally:
            self._readers[place].discard(reader)
            if not self._readers[place]:
                del self._readers[place]

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
