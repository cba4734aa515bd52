"""The audit's witness: a file outside of the database that says how far the chain reached, minute by minute.

Whoever may write to the database can take away the newest rows together with the head, or make the whole chain again.
Neither shows in the database; both show against what was written down elsewhere meanwhile.
"""

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from identity.audit import AuditTrail
from identity.chain import ChainHead, Witnessed
from storage.clock import Clock

log = logging.getLogger(__name__)


class Witness:
    """Notes the head of the chain, one line of JSON each time that it moved, and reads what was noted."""

    def __init__(self, path: Path, trail: AuditTrail, clock: Clock) -> None:
        self.path = path
        self._trail = trail
        self._clock = clock
        self._noted: ChainHead | None = None  # that the file ends with; None: not looked yet

    async def note(self) -> None:
        """Append the head to the file and to the log, unless it stands there; raise OSError where it cannot."""
        head = await self._trail.head()
        if self._noted is None:
            self._noted = next((each.head for each in reversed(await self.heads())), ChainHead())
        if head == self._noted:
            return
        await asyncio.to_thread(_append, self.path, head, self._clock.now())
        self._noted = head
        log.info("the audit reaches entry %d at position %d: %s", head.entry_id, head.position, head.chain_hash)

    async def heads(self, path: Path | None = None) -> tuple[Witnessed, ...]:
        """Return what was noted, in this file or in another one; nothing where there is none."""
        return await asyncio.to_thread(lambda: tuple(_read(path or self.path)))


def _append(path: Path, head: ChainHead, at: datetime) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {"at": at.isoformat(), "position": head.position, "entry": head.entry_id, "hash": head.chain_hash}
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(f"\n{json.dumps(line)}")  # the break comes first, so that a line that was cut short spoils no other
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> Iterator[Witnessed]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                said = json.loads(line)
                head = ChainHead(int(said["position"]), int(said["entry"]), str(said["hash"]))
                yield Witnessed(head, datetime.fromisoformat(said["at"]))
            except (ValueError, KeyError, TypeError):
                continue  # an empty line, or one that a crash cut short
