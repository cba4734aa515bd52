"""The audit's witness: how far the chain reached, told outside of the database while it grows.

Whoever may write to the database can take away the newest rows together with the head, or make the whole chain again.
Neither shows in the database; both show against what was told elsewhere meanwhile: in a file and the log each minute,
by a signed webhook each hour, in the operators' channel each day. All of them hold the same line of JSON.
"""

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from adapters.cards import Block, Code, Note
from bot.delivery.news.webhook import post_signed
from bot.rendering.texts.catalogue import say
from bot.settings import WebhookSettings
from features.anatomy.reader import Reader
from features.anatomy.schedules import Job
from identity.audit import AuditTrail
from identity.chain import ChainHead
from storage.clock import Clock
from storage.queue.schedules import Every

log = logging.getLogger(__name__)

#: Seconds between two heads: in the file and the log, at the webhook, in the operators' channel.
FILE_S, WEBHOOK_S, CHANNEL_S = 60.0, 3_600.0, 86_400.0


class Witness:
    """Tells the head of the chain each time that it moved, and reads what was told."""

    def __init__(self, path: Path, trail: AuditTrail, clock: Clock, webhook: WebhookSettings) -> None:
        self.path = path
        self._trail = trail
        self._clock = clock
        self._webhook = webhook
        self._noted: ChainHead | None = None  # that the file ends with; None: not looked yet
        self._sent: ChainHead | None = None  # that the webhook took last from this process

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Return when it is told where. The channel is the one that `dutydesk jobs target` names for its job."""
        send = (Job("send the audit's head", Every(WEBHOOK_S), self.send),) if self._webhook.url else ()
        return (
            Job("witness the audit", Every(FILE_S), self.note),
            *send,
            Job("post the audit's head", Every(CHANNEL_S), says=self.blocks),
        )

    async def note(self) -> None:
        """Append the head to the file and to the log, unless it stands there; raise OSError where it cannot."""
        head = await self._trail.head()
        if self._noted is None:
            self._noted = next(reversed(await self.heads()), ChainHead())
        if head == self._noted:
            return
        line = _line(head, self._clock.now())
        await asyncio.to_thread(_append, self.path, line)
        self._noted = head
        log.info("the audit reaches %s", line)

    async def send(self) -> None:
        """Post the head to the webhook, unless it moved no further; raise ConnectionError where it is not taken."""
        head = await self._trail.head()
        if head not in (self._sent, ChainHead()):
            await post_signed(self._webhook, self._clock, _line(head, self._clock.now()).encode())
            self._sent = head

    async def blocks(self, reader: Reader) -> tuple[Block, ...]:
        """Return the head as whoever looks after the desk reads it; nothing while the chain is empty."""
        head = await self._trail.head()
        if head == ChainHead():
            return ()
        return (Note(say(reader.language, "notice.audit_head")), Code(_line(head, self._clock.now()), "json"))

    async def heads(self, path: Path | None = None) -> tuple[ChainHead, ...]:
        """Return what was told: in the file or another one, a log, what was copied from webhook or channel."""
        return await asyncio.to_thread(lambda: tuple(_read(path or self.path)))


def _line(head: ChainHead, at: datetime) -> str:
    line = {"at": at.isoformat(), "position": head.position, "entry": head.entry_id, "hash": head.chain_hash}
    return json.dumps(line)


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(f"\n{line}")  # the break comes first, so that a line that was cut short spoils no other
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> Iterator[ChainHead]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            _, brace, said = line.partition("{")  # a log puts the time before it
            try:
                read, _ = json.JSONDecoder().raw_decode(brace + said)
                yield ChainHead(int(read["position"]), int(read["entry"]), str(read["hash"]))
            except (ValueError, KeyError, TypeError, RecursionError):
                continue  # an empty line, one of something else, or one that a crash cut short
