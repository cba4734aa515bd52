"""Insert unless it is there already: how the first of many is found without an error."""

from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import CursorResult, Table, UpdateBase
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from storage.database import Base


async def insert_new(session: AsyncSession, table: type[Base], values: Mapping[str, Any]) -> bool:
    """Insert one row; False, and nothing changed, when its key (any unique one) exists already.

    On PostgreSQL it waits for a transaction that is inserting the same key, and answers by how that ends.
    """
    target = cast("Table", table.__table__)
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(target).values(**values).on_conflict_do_nothing().returning(*target.primary_key.columns)
    return (await session.execute(statement)).first() is not None


async def changed_rows(session: AsyncSession, statement: UpdateBase) -> int:
    """Run an INSERT, UPDATE or DELETE and return how many rows it changed."""
    result = await session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", result).rowcount
