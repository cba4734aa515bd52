"""From a query of metrics or rows to the statement that answers it: an ordinary SELECT, for the guard as any other."""

from collections.abc import Iterable
from datetime import date

from sqlglot import exp

from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics import expressions
from queries.sql.metrics.changes import ChangesStatement
from queries.sql.metrics.measures import day_of, measure_of, require_column, telling
from queries.sql.metrics.metric import MetricStatement
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery
from queries.sql.metrics.statement import Built, BuiltColumn, StatementParts, place_of


def built(query: DataQuery, catalog: Catalog, *, dialect: Dialect, today: date) -> Built:
    """Return the statement that answers a query; QueryNotPossible when the catalogue does not give it."""
    if isinstance(query, RowQuery):
        return _RowStatement(query, catalog, dialect, today).built()
    if query.across:
        return ChangesStatement(query, catalog, dialect, today).built()
    return MetricStatement(query, catalog, dialect, today).built()


class _RowStatement(StatementParts):
    """Rows of a table, or how many there are."""

    def __init__(self, query: RowQuery, catalog: Catalog, dialect: Dialect, today: date) -> None:
        super().__init__(catalog, query.table, dialect, today)
        self.query = query

    def built(self) -> Built:
        """Return the whole statement."""
        query = self.query
        where = expressions.all_of([self._counted(), *self.conditions(query.where), self._period(), self._without()])
        if query.count:
            self.result(exp.Count(this=exp.Star()), BuiltColumn("count", "value", query.table, "number"))
            return self.finished(self.select(where))
        shown = query.columns or self._own()
        places = [".".join(self.catalog.place(each, query.table)) for each in shown]
        for place in places:
            name, declared = place.rpartition(".")[2], require_column(self.catalog, place)
            self.result(self.column(place), BuiltColumn(name, "field", place, declared.type, declared.unit))
        ordered = list(self._order(places))
        statement = self.select(where).order_by(*ordered)
        if query.rows == 1 and query.order:
            return self.finished(self._with_ties(statement, self.column(query.order)))
        return self.finished(statement if query.rows is None else statement.limit(query.rows))

    def _with_ties(self, statement: exp.Select, order: exp.Expr) -> exp.Select:
        """Return the first row, and all that share its place: two people may have the highest wage."""
        by = exp.Ordered(this=order.copy(), desc=not self.query.ascending, nulls_first=False)
        placed = statement.select(exp.alias_(exp.Window(this=exp.Rank(), order=exp.Order(expressions=[by])), "place"))
        placed.set("order", None)
        outer = [expressions.column("placed", each.name, self.dialect) for each in self.columns]
        chosen = exp.select(*outer).from_(placed.subquery("placed"))
        first = exp.EQ(this=expressions.column("placed", "place", self.dialect), expression=expressions.number("1"))
        return chosen.where(first).order_by(exp.Ordered(this=place_of(1), desc=False, nulls_first=False))

    def _counted(self) -> exp.Expr | None:
        return self._of(self, self.query.of)

    def _of(self, parts: StatementParts, name: str) -> exp.Expr | None:
        """Return which rows of a table a metric counts."""
        if not name:
            return None
        metric = self.catalog.metrics.get(name)
        if metric is None or metric.table != parts.table or not metric.where:
            raise QueryNotPossible(f"{name} is no metric that counts some rows of {parts.table}")
        self.assume("counted", metric=name)
        return exp.Paren(this=parts.parsed(metric.where))

    def _period(self) -> exp.Expr | None:
        period = self.query.period
        if period is None:
            return None
        named = day_of(self.catalog, self.table, self.query.time)
        if not named:
            raise QueryNotPossible(f"{self.table} has no time")
        self.assume_period("period", period, named)
        return expressions.within(self.column(named), period, self.dialect)

    def _without(self) -> exp.Expr | None:
        """Return the condition that no row of another table belongs to a row; the other one's row rules hold there."""
        absent = self.query.without
        if absent is None:
            return None
        path = self.catalog.path(absent.table, self.table) if absent.table in self.catalog.tables else None
        if not path:
            raise QueryNotPossible(f"no join leads from {absent.table} to {self.table}")
        inner = StatementParts(self.catalog, absent.table, self.dialect, self.today)
        belongs = inner.column(path[-1].many)
        inner.selected.append(belongs.copy())
        where: list[exp.Expr | None] = [
            exp.Not(this=exp.Is(this=belongs.copy(), expression=exp.null())),
            *inner.conditions(absent.where),
            self._of(inner, absent.of),
        ]
        told = {"start": "", "end": ""}
        if absent.period is not None:
            named = day_of(self.catalog, absent.table, "")
            if not named:
                raise QueryNotPossible(f"{absent.table} has no time")
            where.append(expressions.within(inner.column(named), absent.period, self.dialect))
            inner.assume_period("period", absent.period, named)
            told = {name: inner.assumptions[0].values[name] for name in told}
        self.assume("without", table=absent.table, **told)
        key = self.column(path[-1].one)
        return exp.Not(this=exp.In(this=key, query=exp.Subquery(this=inner.select(expressions.all_of(where)))))

    def _own(self) -> tuple[str, ...]:
        columns = self.catalog.tables[self.table].columns
        told = [name for name in columns if not self.catalog.is_key(f"{self.table}.{name}")]
        return leading(self.query, self.catalog, told or columns)[:12]

    def _order(self, places: list[str]) -> Iterable[exp.Expr]:
        query = self.query
        asked = ".".join(self.catalog.place(query.order, query.table)) if query.order else ""
        if asked:
            first = place_of(places.index(asked) + 1) if asked in places else self.column(asked)
            yield exp.Ordered(this=first, desc=not query.ascending, nulls_first=False)
        dated = bool(asked) and self.catalog.column(asked).type in ("date", "time")
        latest = dated and not query.ascending  # of one day, the last number is the newest
        for number, place in enumerate(places, start=1):
            if place != asked:
                yield exp.Ordered(this=place_of(number), desc=latest, nulls_first=False)


def leading(query: RowQuery, catalog: Catalog, columns: Iterable[str]) -> tuple[str, ...]:
    """Return columns of rows with those first that people know them by: the label, and what they were chosen for."""
    first = [catalog.tables[query.table].label, *(each.rpartition(".")[2] for each in (query.order, query.time))]
    return tuple(sorted(columns, key=lambda name: first.index(name) if name in first else len(first)))


def telling_of(query: MetricQuery, catalog: Catalog) -> tuple[str, ...]:
    """Return the columns, as `table.column`, by which a query may be split and filtered."""
    return telling(catalog, measure_of(query, catalog))


def dimensions_of(query: MetricQuery, catalog: Catalog) -> tuple[str, ...]:
    """Return the columns, as `table.column`, by which a query is told apart where nobody says by which."""
    metric = measure_of(query, catalog)
    return tuple(".".join(catalog.place(each, metric.table)) for each in metric.dimensions)
