"""What is stored comes back the same on both databases."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from storage.columns import storable
from storage.database import Database, insert_new
from storage.queue import work
from storage.queue.tables import QueueTable
from storage.tables import EventTable


async def test_an_instant_comes_back_aware_in_utc(database: Database) -> None:
    shanghai = datetime(2026, 3, 1, 8, 30, 0, 123456, tzinfo=timezone(timedelta(hours=8)))
    async with database.transaction() as session:
        await session.execute(insert(EventTable).values(source="s", event_id="e", seen_at=shanghai))
    async with database.reading() as session:
        seen_at = (await session.execute(select(EventTable.seen_at))).scalar_one()
    assert seen_at == shanghai
    assert seen_at.tzinfo is UTC


async def test_a_naive_instant_is_refused(database: Database) -> None:
    naive = datetime(2026, 3, 1, 8, 30)  # noqa: DTZ001 - the point
    with pytest.raises(Exception, match="needs a time zone"):
        async with database.transaction() as session:
            await session.execute(insert(EventTable).values(source="s", event_id="e", seen_at=naive))


STRANGE = "a\x00b\ud83dc好😀"
STORED = "a\ufffdb?c好😀"


async def test_characters_that_databases_refuse_do_no_harm(database: Database) -> None:
    async with database.transaction() as session:
        values = {"source": STRANGE, "event_id": "e", "seen_at": datetime.now(UTC)}
        assert await insert_new(session, EventTable, values)
        await work.enqueue(session, topic="t", payload={STRANGE: [STRANGE, 1]}, key="k")
    async with database.reading() as session:
        found = select(EventTable.source).where(EventTable.source == STRANGE)
        assert (await session.execute(found)).scalar_one() == STORED
        assert (await session.execute(select(QueueTable.payload))).scalar_one() == {STORED: [STORED, 1]}


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_ordinary_text_is_storable_as_it_is(text: str) -> None:
    assert storable({"a": [text, (1, None)]}) == {"a": [text, (1, None)]}
