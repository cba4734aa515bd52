"""All SQL of thread memory. Rows never leave."""

from datetime import datetime

from sqlalchemy import CursorResult, delete
from sqlalchemy.ext.asyncio import AsyncSession

from agent.memory.tables import MemoryRow
from agent.tools.context import Recollection, Turn


async def read_memory(session: AsyncSession, *, thread: str, actor_id: str) -> Recollection:
    """Return what a thread remembers for a person; empty when nothing."""
    row = await session.get(MemoryRow, (thread, actor_id))
    if row is None:
        return Recollection()
    return Recollection(turns=tuple(Turn(**turn) for turn in row.turns), last=dict(row.last))


async def write_memory(
    session: AsyncSession, memory: Recollection, *, thread: str, actor_id: str, at: datetime
) -> None:
    """Replace what a thread remembers for a person."""
    row = await session.get(MemoryRow, (thread, actor_id))
    if row is None:
        row = MemoryRow(thread=thread, actor_id=actor_id)
        session.add(row)
    row.turns = [vars(turn) for turn in memory.turns]
    row.last = dict(memory.last)
    row.updated_at = at
    await session.flush()


async def delete_memory(session: AsyncSession, *, before: datetime) -> int:
    """Forget threads that were quiet since an instant."""
    done = await session.execute(delete(MemoryRow).where(MemoryRow.updated_at < before))
    return done.rowcount if isinstance(done, CursorResult) else 0
