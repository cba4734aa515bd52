"""Pages of the databases: what can be asked, a try-out with the guard's reasoning, and results with their file."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.errors import RunNotFound
from agent.results import grouped_text
from features.anatomy.pages import Download, Drawn, NoSuchPage, View, Visit
from features.data.answering import left_out
from features.data.phrases import in_words
from features.data.results import Kept, Results, as_csv
from features.data.understanding.composing.known import sample_questions
from features.data.wording import Wording
from identity.policy import decide
from queries.sql.catalog.catalog import Catalog
from queries.sql.errors import SqlError
from queries.sql.permissions import ASK, MANAGE
from queries.sql.reach import ReadableTable
from queries.sql.service import SqlService

#: Characters of a statement that the try-out takes.
_LONGEST = 8_000


@dataclass(frozen=True)
class ShownColumn:
    """A column as people read it."""

    name: str
    called: str
    kind: str
    unit: str
    meaning: str
    masked: bool


@dataclass(frozen=True)
class ShownTable:
    """A table as people read it."""

    name: str
    called: str
    meaning: str
    columns: tuple[ShownColumn, ...]


@dataclass(frozen=True)
class ShownMetric:
    """A metric as people read it."""

    name: str
    meaning: str
    unit: str
    dimensions: tuple[str, ...]
    question: str


class DataPages:
    """Views over the service, which asks for the rights."""

    def __init__(self, sql: SqlService, results: Results) -> None:
        self._sql = sql
        self._results = results

    def views(self) -> tuple[View, ...]:
        """Return every page."""
        return (
            View("/data", self.catalogue, menu="data", menu_for=ASK),
            View("/data/try", self.trial),
            View("/data/results/{run}", self.result),
            View("/data/results/{run}/table.csv", self.file),
        )

    async def catalogue(self, visit: Visit) -> Drawn:
        """Show what the visitor can ask; to who looks after the databases, how they stand, too."""
        readable = self._sql.readable(visit.actor)
        sources = [
            {
                "name": name,
                "title": self._sql.source(name).title(visit.language),
                "metrics": _metrics(self._sql.source(name).catalog, tables, visit.language),
                "tables": _tables(self._sql.source(name).catalog, tables, visit.language),
            }
            for name, tables in readable.items()
        ]
        values: dict[str, object] = {"sources": sources, "states": (), "broken": {}, "history": ()}
        values["saved"] = await self._sql.saved(visit.actor)
        if decide(visit.actor, MANAGE).allowed:
            values |= {
                "states": await self._sql.states(visit.actor),
                "broken": self._sql.broken,
                "history": [
                    (past, in_words(visit.reader, past.refusal) if past.refusal is not None else "")
                    for past in self._sql.history(visit.actor)[:20]
                ],
            }
        return Drawn("data.html", values, here="data")

    async def trial(self, visit: Visit) -> Drawn:
        """Show what the guard makes of a statement, and what it gives."""
        sources = tuple(self._sql.readable(visit.actor))
        chosen = visit.asked("source") or next(iter(sources), "")
        statement = visit.asked("statement", limit=_LONGEST)
        values: dict[str, object] = {"sources": sources, "chosen": chosen, "statement": statement}
        values |= {"ran": "", "rows": None, "refused": "", "left_out": ()}
        if statement:
            try:
                answered = await self._sql.run(visit.actor, chosen, statement)
                values |= {"ran": answered.laid_out, "rows": answered.rows}
                values |= {"left_out": left_out(answered, Wording(answered.source.catalog, visit.language))}
            except SqlError as error:
                values |= {"refused": in_words(visit.reader, error)}
        return Drawn("trial.html", values, here="data")

    async def result(self, visit: Visit) -> Drawn:
        """Show a result with all its rows."""
        kept = await self._kept(visit)
        columns = kept.table.columns
        rows = [
            [grouped_text(value, column, visit.language) for value, column in zip(row, columns, strict=True)]
            for row in kept.table.rows
        ]
        return Drawn("result.html", {"kept": kept, "rows": rows, "run": visit.parts["run"]}, here="data")

    async def file(self, visit: Visit) -> Download:
        """Return the rows for a spreadsheet."""
        kept = await self._kept(visit)
        return Download(f"{visit.parts['run']}.csv", "text/csv; charset=utf-8", as_csv(kept.table))

    async def _kept(self, visit: Visit) -> Kept:
        try:
            return await self._results.find(visit.actor, visit.parts["run"])
        except RunNotFound as error:
            raise NoSuchPage from error


def _metrics(catalog: Catalog, tables: Mapping[str, ReadableTable], language: str) -> list[ShownMetric]:
    return [
        ShownMetric(
            metric.called.first(language, name),
            metric.meaning.in_language(language),
            metric.unit,
            tuple(_called(catalog, named, metric.table, language) for named in metric.dimensions),
            next(iter(sample_questions(metric, language)), ""),
        )
        for name, metric in catalog.metrics.items()
        if metric.table in tables
    ]


def _called(catalog: Catalog, named: str, within: str, language: str) -> str:
    return catalog.column(named, within).called.first(language, named)


def _tables(catalog: Catalog, tables: Mapping[str, ReadableTable], language: str) -> list[ShownTable]:
    return [
        ShownTable(
            name,
            catalog.tables[name].called.first(language, name),
            catalog.tables[name].meaning.in_language(language),
            tuple(
                ShownColumn(
                    column,
                    each.called.first(language, column),
                    each.type,
                    each.unit,
                    each.meaning.in_language(language),
                    column in readable.masked,
                )
                for column, each in catalog.tables[name].columns.items()
            ),
        )
        for name, readable in tables.items()
    ]
