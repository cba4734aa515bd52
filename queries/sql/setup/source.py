"""A database with its catalogue: what reads and writes SQL over it stands here, and is loaded with the first one."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import sqlglot

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog
from queries.sql.config import SourceConfig
from queries.sql.datasource import Datasource, Guarded
from queries.sql.guard.guard import guard
from queries.sql.metrics.building import built, leading
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery
from queries.sql.metrics.statement import Built
from queries.sql.reach import is_masked, reach_of
from storage.ids import JsonValue, digest

#: Columns of a list for which nobody says which.
MOST_COLUMNS = 8


@dataclass(frozen=True)
class SqlSource:
    """A database that can be asked."""

    name: str
    config: SourceConfig
    catalog: Catalog
    database: Datasource
    catalog_path: Path = Path()  # the file of the catalogue

    def title(self, language: str) -> str:
        """Return what people call it."""
        return self.config.title.in_language(language) or self.name

    def rights(self, actor: Actor) -> str:
        """Return what decides over what the guard writes for somebody, as one mark: who they are, and the catalogue."""
        who: list[JsonValue] = [actor.id, actor.kind.value, *sorted(actor.principals)]
        return digest([self._catalogue, *who])

    @cached_property
    def _catalogue(self) -> str:
        return digest(self.catalog.model_dump(mode="json", by_alias=True))

    def guard(self, statement: str, actor: Actor, *, rows: int) -> Guarded:
        """Return what may run in the place of a statement; raise `StatementRefused`."""
        return guard(statement, self.catalog, actor, dialect=self.database.dialect, rows=rows)

    def build(self, query: DataQuery, actor: Actor, *, today: date) -> Built:
        """Return the statement of a query; raise `QueryNotPossible`.

        Where nobody says which columns, it is those that they may read: of a list, and of what explains a change.
        """
        reach = reach_of(self.catalog, actor)
        if isinstance(query, RowQuery) and not query.columns and query.table in reach:
            theirs = reach[query.table]
            shown = leading(query, self.catalog, [each for each in theirs.columns if each not in theirs.masked])
            columns = tuple(f"{query.table}.{each}" for each in shown[:MOST_COLUMNS])
            query = query.model_copy(update={"columns": columns})
        if isinstance(query, MetricQuery) and query.across:
            table = measure_of(query, self.catalog).table
            places = {each: self.catalog.place(each, table) for each in query.across}
            kept = [each for each, place in places.items() if not is_masked(reach, *place)]
            query = query.model_copy(update={"across": tuple(kept)})
        return built(query, self.catalog, dialect=self.database.dialect, today=today)

    def lay_out(self, guarded: Guarded) -> str:
        """Return a statement of the guard over lines, for people."""
        return sqlglot.parse_one(guarded.statement, dialect=guarded.dialect).sql(dialect=guarded.dialect, pretty=True)
