"""Questions that people asked about geography, with the SQL that others wrote for them (`../shared/data/nl2sql`)."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from identity.actor import Actor, local_operator
from queries.sql.catalog.catalog import Catalog
from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from tests.queries.sql.guard.corpus.canary import SqliteShop
from tests.scale import scaled

DATA = Path(__file__).parents[5] / "shared/data/nl2sql"
STAFF = Actor("ada", "Ada", units=frozenset({"texas", "ohio"}))
#: What staff do not see: the rows of these tables outside two states' rule, and one column.
RULED, MASKED = ("city", "lake"), ("state", "density")


@pytest.fixture(scope="module")
def geography() -> Path:
    if not DATA.exists():
        pytest.skip("../shared/data/nl2sql is not there")
    return DATA


@pytest.fixture(scope="module")
def questions(geography: Path) -> list[str]:
    found = list(_questions(json.loads((geography / "geography.json").read_text("utf-8"))))
    assert len(found) == 877
    every = max(1, 877 // scaled(877, least=200))
    return found[::every]


def _questions(groups: list[dict[str, list[dict[str, dict[str, str]]]]]) -> Iterator[str]:
    for group in groups:
        for sentence in group["sentences"]:
            statement = str(group["sql"][0])
            for name, value in sentence["variables"].items():
                statement = statement.replace(name, value)
            yield statement


@pytest.mark.parametrize("whose", ["operator", "staff"])
def test_questions_about_geography_are_answered_as_without_the_guard(
    whose: str, questions: list[str], geography: Path, tmp_path: Path
) -> None:
    shutil.copyfile(geography / "geography.sqlite", tmp_path / "whole.db")
    shutil.copyfile(geography / "geography.sqlite", tmp_path / "oracle.db")
    whole, oracle = SqliteShop(tmp_path / "whole.db"), SqliteShop(tmp_path / "oracle.db")
    actor = local_operator() if whose == "operator" else STAFF
    if whose == "staff":
        for table in RULED:
            oracle.connection.execute(f"DELETE FROM {table} WHERE state_name NOT IN ('texas', 'ohio')")
        oracle.connection.execute("UPDATE state SET density = NULL")
    known = _catalog(whole.connection)
    runs, wrong = 0, []
    for question in questions:
        expected = oracle.raw(question)
        if expected.error:
            continue
        runs += 1
        try:
            given = whole.run(guard(question, known, actor, dialect="sqlite", rows=1_000))
        except StatementRefused as refused:
            wrong.append(f"{question}: {refused}")
            continue
        if given.told != expected.told:
            wrong.append(f"{question}: {given.told[:3]}, not {expected.told[:3]}")
    whole.connection.close()
    oracle.connection.close()
    assert runs >= len(questions) * 0.99
    assert len(wrong) <= runs * 0.02, wrong[:5]


def _catalog(database: sqlite3.Connection) -> Catalog:
    tables = {}
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        columns = {name: {"type": "text", "masked": (table, name) == MASKED} for name in names}
        rule = {"rows": [{"where": "state_name IN (:units)"}]} if table in RULED else {"public": True}
        tables[table] = {"columns": columns, **rule}
    return Catalog.model_validate({"tables": tables})
