"""All SQL of thread memory. Rows never leave."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import CursorResult, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from agent.memory.tables import MemoryRow
from agent.tools.context import UNKNOWN, Recollection, Turn
from storage.redaction.repeated import repeats


async def read_memory(session: AsyncSession, *, thread: str, actor_id: str) -> Recollection:
    """Return what a thread remembers for a person; empty when nothing."""
    return _recollection(await session.get(MemoryRow, (thread, actor_id)))


async def change_memory(
    session: AsyncSession,
    change: Callable[[Recollection], Recollection],
    *,
    thread: str,
    actor_id: str,
    at: datetime,
) -> None:
    """Replace what a thread remembers for a person by what the change makes of it."""
    row = await session.get(MemoryRow, (thread, actor_id))
    memory = change(_recollection(row))
    if row is None:
        row = MemoryRow(thread=thread, actor_id=actor_id)
        session.add(row)
    row.turns = [vars(turn) for turn in memory.turns]
    row.last = dict(memory.last)
    row.updated_at = at
    await session.flush()


async def erase_turns(session: AsyncSession, asked: Collection[str], *, thread: str, aside: str) -> None:
    """Forget the exchanges that began with these words, in a thread and in those whose names begin with `aside`."""
    place = (MemoryRow.thread == thread) | MemoryRow.thread.startswith(aside, autoescape=True)
    for row in await session.scalars(select(MemoryRow).where(place)):
        row.turns = [turn for turn in row.turns if turn["asked"] not in asked]
    await session.flush()


async def forget_repeated(session: AsyncSession, words: Collection[str], *, actors: Collection[str]) -> None:
    """Forget the exchanges of some people that repeat these words, in whatever thread."""
    for row in await session.scalars(select(MemoryRow).where(MemoryRow.actor_id.in_(actors))):
        row.turns = [turn for turn in row.turns if not repeats(turn, words)]
    await session.flush()


async def delete_memory(session: AsyncSession, *, before: datetime) -> int:
    """Forget threads that were quiet since an instant."""
    done = await session.execute(delete(MemoryRow).where(MemoryRow.updated_at < before))
    return done.rowcount if isinstance(done, CursorResult) else 0


async def count_memory(session: AsyncSession, *, actor_id: str) -> int:
    """Return of how many threads something is remembered for a person."""
    mine = select(func.count()).select_from(MemoryRow).where(MemoryRow.actor_id == actor_id)
    return await session.scalar(mine) or 0


async def delete_memory_of(session: AsyncSession, *, actor_id: str) -> int:
    """Forget what every thread remembers for a person."""
    done = await session.execute(delete(MemoryRow).where(MemoryRow.actor_id == actor_id))
    return done.rowcount if isinstance(done, CursorResult) else 0


def _recollection(row: MemoryRow | None) -> Recollection:
    if row is None:
        return Recollection()
    turns = tuple(map(_turn, row.turns))
    return Recollection(turns, last=dict(row.last))


def _turn(kept: Mapping[str, Any]) -> Turn:
    pages = tuple(kept.get("pages", (UNKNOWN,)))
    return Turn(**{**kept, "pages": pages, "cited": tuple(kept.get("cited", pages))})
