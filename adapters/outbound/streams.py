"""A text in the making: what there is of it is shown from a task of its own, so that nobody waits for the platform."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Generic, TypeVar

from adapters.outbound.gates import Ambiguous
from adapters.port import Clock, Unavailable, Undeliverable

log = logging.getLogger(__name__)

#: Seconds after which nobody waits for the end of a text any more.
LONGEST_S = 900.0
#: Texts in the making that are remembered; the oldest is given up when nobody ends them.
MANY = 1_000


class LiveText(ABC):
    """Collects a text and shows it again and again; failures only show less of it."""

    #: After these nothing more is tried.
    final: ClassVar[tuple[type[Exception], ...]] = (Undeliverable,)

    def __init__(self, clock: Clock, *, platform: str, after_s: float) -> None:
        self._clock = clock
        self._platform = platform
        self._after_s = after_s
        self._ended = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self._began_at = 0.0
        self._status, self._raw = "", ""  # what there is to show
        self._status_shown, self._shown = "", ""  # and what is shown of it

    async def status(self, text: str) -> None:
        """Replace the status line."""
        self._status = self._line(text)
        self._start()

    async def append(self, markdown: str) -> None:
        """Add to the text shown so far."""
        self._raw += markdown
        self._start()

    def drop(self) -> None:
        """Stop showing at once, whatever is under way."""
        self._ended.set()
        if self._pump is not None:
            self._pump.cancel()

    async def _stopped(self) -> None:
        """Show no more, and wait for what is under way. May be asked again."""
        self._ended.set()
        if self._pump is not None:
            await asyncio.wait({self._pump})
            error = None if self._pump.cancelled() else self._pump.exception()
            if error is not None:
                log.warning("%s: a text could not be shown while it was made", self._platform, exc_info=error)

    @abstractmethod
    def _line(self, text: str) -> str:
        """Return a status line as it is shown."""

    @abstractmethod
    async def _show(self) -> None:
        """Show what there is to show and is not shown yet."""

    @abstractmethod
    def _pause_s(self) -> float:
        """Return the seconds until something may be shown again."""

    @abstractmethod
    def _goes_on_unsure(self) -> bool:
        """Note that no answer came, and return whether it makes sense to show more."""

    def _start(self) -> None:
        if self._pump is None and not self._ended.is_set():
            self._began_at = self._clock.monotonic()
            self._pump = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await self._rest(self._after_s - self._age())
        while not self._ended.is_set() and self._age() < LONGEST_S:
            try:
                await self._show()
            except Ambiguous:
                if not self._goes_on_unsure():
                    return
            except self.final as why:
                log.info("%s: the rest of a text is not shown while it is made: %s", self._platform, why)
                return
            except Unavailable:
                pass
            await self._rest(self._pause_s())

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


T = TypeVar("T", bound=LiveText)


class LiveTexts(Generic[T]):
    """The texts in the making of one process, by their key."""

    def __init__(self) -> None:
        self._texts: dict[str, T] = {}

    def known(self, key: str) -> T | None:
        """Return the text of a key."""
        return self._texts.get(key)

    def others(self, key: str) -> Iterator[T]:
        """Yield the texts of all other keys."""
        return (text for name, text in self._texts.items() if name != key)

    def keep(self, key: str, text: T) -> None:
        """Remember a text, in place of the oldest when there are too many."""
        while len(self._texts) >= MANY:
            self._texts.pop(next(iter(self._texts))).drop()
        self._texts[key] = text

    def forget(self, key: str) -> None:
        """Forget a text: it was ended."""
        self._texts.pop(key, None)

    def drop(self) -> None:
        """Stop showing all of them at once."""
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
