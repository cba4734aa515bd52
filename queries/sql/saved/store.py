"""All SQL of saved questions. Rows never leave."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from queries.sql.saved.saved import SavedQuestion, query_of
from queries.sql.saved.tables import SavedQuestionRow


async def add(session: AsyncSession, saved: SavedQuestion, *, at: datetime) -> None:
    """Keep a question under its name, in place of what its owner kept there."""
    row = await session.get(SavedQuestionRow, _key(saved.name))
    if row is None:
        row = SavedQuestionRow(key=_key(saved.name))
        session.add(row)
    row.name, row.owner, row.question, row.source = saved.name, saved.owner, saved.question, saved.source
    row.statement, row.query, row.saved_at = saved.statement, saved.query_json, at
    await session.flush()


async def find(session: AsyncSession, name: str) -> SavedQuestion | None:
    """Return the question of that name, whoever keeps it."""
    row = await session.get(SavedQuestionRow, _key(name))
    return None if row is None else _saved(row)


async def read_all(session: AsyncSession) -> tuple[SavedQuestion, ...]:
    """Return every question, by name."""
    found = await session.scalars(select(SavedQuestionRow).order_by(SavedQuestionRow.key))
    return tuple(map(_saved, found))


async def remove(session: AsyncSession, name: str) -> None:
    """Forget a question."""
    row = await session.get(SavedQuestionRow, _key(name))
    if row is not None:
        await session.delete(row)
        await session.flush()


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _saved(row: SavedQuestionRow) -> SavedQuestion:
    return SavedQuestion(
        name=row.name,
        owner=row.owner,
        question=row.question,
        source=row.source,
        statement=row.statement,
        query=query_of(row.query),
        saved_at=row.saved_at,
    )
