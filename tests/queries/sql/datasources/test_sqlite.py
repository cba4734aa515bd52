"""What is special to SQLite: the locks of the library agree with the guard, and nothing shares a connection."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasource import Guarded
from queries.sql.datasources.sqlite.authorizer import FUNCTIONS
from queries.sql.datasources.sqlite.source import SqliteSource
from queries.sql.errors import QueryFailed, SourceUnavailable
from queries.sql.guard.functions import CALLED

CONFIG = SourceConfig(kind="sqlite", path="own.db", timeout_s=5)
READS = {"notes": frozenset({"id", "text"}), "short": frozenset({"text"}), "nested": frozenset({"text"})}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own ?#%.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE notes (id integer PRIMARY KEY, text text, owner text);"
            "INSERT INTO notes VALUES (1, 'short', 'ada'), (2, 'a much longer text', 'bob');"
            "CREATE VIEW short AS SELECT text, owner FROM notes WHERE length(text) < 10;"
            "CREATE VIEW nested AS SELECT upper(text) AS text FROM short WHERE owner = 'ada';"
            "CREATE VIEW risky AS SELECT randomblob(9) AS text"
        )
    return path


@pytest.fixture
def source(own: Path) -> SqliteSource:
    return SqliteSource("own", own, CONFIG)


def statement(text: str, **more: frozenset[str]) -> Guarded:
    return Guarded(text, "sqlite", 50, {**READS, **more})


def test_what_the_guard_lets_through_may_be_called() -> None:
    words = {"cast"}  # written like a call, and none

    assert CALLED["sqlite"] - words <= FUNCTIONS


def test_no_function_reaches_out() -> None:
    assert not FUNCTIONS & {
        "load_extension",
        "readfile",
        "writefile",
        "edit",
        "randomblob",
        "zeroblob",
        "fts3_tokenizer",
    }


async def test_views_read_what_they_were_made_of_and_no_more(source: SqliteSource) -> None:
    assert (await source.run(statement("SELECT text FROM short"))).rows == (("short",),)
    assert (await source.run(statement("SELECT text FROM nested"))).rows == (("SHORT",),)
    for hostile in (
        "SELECT owner FROM short",
        "SELECT owner FROM notes",
        "WITH short AS (SELECT id FROM nested) SELECT id FROM short",
    ):
        with pytest.raises(QueryFailed):
            await source.run(statement(hostile))
    with pytest.raises(QueryFailed):
        await source.run(statement("SELECT text FROM risky", risky=frozenset({"text"})))
    await source.close()


async def test_a_query_with_a_name_may_be_counted_but_no_table(source: SqliteSource) -> None:
    named = "WITH mine AS (SELECT id FROM notes) SELECT count(*) FROM mine"

    assert (await source.run(statement(named))).rows == ((2,),)
    for hidden in ("sqlite_master", "risky", "pragma_database_list"):
        with pytest.raises(QueryFailed):
            await source.run(statement(f"SELECT count(*) FROM {hidden}"))
    await source.close()


async def test_text_that_is_no_unicode_is_shown_all_the_same(own: Path, source: SqliteSource) -> None:
    with closing(sqlite3.connect(own)) as connection:
        connection.execute("INSERT INTO notes VALUES (3, CAST(x'41ff42' AS text), 'ada'), (4, x'00ff', 'ada')")
        connection.commit()

    found = await source.run(statement("SELECT text FROM notes WHERE id > 2 ORDER BY id"))

    assert found.rows == (("A\ufffdB",), ("00ff",))
    await source.close()


async def test_the_file_may_change_between_two_questions(own: Path, source: SqliteSource) -> None:
    counted = statement("SELECT count(*) FROM notes")
    first = (await source.run(counted)).rows
    with closing(sqlite3.connect(own)) as connection:
        connection.execute("DELETE FROM notes WHERE id = 1")
        connection.commit()

    assert (first, (await source.run(counted)).rows) == (((2,),), ((1,),))
    await source.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at" * 40, None])
async def test_a_file_that_is_none_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other.db"
    if content is not None:
        path.write_bytes(content)
    source = SqliteSource("other", path, CONFIG)

    with pytest.raises(SourceUnavailable):
        await source.run(statement("SELECT text FROM notes"))

    assert [each.ok for each in await source.examine()][-1] is False
    await source.close()


async def test_an_estimate_is_the_rows_of_the_tables(own: Path) -> None:
    source = SqliteSource("own", own, CONFIG)

    assert await source.cost(Guarded("", "sqlite", 50, {"notes": frozenset({"id"})})) == 2
    assert await source.cost(statement("")) is None  # nobody knows how many rows a view has
    await source.close()
