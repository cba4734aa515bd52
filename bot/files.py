"""Files that come with a message: fetched, read for its thread alone, and what is said of each."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from adapters.cards import Block, Note, Text
from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.port import Chat, TooLarge, Unavailable, Undeliverable
from bot import store
from bot.cards import Reader
from bot.texts.catalogue import say
from identity.actor import Actor
from search.config import UploadConfig
from search.errors import FileUnreadable, IndexUnavailable
from search.parsing.kinds import kind_of
from search.reasons import Reason
from search.thread_files import TakenIn, ThreadFiles
from storage.clock import Clock
from storage.database import Database

log = logging.getLogger(__name__)

#: Files of one message that are read.
MOST = 10
#: Files that are held in memory at once.
_AT_ONCE = 2
#: How long a platform that does not hand out a file is asked again, before that is said.
PATIENCE = timedelta(minutes=2)
#: Seconds after which an index that is away is told again what was taken back.
_AGAIN_S = 10.0


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
    ) -> None:
        self._thread_files = thread_files
        self._database = database
        self._clock = clock
        self._chats = chats
        self._config = config
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def take_in(self, actor: Actor, event: Message, reader: Reader) -> Received:
        """Read the files of a message, one after the other; those of one that was taken away since are left alone."""
        async with self._database.reading() as session:
            gone = withdrawal_of(event.event_id)
            if await store.is_known(session, platform=event.account.platform, event_id=gone):
                return Received()
        told = [await self._take_in(actor, event, file, reader) for file in event.files[:MOST]]
        blocks = [block for block, _ in told]
        if len(event.files) > MOST:
            blocks.append(Note(say(reader.language, "files.too_many", count=MOST), tone="warn"))
        return Received(blocks=tuple(blocks), read=any(read for _, read in told))

    async def withdraw(self, event: Withdrawn) -> None:
        """Take out what a message had brought; an index that is away raises `Unavailable`, and it is done later."""
        try:
            kept = [_known_as(name) for name in event.kept]
            await self._thread_files.withdraw(event.thread, event.message, kept=kept)
        except IndexUnavailable as away:
            raise Unavailable(str(away), retry_after_s=_AGAIN_S) from away

    async def _take_in(self, actor: Actor, event: Message, file: File, reader: Reader) -> tuple[Block, bool]:
        name = _known_as(file.name)
        if kind_of(name) is None:
            return _refused(reader, "format", name), False
        if (file.size or 0) > self._config.thread_file_bytes:
            return self._too_large(reader, name), False
        try:
            async with self._turn:
                content = await self._fetched(event, file)
                taken = await self._thread_files.take_in(actor, event.thread, name, content, message=event.event_id)
        except TooLarge:
            return self._too_large(reader, name), False
        except Undeliverable as gone:
            log.info("a file of %s cannot be had: %s", event.account.platform, gone)
            return _refused(reader, "gone", name), False
        except FileUnreadable as error:
            return _refused(reader, "unreadable", name, reason=why(reader.language, error.reason)), False
        return self._taken(reader, taken), True

    async def _fetched(self, event: Message, file: File) -> bytes:
        chat = self._chats[event.account.platform]
        try:
            return await chat.fetch(event.address, file, at_most=self._config.thread_file_bytes)
        except Unavailable as away:
            if self._clock.now() - event.received_at < PATIENCE:
                raise
            raise Undeliverable(f"it was away for too long: {away.reason}") from away

    def _taken(self, reader: Reader, taken: TakenIn) -> Text:
        unit, count = ("pages", taken.pages) if taken.pages else ("sections", taken.sections)
        extent = say(reader.language, f"files.{unit}.{'one' if count == 1 else 'many'}", count=count)
        days = f"{self._config.thread_days:g}"
        key = "files.replaced" if taken.replaced else "files.read"
        return Text(say(reader.language, key, name=_literal(taken.name), extent=extent, days=days))

    def _too_large(self, reader: Reader, name: str) -> Note:
        return _refused(reader, "too_large", name, limit=max(1, self._config.thread_file_bytes // 1_000_000))


def why(language: str, reason: Reason) -> str:
    """Return why a file cannot be read, to be said after its name."""
    return say(language, f"files.why.{reason}")


def _known_as(name: str) -> str:
    return " ".join(name.split())[:200]


def _refused(reader: Reader, code: str, name: str, **values: object) -> Note:
    return Note(say(reader.language, f"files.{code}", name=name, **values), tone="warn")


def _literal(name: str) -> str:
    """Return a name as code: what its sender called it is no Markdown."""
    return f"`{name.replace('`', '')}`"
