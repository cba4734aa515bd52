"""The one way to a database, whoever asks: permission, guard, cost, time limit, rows.

A model, a metric, a verb, a saved question and a page all come through here (a second way is how row rules are lost).
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from identity import audit
from identity.actor import Actor
from identity.policy import decide, require
from queries.sql.datasource import MOST_ROWS, USUAL_ROWS, Datasource, Examined, Guarded, LiveTable, Rows, fingerprint
from queries.sql.errors import (
    NameTaken,
    NoSuchQuestion,
    Refusal,
    SourceUnavailable,
    SqlError,
    StatementRefused,
    TooCostly,
)
from queries.sql.metrics.query import DataQuery, RowQuery
from queries.sql.permissions import ASK, MANAGE
from queries.sql.reach import EVERY_ROW, ReadableTable, all_read, is_masked, reach_of
from queries.sql.saved import store
from queries.sql.saved.saved import SavedQuestion
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject

if TYPE_CHECKING:  # what reads SQL is loaded with the first database: a desk without one starts 0.2 s sooner
    from queries.sql.metrics.statement import Built
    from queries.sql.setup.source import SqlSource

#: Seconds for which what the guard let pass may run without another look at the asker's rights.
STALE_S = 5.0
#: Seconds after which a database that could not be used is looked at again.
LOOK_AGAIN_S = 5.0
#: Milliseconds from which a statement counts as slow; and the statements that are remembered for the console.
SLOW_MS, REMEMBERED = 1_000.0, 200
_REFUSALS = frozenset(map(str, Refusal))


@dataclass(frozen=True)
class SourceState:
    """How a database stands: `why` it is not asked, "" when it is."""

    source: "SqlSource"
    why: str = ""


@dataclass(frozen=True)
class ReadyQuestion:
    """What the guard let pass for one person: nothing has run yet."""

    actor_id: str
    source: "SqlSource"
    asked: str  # the statement that the guard was given
    guarded: Guarded
    at: float  # when rights were looked at, in seconds of the clock that only goes forward
    price: int | None = None  # about how many rows it reads, where that is more than may be read without a button
    built: "Built | None" = None

    def is_for(self, principals: frozenset[str]) -> bool:
        """Return whether everybody who has these principals would get the same rows."""
        return all_read(self.source.catalog, self.guarded.reads, principals)


@dataclass(frozen=True)
class SqlAnswer:
    """What a question gave, and how it came about."""

    source: "SqlSource"
    rows: Rows
    asked: str  # the statement that the guard was given
    guarded: Guarded  # the one that ran
    is_partial: bool = False  # there are rows that the asker may not read
    built: "Built | None" = None

    @property
    def laid_out(self) -> str:
        """Return the statement that ran, over lines, for people."""
        return self.source.lay_out(self.guarded)

    def is_for(self, principals: frozenset[str]) -> bool:
        """Return whether everybody who has these principals would get the same rows."""
        return all_read(self.source.catalog, self.guarded.reads, principals)


@dataclass(frozen=True)
class Past:
    """A statement that was slow or refused, for who looks after the databases."""

    at: datetime
    actor: str
    source: str
    statement: str
    milliseconds: float = 0.0
    refusal: SqlError | None = None


@dataclass
class SqlService:
    """Use cases over the databases of `datasources.yaml`. `broken`: what could not even be opened, and why."""

    sources: Mapping[str, "SqlSource"]
    clock: Clock
    database: Database  # the desk's own, for the audit and saved questions
    broken: Mapping[str, str] = field(default_factory=dict)
    past: list[Past] = field(default_factory=list)
    _looked: dict[str, tuple[float, str]] = field(default_factory=dict)
    _looking: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def ready(
        self, actor: Actor, source: str, asked: str | DataQuery, *, today: date, rows: int = USUAL_ROWS
    ) -> ReadyQuestion:
        """Return a statement or a query of the catalogue as it would run for the actor, with its price; run nothing.

        Raises what is in the way of it.
        """
        require(actor, ASK)
        found = self.source(source)
        statement = asked if isinstance(asked, str) else ""
        built = None
        try:
            if not isinstance(asked, str):
                built, rows = found.build(asked, actor, today=today), max(asked.rows or 0, USUAL_ROWS)
                statement = built.statement
            guarded = await self._let_pass(actor, found, statement, rows=rows, is_built=built is not None)
            price = await self._price(found, guarded)
        except SqlError as error:
            await self._refused(actor, found, statement or str(asked), error, action="data.run")
            raise _as_told(error, actor) from error
        return ReadyQuestion(actor.id, found, statement, guarded, self.clock.monotonic(), price=price, built=built)

    async def answer(self, actor: Actor, ready: ReadyQuestion) -> SqlAnswer:
        """Run a question that was made ready, whatever it costs.

        Rights are those of this moment: what was made ready for somebody else, or a while ago, is guarded again.
        """
        require(actor, ASK)
        source, guarded = ready.source, ready.guarded
        try:
            if ready.actor_id != actor.id or self.clock.monotonic() - ready.at > STALE_S:
                is_built = ready.built is not None
                guarded = await self._let_pass(actor, source, ready.asked, rows=guarded.rows, is_built=is_built)
            found = await source.database.run(guarded)
        except SqlError as error:
            await self._refused(actor, source, ready.asked, error, action="data.run")
            raise _as_told(error, actor) from error
        await self._audit(actor, source, "data.run", {**_traces(guarded), "rows": len(found.rows)})
        if found.milliseconds > SLOW_MS:
            self._remember(Past(self.clock.now(), actor.id, source.name, guarded.statement, found.milliseconds))
        reach = reach_of(source.catalog, actor)
        is_partial = any(reach[table].where != (EVERY_ROW,) for table in guarded.reads)
        return SqlAnswer(source, found, ready.asked, guarded, is_partial=is_partial, built=ready.built)

    async def run(self, actor: Actor, source: str, statement: str, *, rows: int = USUAL_ROWS) -> SqlAnswer:
        """Run a statement at once; raise `TooCostly` where it reads more than may be read without a button."""
        ready = await self.ready(actor, source, statement, today=self.clock.now().date(), rows=rows)
        if ready.price is not None:
            await self._refused(actor, ready.source, ready.asked, error := TooCostly(ready.price), action="data.run")
            raise error
        return await self.answer(actor, ready)

    async def names(self, actor: Actor, source: str) -> Mapping[str, tuple[str, ...]]:
        """Return the names of rows that the actor may read, by `table.column`: of customers, of projects.

        Tables of more rows than a question may ask for have none, nor has what costs a button.
        """
        found = self.source(source)
        reach = reach_of(found.catalog, actor)
        names: dict[str, tuple[str, ...]] = {}
        for table, column in found.catalog.named_columns:
            if table not in reach or is_masked(reach, table, column):
                continue
            query = RowQuery(table=table, columns=(f"{table}.{column}",), rows=MOST_ROWS)
            ready = await self.ready(actor, source, query, today=self.clock.now().date())
            answered = await self.answer(actor, ready) if ready.price is None else None
            if answered is not None and not answered.rows.truncated:
                names[f"{table}.{column}"] = tuple(
                    dict.fromkeys(str(row[0]) for row in answered.rows.rows if row[0] is not None)
                )
        return names

    def guarded(self, actor: Actor, source: str, statement: str, *, rows: int = USUAL_ROWS) -> Guarded:
        """Return the statement that would run; raise `StatementRefused` with the reason."""
        require(actor, ASK)
        return self.source(source).guard(statement, actor, rows=rows)

    async def judge(self, actor: Actor, source: str, statement: str) -> Guarded:
        """Return the statement that would run, for who tries it out; raise `StatementRefused` with the reason."""
        found = self.source(source)
        try:
            guarded = self.guarded(actor, source, statement)
        except SqlError as error:
            await self._refused(actor, found, statement, error, action="data.judge")
            raise
        await self._audit(actor, found, "data.judge", _traces(guarded))
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
                resource=fingerprint(saved.name),
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
                resource=fingerprint(name),
                allowed=True,
                reason=decide(actor, ASK).reason,
                outcome="done",
                now=self.clock.now(),
            )

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

    def source(self, name: str) -> "SqlSource":
        """Return a database; raise `SourceUnavailable` when there is none of that name."""
        if name not in self.sources:
            raise SourceUnavailable(name, self.broken.get(name, "there is no such datasource"))
        return self.sources[name]

    async def close(self) -> None:
        """End every connection."""
        await asyncio.gather(*(source.database.close() for source in self.sources.values()))

    async def _let_pass(
        self, actor: Actor, source: "SqlSource", statement: str, *, rows: int, is_built: bool
    ) -> Guarded:
        """Return what may run; raise `StatementRefused` also where a query rests on a column that is masked.

        To the guard such a column is empty, and so an average of it is no value: that would look like an answer.
        Whoever wrote a statement is told beside its rows.
        """
        guarded = source.guard(statement, actor, rows=rows)
        if is_built and guarded.masked:
            raise StatementRefused(Refusal.COLUMN_NOT_PERMITTED, guarded.masked[0])
        await self._usable(source)
        return guarded

    async def _price(self, source: "SqlSource", guarded: Guarded) -> int | None:
        cost = await source.database.cost(guarded)
        return cost if cost is not None and cost > source.config.most_cost else None

    async def _refused(
        self, actor: Actor, source: "SqlSource", statement: str, error: SqlError, *, action: str
    ) -> None:
        if not isinstance(error, TooCostly):
            self._remember(Past(self.clock.now(), actor.id, source.name, statement, refusal=error))
        why = str(error.code) if isinstance(error, StatementRefused) else type(error).__name__
        await self._audit(actor, source, action, {"fingerprint": fingerprint(statement), "why": why}, why=why)

    async def _audit(
        self, actor: Actor, source: "SqlSource", action: str, detail: JsonObject, *, why: str = ""
    ) -> None:
        async with self.database.transaction() as session:
            await audit.record(
                session,
                actor=actor,
                action=action,
                resource=source.name,
                allowed=why not in _REFUSALS,
                reason=why or decide(actor, ASK).reason,
                outcome="refused" if why else "succeeded",
                detail=detail,
                now=self.clock.now(),
            )

    def _remember(self, past: Past) -> None:
        self.past.append(past)
        del self.past[:-REMEMBERED]

    async def _usable(self, source: "SqlSource") -> None:
        if why := await self._trouble(source):
            raise SourceUnavailable(source.name, why)

    async def _trouble(self, source: "SqlSource") -> str:
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
    except SourceUnavailable as error:
        return error.why
    except SqlError as error:
        return str(error)


def _as_told(error: SqlError, actor: Actor) -> SqlError:
    """Return an error as this person is told it: what they may not read does not exist for them.

    Who looks after the databases is told the difference, and the audit keeps it.
    """
    if isinstance(error, StatementRefused) and error.code is Refusal.TABLE_NOT_PERMITTED:
        return error if decide(actor, MANAGE).allowed else StatementRefused(Refusal.NO_SUCH_TABLE, error.detail)
    return error


def _traces(guarded: Guarded) -> JsonObject:
    """Return what the audit keeps of a statement: no words, and enough to find the run that holds them."""
    return {"fingerprint": fingerprint(guarded.statement), "tables": sorted(guarded.reads)}


def _first_trouble(examined: Iterable[Examined]) -> str:
    return next((each.detail or each.code for each in examined if each.needed and not each.ok), "")
