"""Who did what: rows written in the caller's transaction, chained by hash within a second, verified on demand.

Writers only insert, so no use case waits for another. One sealer at a time chains the rows in the order of their ids.
A row whose transaction is still open holds back those after it: its id may be lower than one that is visible already.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from identity import store
from identity.actor import Actor
from identity.chain import AuditEntry, ChainCheck, ChainHead, Verification, by_position, extend
from identity.permissions import Permission
from identity.policy import require
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject
from storage.redaction.stored import redact, redact_json

__all__ = ["AuditEntry", "AuditTrail", "Verification", "record"]

#: Entries that one transaction seals, so that writers on SQLite do not wait long.
BATCH = 500
#: How often, and how long each time, a seal waits for transactions that are still writing.
PATIENCE = 10
PAUSE_S = 0.02


async def record(
    session: AsyncSession,
    *,
    actor: Actor,
    action: str,
    resource: str,
    allowed: bool,
    reason: str,
    outcome: str,
    detail: JsonObject | None = None,
    run_id: str | None = None,
    now: datetime,
) -> None:
    """Write one entry with the caller's transaction; secrets in `resource` and `detail` are taken out."""
    await store.add_entry(
        session,
        {
            "at": now,
            "actor_id": actor.id,
            "actor_name": actor.name,
            "actor_kind": actor.kind.value,
            "action": str(action),
            "resource": redact(resource),
            "allowed": allowed,
            "reason": str(reason),
            "outcome": str(outcome),
            "detail": redact_json(dict(detail or {})),
            "run_id": run_id,
        },
    )


@dataclass(frozen=True)
class _Candidate:
    """The newest entry at some moment, and the transactions that were writing then and have not ended yet."""

    entry_id: int
    writers: frozenset[str]


class AuditTrail:
    """Seals the entries and answers questions about them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._decided = 0  # every entry up to this id is written for good, or will never be
        self._candidate: _Candidate | None = None

    async def seal(self) -> int:
        """Chain the entries whose place in the order is certain; return how many. Safe to run anywhere, any time."""
        until = await self._find_decided()
        sealed = 0
        while batch := await self._seal_batch(until):
            sealed += batch
        return sealed

    async def head(self) -> ChainHead:
        """Return how far the chain reaches."""
        async with self._database.reading() as session:
            return await store.head(session)

    async def verify(self, actor: Actor, *, witnessed: Sequence[ChainHead] = ()) -> Verification:
        """Check every sealed entry against the chain, the chain against its head and against what was witnessed of it.

        Needs `audit:read`. Without a witness nothing tells that the end was cut off together with the head.
        """
        require(actor, Permission.AUDIT_READ)
        async with self._database.reading() as session:
            tip = await store.tip(session)  # before the head: both move in one transaction
            check = ChainCheck(head=await store.head(session), witnessed=by_position(witnessed))
            while links := await store.links(session, after=check.last.position, until=check.head, limit=BATCH):
                for seal, entry in links:
                    check.step(seal, entry)
            check.finish(tip=tip)
            added = await store.unsealed_ids(session, until=check.head.entry_id)
            unsealed = await store.count_entries(session, after=check.head.entry_id)
            gone = await store.numbers_without_entry(session)
        skips = self._database.dialect != "sqlite"
        return Verification(
            sealed=check.head.position,
            unsealed=unsealed,
            missing=tuple(sorted((check.missing | set(() if skips else gone)) - set(added))),
            edited=tuple(sorted(check.edited - check.missing)),
            added=added,
            broken=tuple(sorted(check.broken)),
            head=check.head.chain_hash,
            witnessed=len(witnessed),
            cut=tuple(sorted(check.cut)),
            rewritten=tuple(sorted(check.rewritten)),
            unused=gone if skips else (),
        )

    async def entries(
        self,
        actor: Actor,
        *,
        limit: int = 100,
        before: int | None = None,
        actor_id: str | None = None,
        action: str | None = None,
    ) -> tuple[AuditEntry, ...]:
        """Return entries, the newest first, from before an id on; needs `audit:read`."""
        require(actor, Permission.AUDIT_READ)
        async with self._database.reading() as session:
            return await store.entries(session, limit=limit, before=before, actor_id=actor_id, action=action)

    async def _find_decided(self) -> int:
        begun_now = self._candidate is None
        for _ in range(PATIENCE):
            candidate = await self._progress()
            if candidate.writers:
                self._candidate = candidate
                await asyncio.sleep(PAUSE_S)
                continue
            self._decided = max(self._decided, candidate.entry_id)
            self._candidate = None
            if begun_now:
                break
            begun_now = True  # that one was left over from an earlier call: look for newer entries, too
        return self._decided

    async def _progress(self) -> _Candidate:
        """Drop the writers that have ended; what they wrote is visible now."""
        async with self._database.reading() as session:
            if self._candidate is not None:
                writers = self._candidate.writers & await store.writers(session)
                return _Candidate(self._candidate.entry_id, writers)
            newest = await store.newest_entry(session)  # before the writers: whoever holds a lower id is among them
            return _Candidate(newest, await store.writers(session))

    async def _seal_batch(self, until: int) -> int:
        async with self._database.reading() as session:
            if (await store.head(session)).entry_id >= until:
                return 0
        async with self._database.transaction() as session:
            head = await store.lock_head(session)
            if head is None:
                return 0  # somebody else is sealing
            entries = await store.entries_after(session, head.entry_id, until=until, limit=BATCH)
            if entries:
                seals, head = extend(head, entries)
                await store.add_seals(session, seals, head=head)
            return len(entries)
