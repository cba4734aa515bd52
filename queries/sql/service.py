"""The one way to a database, whoever asks: permission, guard, cost, time limit, rows.

A model, a metric, a verb, a saved question and a page all come through here (a second way is how row rules are lost).
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

import sqlglot

from identity import audit
from identity.actor import Actor
from identity.policy import decide, require
from queries.sql.catalog.catalog import Catalog
from queries.sql.config import SourceConfig
from queries.sql.datasource import USUAL_ROWS, Datasource, Examined, Guarded, LiveTable, Rows
from queries.sql.errors import (
    NameTaken,
    NoSuchQuestion,
    Refusal,
    SourceUnavailable,
    SqlError,
    StatementRefused,
    TooCostly,
)
from queries.sql.guard.guard import guard
from queries.sql.metrics.building import Built, built
from queries.sql.metrics.query import DataQuery, RowQuery
from queries.sql.permissions import ASK, MANAGE
from queries.sql.reach import EVERY_ROW, ReadableTable, reach_of
from queries.sql.saved import store
from queries.sql.saved.saved import SavedQuestion
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject

#: Seconds after which a database that could not be used is looked at again.
LOOK_AGAIN_S = 5.0
#: Milliseconds from which a statement counts as slow; and the statements that are remembered for the console.
SLOW_MS, REMEMBERED = 1_000.0, 200
#: Columns of a list for which nobody says which.
MOST_COLUMNS = 8


@dataclass(frozen=True)
class SqlSource:
    """A database with its catalogue."""

    name: str
    config: SourceConfig
    catalog: Catalog
    database: Datasource
    catalog_path: Path = Path()  # the file of the catalogue

    def title(self, language: str) -> str:
        """Return what people call it."""
        return self.config.title.in_language(language) or self.name


@dataclass(frozen=True)
class SourceState:
    """How a database stands: `why` it is not asked, "" when it is."""

    source: SqlSource
    why: str = ""


@dataclass(frozen=True)
class SqlAnswer:
    """What a question gave, and how it came about."""

    source: SqlSource
    rows: Rows
    asked: str  # the statement that the guard was given
    guarded: Guarded  # the one that ran
    is_partial: bool = False  # there are rows that the asker may not read
    built: Built | None = None

    @property
    def laid_out(self) -> str:
        """Return the statement that ran, over lines, for people."""
        return sqlglot.parse_one(self.guarded.statement, dialect=self.guarded.dialect).sql(
            dialect=self.guarded.dialect, pretty=True
        )

    @property
    def is_public(self) -> bool:
        """Return whether everybody of the company would get the same rows."""
        tables = (self.source.catalog.tables[name] for name in self.guarded.reads)
        return all(each.public and not any(column.masked for column in each.columns.values()) for each in tables)


@dataclass(frozen=True)
class Past:
    """A statement that was slow or refused, for who looks after the databases."""

    at: datetime
    actor: str
    source: str
    statement: str
    milliseconds: float = 0.0
    refusal: str = ""


@dataclass
class SqlService:
    """Use cases over the databases of `datasources.yaml`. `broken`: what could not even be opened, and why."""

    sources: Mapping[str, SqlSource]
    clock: Clock
    database: Database  # the desk's own, for the audit and saved questions
    broken: Mapping[str, str] = field(default_factory=dict)
    past: list[Past] = field(default_factory=list)
    _looked: dict[str, tuple[float, str]] = field(default_factory=dict)
    _looking: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def query(
        self, actor: Actor, source: str, query: DataQuery, *, today: date, costly: bool = False
    ) -> SqlAnswer:
        """Answer a question to a catalogue."""
        require(actor, ASK)
        found = self.source(source)
        made = self._built(actor, found, query, today)
        answered = await self._run(actor, found, made.statement, rows=query.rows or USUAL_ROWS, costly=costly)
        return replace(answered, built=made)

    async def run(
        self, actor: Actor, source: str, statement: str, *, rows: int = USUAL_ROWS, costly: bool = False
    ) -> SqlAnswer:
        """Run a statement that somebody (or a model) wrote."""
        require(actor, ASK)
        return await self._run(actor, self.source(source), statement, rows=rows, costly=costly)

    def guarded(self, actor: Actor, source: str, statement: str, *, rows: int = USUAL_ROWS) -> Guarded:
        """Return the statement that would run; raise `StatementRefused` with the reason."""
        require(actor, ASK)
        found = self.source(source)
        return guard(statement, found.catalog, actor, dialect=found.database.dialect, rows=rows)

    async def judge(self, actor: Actor, source: str, statement: str) -> Guarded:
        """Return the statement that would run, for who tries it out; raise `StatementRefused` with the reason."""
        found = self.source(source)
        try:
            guarded = self.guarded(actor, source, statement)
        except SqlError as error:
            await self._refused(actor, found, statement, error, action="data.judge")
            raise
        await self._audit(actor, found, "data.judge", {"statement": guarded.statement})
        return guarded

    async def save(self, actor: Actor, saved: SavedQuestion) -> None:
        """Keep a question under a name; raise `NameTaken` where somebody else keeps one there."""
        require(actor, ASK)
        now = self.clock.now()
        async with self.database.transaction() as session:
            there = await store.find(session, saved.name)
            if there is not None and there.owner != actor.id and not decide(actor, MANAGE).allowed:
                raise NameTaken(saved.name)
            await store.add(session, replace(saved, owner=actor.id), at=now)
            await audit.record(
                session,
                actor=actor,
                action="data.save",
                resource=saved.name,
                allowed=True,
                reason=decide(actor, ASK).reason,
                outcome="done",
                now=now,
            )

    async def saved(self, actor: Actor) -> tuple[SavedQuestion, ...]:
        """Return the questions that were saved; whoever asks one gets the rows that are theirs."""
        require(actor, ASK)
        async with self.database.reading() as session:
            found = await store.read_all(session)
        readable = self.readable(actor)
        return tuple(each for each in found if each.source in readable)

    async def saved_as(self, actor: Actor, name: str) -> SavedQuestion:
        """Return the question of that name; raise `NoSuchQuestion` for none over what the actor may read."""
        require(actor, ASK)
        async with self.database.reading() as session:
            found = await store.find(session, name)
        if found is None or found.source not in self.readable(actor):
            raise NoSuchQuestion(name)
        return found

    async def forget(self, actor: Actor, name: str) -> None:
        """Remove a question of one's own; raise `NoSuchQuestion` for any other."""
        require(actor, ASK)
        async with self.database.transaction() as session:
            there = await store.find(session, name)
            if there is None or (there.owner != actor.id and not decide(actor, MANAGE).allowed):
                raise NoSuchQuestion(name)
            await store.remove(session, name)
            await audit.record(
                session,
                actor=actor,
                action="data.forget",
                resource=name,
                allowed=True,
                reason=decide(actor, ASK).reason,
                outcome="done",
                now=self.clock.now(),
            )

    async def price(self, actor: Actor, source: str, query: DataQuery, *, today: date) -> int | None:
        """Return about how many rows the question reads where that is more than may be read without a button."""
        require(actor, ASK)
        found = self.source(source)
        return await self.price_of(actor, source, self._built(actor, found, query, today).statement)

    async def price_of(self, actor: Actor, source: str, statement: str) -> int | None:
        """Return the same of a statement."""
        found, guarded = self.source(source), self.guarded(actor, source, statement)
        await self._usable(found)
        return await self._price(found, guarded)

    def readable(self, actor: Actor) -> Mapping[str, Mapping[str, ReadableTable]]:
        """Return what the actor may read of each database; none that holds nothing for them."""
        require(actor, ASK)
        reach = {name: reach_of(source.catalog, actor) for name, source in self.sources.items()}
        return {name: tables for name, tables in reach.items() if tables}

    async def states(self, actor: Actor) -> tuple[SourceState, ...]:
        """Return how each database stands."""
        require(actor, MANAGE)
        why = await asyncio.gather(*(self._trouble(source) for source in self.sources.values()))
        return tuple(SourceState(source, each) for source, each in zip(self.sources.values(), why, strict=True))

    async def examine(self, actor: Actor, source: str) -> tuple[Examined, ...]:
        """Return what the desk's role can do in a database."""
        require(actor, MANAGE)
        return await self.source(source).database.examine()

    async def describe(self, actor: Actor, source: str, *, samples: bool = False) -> tuple[LiveTable, ...]:
        """Return the tables of a database as they are."""
        require(actor, MANAGE)
        return await self.source(source).database.describe(samples=samples)

    def history(self, actor: Actor) -> tuple[Past, ...]:
        """Return the statements since the start that were slow or refused, newest first."""
        require(actor, MANAGE)
        return tuple(reversed(self.past))

    def source(self, name: str) -> SqlSource:
        """Return a database; raise `SourceUnavailable` when there is none of that name."""
        if name not in self.sources:
            raise SourceUnavailable(name, self.broken.get(name, "there is no such datasource"))
        return self.sources[name]

    async def close(self) -> None:
        """End every connection."""
        await asyncio.gather(*(source.database.close() for source in self.sources.values()))

    def _built(self, actor: Actor, source: SqlSource, query: DataQuery, today: date) -> Built:
        """Return the statement of a query; raise `StatementRefused` where it rests on a column that is masked.

        To the guard such a column is empty, and so an average of it is no value: that would look like an answer.
        """
        reach = reach_of(source.catalog, actor)
        if isinstance(query, RowQuery) and not query.columns and query.table in reach:
            theirs, label = reach[query.table], source.catalog.tables[query.table].label
            shown = [each for each in theirs.columns if each not in theirs.masked]
            shown.sort(key=lambda each: each != label)
            query = query.model_copy(
                update={"columns": tuple(f"{query.table}.{each}" for each in shown[:MOST_COLUMNS])}
            )
        made = built(query, source.catalog, dialect=source.database.dialect, today=today)
        masked = [named for named in made.reads if _is_masked(source.catalog, reach, named)]
        if masked:
            raise StatementRefused(Refusal.COLUMN_NOT_PERMITTED, masked[0])
        return made

    async def _run(self, actor: Actor, source: SqlSource, statement: str, *, rows: int, costly: bool) -> SqlAnswer:
        try:
            guarded = guard(statement, source.catalog, actor, dialect=source.database.dialect, rows=rows)
            await self._usable(source)
            if not costly and (price := await self._price(source, guarded)) is not None:
                raise TooCostly(price)
            found = await source.database.run(guarded)
        except SqlError as error:
            await self._refused(actor, source, statement, error, action="data.run")
            raise
        await self._audit(actor, source, "data.run", {"statement": guarded.statement, "rows": len(found.rows)})
        if found.milliseconds > SLOW_MS:
            self._remember(Past(self.clock.now(), actor.id, source.name, guarded.statement, found.milliseconds))
        reach = reach_of(source.catalog, actor)
        is_partial = any(reach[table].where != (EVERY_ROW,) for table in guarded.reads)
        return SqlAnswer(source, found, statement, guarded, is_partial=is_partial)

    async def _price(self, source: SqlSource, guarded: Guarded) -> int | None:
        cost = await source.database.cost(guarded)
        return cost if cost is not None and cost > source.config.most_cost else None

    async def _refused(self, actor: Actor, source: SqlSource, statement: str, error: SqlError, *, action: str) -> None:
        if not isinstance(error, TooCostly):
            self._remember(Past(self.clock.now(), actor.id, source.name, statement, refusal=str(error)))
        await self._audit(actor, source, action, {"statement": statement, "why": str(error)}, why=type(error).__name__)

    async def _audit(self, actor: Actor, source: SqlSource, action: str, detail: JsonObject, *, why: str = "") -> None:
        async with self.database.transaction() as session:
            await audit.record(
                session,
                actor=actor,
                action=action,
                resource=source.name,
                allowed=why != "StatementRefused",
                reason=why or decide(actor, ASK).reason,
                outcome="refused" if why else "succeeded",
                detail=detail,
                now=self.clock.now(),
            )

    def _remember(self, past: Past) -> None:
        self.past.append(past)
        del self.past[:-REMEMBERED]

    async def _usable(self, source: SqlSource) -> None:
        if why := await self._trouble(source):
            raise SourceUnavailable(source.name, why)

    async def _trouble(self, source: SqlSource) -> str:
        """Return why a database is not asked, "" when it may be; looked at once, and again a while after trouble."""
        async with self._looking.setdefault(source.name, asyncio.Lock()):
            at, why = self._looked.get(source.name, (0.0, "?"))
            if why and (why == "?" or self.clock.monotonic() - at > LOOK_AGAIN_S):
                why = await _examined(source.database)
                self._looked[source.name] = (self.clock.monotonic(), why)
            return why


async def _examined(database: Datasource) -> str:
    try:
        return _first_trouble(await database.examine())
    except SqlError as error:
        return str(error)


def _is_masked(catalog: Catalog, reach: Mapping[str, ReadableTable], named: str) -> bool:
    table, column = catalog.place(named)
    return table in reach and column in reach[table].masked


def _first_trouble(examined: Iterable[Examined]) -> str:
    return next((each.detail or each.code for each in examined if each.needed and not each.ok), "")
