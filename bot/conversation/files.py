"""Files that come with a message: fetched, read for its thread alone, and what is said of each."""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from adapters.cards import Block, Note, Text
from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.port import Chat, TooLarge, Unavailable, Undeliverable
from bot.delivery.events import event_key
from bot.rendering.texts.catalogue import say
from bot.settings import LimitSettings
from features.anatomy.reader import Reader
from identity.actor import Actor
from search.config import UploadConfig
from search.errors import FileUnreadable, IndexUnavailable, Reason
from search.parsing.converted import kind_of
from search.uploads.thread_files import TakenIn, ThreadFiles
from storage.clock import Clock
from storage.database import Database
from storage.queue import work
from storage.throttle import Throttle

log = logging.getLogger(__name__)

#: Files of one message that are read.
MOST = 10
#: After this share of the time for an answer no further file of its message is begun, so that the others are told of.
SHARE = 1 / 3
#: Files that are held in memory at once.
_AT_ONCE = 2
#: How long a platform that does not hand out a file is asked again, before that is said.
PATIENCE = timedelta(minutes=2)
#: Seconds after which an index that is away is told again what was taken back.
_AGAIN_S = 10.0
_DAY_S = 86_400


@dataclass(frozen=True)
class Received:
    """What is said of a message's files. `read`: something can be asked about now."""

    blocks: tuple[Block, ...] = ()
    read: bool = False


class Files:
    """Takes in what people send; a platform that is away raises `Unavailable`, and the message waits for it."""

    def __init__(
        self,
        thread_files: ThreadFiles,
        clock: Clock,
        *,
        database: Database,
        chats: Mapping[str, Chat],
        config: UploadConfig,
        throttle: Throttle,
        limits: LimitSettings,
    ) -> None:
        self._thread_files = thread_files
        self._database = database
        self._clock = clock
        self._chats = chats
        self._config = config
        self._throttle = throttle
        self._limits = limits
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def take_in(self, actor: Actor, event: Message, reader: Reader) -> Received:
        """Read the files of a message, one after the other; those of one that was taken away since are left alone."""
        async with self._database.reading() as session:
            gone = withdrawal_of(event.event_id)
            if await work.is_known(session, key=event_key(event.account.platform, gone)):
                return Received()
        until = self._clock.now() + timedelta(seconds=self._limits.run_seconds * SHARE)
        told = list[TakenIn | Note]()
        for file in event.files[:MOST]:
            late = self._clock.now() > until
            left = _refused(reader, "late", _known_as(file.name)) if late else None
            told.append(left or await self._take_in(actor, event, file, reader))
        taken = [each for each in told if isinstance(each, TakenIn)]
        blocks = [*self._told(reader, taken), *(each for each in told if isinstance(each, Note))]
        if len(event.files) > MOST:
            blocks.append(Note(say(reader.language, "files.too_many", count=MOST), tone="warn"))
        return Received(blocks=tuple(blocks), read=bool(taken))

    async def withdraw(self, event: Withdrawn) -> None:
        """Take out what a message had brought; an index that is away raises `Unavailable`, and it is done later."""
        try:
            kept = [_known_as(name) for name in event.kept]
            await self._thread_files.withdraw(event.thread, event.message, kept=kept)
        except IndexUnavailable as away:
            raise Unavailable(str(away), retry_after_s=_AGAIN_S) from away

    async def _take_in(self, actor: Actor, event: Message, file: File, reader: Reader) -> TakenIn | Note:
        name = _known_as(file.name)
        if kind_of(name) is None:
            return _refused(reader, "format", name)
        try:
            async with self._turn:
                content = await self._fetched(event, file)
                if wait_s := await self._over_quota(actor, len(content)):
                    return _refused(reader, "quota", name, wait=_waiting(reader.language, wait_s))
                return await self._thread_files.take_in(actor, event.thread, name, content, message=event.event_id)
        except TooLarge:
            return self._too_large(reader, name)
        except Undeliverable as gone:
            log.info("a file of %s cannot be had: %s", event.account.platform, gone)
            return _refused(reader, "gone", name)
        except FileUnreadable as error:
            return _refused(reader, "unreadable", name, reason=why(reader.language, error.reason))

    async def _over_quota(self, actor: Actor, size: int) -> float:
        """Return in how many seconds this person may send a file of that size; 0 when it is counted and read."""
        files, megabytes = f"files:{actor.id}", f"file-mb:{actor.id}"
        size_mb = max(1, size // 1_000_000)
        limits = {files: self._limits.files_per_day, megabytes: self._limits.file_mb_per_day}
        admission = await self._throttle.admit_together(limits, per_s=_DAY_S, costs={megabytes: size_mb})
        return admission.retry_after_s

    async def _fetched(self, event: Message, file: File) -> bytes:
        chat = self._chats[event.account.platform]
        if (file.size or 0) > self._config.thread_file_bytes:
            raise TooLarge(f"the file has {file.size} bytes")
        try:
            return await chat.fetch(event.address, file, at_most=self._config.thread_file_bytes)
        except Unavailable as away:
            if self._clock.now() - event.received_at < PATIENCE:
                raise
            raise Undeliverable(f"it was away for too long: {away.reason}") from away

    def _told(self, reader: Reader, taken: Sequence[TakenIn]) -> list[Block]:
        """Return what is said of the files that were read: of several new ones together."""
        new = [each for each in taken if not each.replaced]
        together = new if len(new) > 1 else []
        alone = [self._of_one(reader, each) for each in taken if each not in together]
        return [self._of_several(reader.language, together), *alone] if together else [*alone]

    def _of_several(self, language: str, taken: Sequence[TakenIn]) -> Text:
        named = [(_literal(each.name), _extent(language, each)) for each in taken]
        each_one = (say(language, "files.one", name=name, extent=extent) for name, extent in named)
        files = say(language, "files.between").join(each_one)
        return Text(say(language, "files.read_many", files=files, days=self._days))

    def _of_one(self, reader: Reader, taken: TakenIn) -> Text:
        key = "files.replaced" if taken.replaced else "files.read"
        extent = _extent(reader.language, taken)
        return Text(say(reader.language, key, name=_literal(taken.name), extent=extent, days=self._days))

    @property
    def _days(self) -> str:
        return f"{self._config.thread_days:g}"

    def _too_large(self, reader: Reader, name: str) -> Note:
        return _refused(reader, "too_large", name, limit=max(1, self._config.thread_file_bytes // 1_000_000))


def why(language: str, reason: Reason) -> str:
    """Return why a file cannot be read, to be said after its name."""
    return say(language, f"files.why.{reason}")


def _waiting(language: str, wait_s: float) -> str:
    minutes = max(1, math.ceil(wait_s / 60))
    unit, count = ("minutes", minutes) if minutes < 120 else ("hours", math.ceil(minutes / 60))
    return say(language, f"files.{unit}", count=count)


def _extent(language: str, taken: TakenIn) -> str:
    unit, count = ("pages", taken.pages) if taken.pages else ("sections", taken.sections)
    return say(language, f"files.{unit}.{'one' if count == 1 else 'many'}", count=count)


def _known_as(name: str) -> str:
    return " ".join(name.split())[:200]


def _refused(reader: Reader, code: str, name: str, **values: object) -> Note:
    return Note(say(reader.language, f"files.{code}", name=name, **values), tone="warn")


def _literal(name: str) -> str:
    """Return a name as code: what its sender called it is no Markdown."""
    return f"`{name.replace('`', '')}`"
