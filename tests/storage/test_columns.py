"""What is stored comes back the same on both databases."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from storage.columns import storable
from storage.database import Database
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


async def test_storable_text_is_stored(database: Database) -> None:
    text = storable("a\x00b\ud83dc好😀")
    async with database.transaction() as session:
        await session.execute(insert(EventTable).values(source=text, event_id="e", seen_at=datetime.now(UTC)))
    async with database.reading() as session:
        assert (await session.execute(select(EventTable.source))).scalar_one() == text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_ordinary_text_is_storable_as_it_is(text: str) -> None:
    assert storable(text) == text
