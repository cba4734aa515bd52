"""Asks a desk the questions of the firm and judges every answer by the rows of hand-written SQL."""

import re
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from agent.results import Table
from agent.runner.requests import Request
from agent.runs.answer import Answer, Answered, AskedBack
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from queries.sql.config import SourceConfig
from queries.sql.datasources.sqlite.source import SqliteSource
from queries.sql.setup.drafting import draft
from storage.clock import SystemClock
from storage.ids import new_id

PEOPLE = "people:\n  - {id: bo, email: bo@yard.example, name: Bo, language: en, timezone: UTC}\n"
#: A number is the same when it is as exact as it is shown.
_CLOSE, _CLOSE_SMALL = 0.051, 0.0051
_SEVERAL = 5


class AtNoon(SystemClock):
    """A clock that stands near noon of one day."""

    def __init__(self, day: date) -> None:
        self._ahead = datetime.combine(day, time(12), UTC) - super().now()

    def now(self) -> datetime:
        """Return the time of that day."""
        return super().now() + self._ahead


@dataclass(frozen=True)
class Asked:
    """A question of the firm, with the ways to answer it rightly."""

    ask: str
    sql: tuple[str, ...]
    first: bool = False  # only the first row has to be right
    goes_on: bool = False  # in the thread of the one before it


@dataclass
class Company:
    """A desk over the database and catalogue of a company."""

    desk: Desk
    catalog: Catalog
    path: Path
    told: list[str] = field(default_factory=list)

    async def play(self, questions: Sequence[Asked]) -> list[str]:
        """Ask all questions in their threads and return a line each that begins with what came of it."""
        said: list[str] = []
        for asked in questions:
            said = [*said, asked.ask] if asked.goes_on else [asked.ask]
            self.told.append(await self._judged(asked, said))
            right = self.told[-1].partition("=> ")[2].split("\n")[0]
            said += [right] if self.told[-1].startswith("asks") else []
        return self.told

    async def _judged(self, asked: Asked, said: Sequence[str]) -> str:
        answer = await self._after(said)
        came = self._verdict(asked, answer)
        for option in answer.options if isinstance(answer, AskedBack) and asked.sql else ():
            if self._verdict(asked, await self._after([*said, option])) == "right":
                return f"asks    {asked.ask} => {option}"
        return f"{came:7} {asked.ask} -> {_shown(answer)}"

    async def _after(self, said: Sequence[str]) -> Answer:
        thread = new_id("thread")
        for text in said[:-1]:
            await self._ask(text, thread)
        return await self._ask(said[-1], thread)

    async def _ask(self, text: str, thread: str) -> Answer:
        request = Request(
            actor=await self.desk.directory.person("bo"),
            event_id=new_id("asked"),
            thread=thread,
            text=text,
            language=language_of(text) or "en",
            address={},
            now=self.desk.clock.now(),
        )
        return (await self.desk.runner.run(request)).answer

    def _verdict(self, asked: Asked, answer: Answer) -> str:
        tables = [each for each in answer.results if isinstance(each, Table)] if isinstance(answer, Answered) else []
        if not tables:
            if isinstance(answer, AskedBack) and answer.options:
                return "vain"
            return "nothing" if asked.sql or (isinstance(answer, Answered) and answer.text) else "right"
        with closing(sqlite3.connect(self.path)) as database:
            expected = [database.execute(sql).fetchall() for sql in asked.sql]
        meant = {word: value for value, words in self._values() for word in words}
        for rows in expected:
            if any(_is_same(table, rows, meant, first=asked.first) for table in tables):
                return "right"
        return "wrong"

    def _values(self) -> Iterator[tuple[str, Iterable[str]]]:
        for table in self.catalog.tables.values():
            for column in table.columns.values():
                for value, words in column.values.items():
                    yield value, words.every


def _is_same(table: Table, expected: Sequence[Sequence[object]], meant: Mapping[str, str], *, first: bool) -> bool:
    rows = [[_plain(cell, meant) for cell in row] for row in table.rows]
    if first:
        return any(_holds(row, expected[0]) and _worth(row) == _worth(rows[0]) for row in rows)
    if len(expected) == 1 and len(expected[0]) > 1:  # side by side, or one below the other
        return len(rows) <= len(expected[0]) + 1 and _holds([cell for row in rows for cell in row], expected[0])
    if table.truncated and rows and len(rows) < len(expected):  # a list that is shown in part, and says so
        return all(any(_holds(row, each) for each in expected) for row in rows)
    return len(rows) == len(expected) and all(any(_holds(row, each) for row in rows) for each in expected)


def _worth(row: Sequence[object]) -> object:
    """Return what rows are ranked by: of two with the same, either is first."""
    return next((cell for cell in reversed(row) if isinstance(cell, float)), None)


def _holds(row: Sequence[object], expected: Sequence[object]) -> bool:
    return all(any(_equal(cell, each) for cell in row) for each in expected)


def _equal(cell: object, expected: object) -> bool:
    if isinstance(expected, int | float):
        close = _CLOSE if abs(expected) >= 1 else _CLOSE_SMALL
        return isinstance(cell, float) and abs(cell - expected) <= close
    if expected is None:
        return cell in (None, 0.0)
    return str(cell).startswith(str(expected)) if re.fullmatch(r"\d{4}-\d\d", str(expected)) else cell == expected


def _plain(cell: object, meant: Mapping[str, str]) -> object:
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return float(cell)
    return meant.get(cell, cell) if isinstance(cell, str) else str(cell) if cell is not None else None


def _shown(answer: Answer) -> str:
    if isinstance(answer, AskedBack):
        return f"asks {answer.code} {answer.question} {' | '.join(answer.options)}"
    if not isinstance(answer, Answered):
        return str(answer)[:200]
    tables = [each for each in answer.results if isinstance(each, Table)]
    told = "; ".join(f"{each.title.en if each.title else ''} {each.rows[:3]}" for each in tables)
    return f"{answer.text[:120]} {told}"[:400]


def merged(drafted: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return a drafted catalogue with what somebody wrote into it."""
    found = dict(drafted)
    for key, value in written.items():
        ours = found.get(key)
        found[key] = merged(ours, value) if isinstance(ours, Mapping) and isinstance(value, Mapping) else value
    return found


async def drafted_catalog(database: Path, overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalogue that the desk drafts of a database, with what its people wrote into it."""
    source = SqliteSource("yard", database, SourceConfig(kind="sqlite", path=str(database)))
    try:
        drafted = yaml.safe_load(draft(await source.describe(samples=True)))
    finally:
        await source.close()
    catalog = merged(drafted, overlay)
    for table in catalog["tables"].values():
        del table["rows"]
        table["public"] = True
    return catalog


@asynccontextmanager
async def company_desk(home: Path, database: Path, overlay: Mapping[str, Any], today: date) -> AsyncIterator[Company]:
    """Draft a catalogue of a database, write into it what its people would, and build a desk that asks it."""
    (home / "catalog").mkdir()
    catalog = await drafted_catalog(database, overlay)
    (home / "catalog" / "yard.yaml").write_text(yaml.safe_dump(catalog, allow_unicode=True, sort_keys=False), "utf-8")
    (home / "datasources.yaml").write_text(
        yaml.safe_dump({"datasources": {"yard": {"kind": "sqlite", "path": str(database)}}}), "utf-8"
    )
    people = home / "people.yaml"
    people.write_text(PEOPLE, encoding="utf-8")
    settings = load(home=home, people_file=people, database_url="", redis_url="", model="rules")
    async with await compose(settings, clock=AtNoon(today)) as desk:
        yield Company(desk, Catalog.model_validate(catalog), database)


def questions_of(path: Path) -> list[Asked]:
    """Return the questions of a file."""
    return [
        Asked(each["ask"].removeprefix("+ "), tuple(each["sql"]), each.get("first", False), each["ask"][0] == "+")
        for each in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
