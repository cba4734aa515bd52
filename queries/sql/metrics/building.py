"""From a query of metrics or rows to the statement that answers it: an ordinary SELECT, for the guard like any other.

Tables are joined from many to one and on the left, so that a row is counted once, also where what it belongs to is
missing or not the asker's. Values come into the statement as literals of the grammar, never as text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from queries.sql.catalog.catalog import Catalog, ColumnType, Metric
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics import expressions
from queries.sql.metrics.measures import measure_of, require_column, time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery

ColumnRole = Literal["time", "split", "value", "whole", "earlier", "change", "change_percent", "share", "field"]


@dataclass(frozen=True)
class BuiltColumn:
    """A column of the result, in its order."""

    name: str  # in the statement
    role: ColumnRole
    refers_to: str  # `table.column`, or the metric (with `aggregate`: what it is of)
    type: ColumnType
    unit: str = ""  # "%" for shares and changes in percent


@dataclass(frozen=True)
class BuiltAssumption:
    """What the statement takes for granted, as a code and its values, to be put into the asker's words.

    - `period`, `against`: `start` and `end` (the last day, included), each "" when open; `column`
    - `running`: the period is not over on `today`
    - `all_time`: no period was named; `column`
    - `counted`: the metric counts only some rows; `metric`
    - `whole`: a share is of everything that meets the other conditions
    """

    code: Literal["period", "against", "running", "all_time", "counted", "whole"]
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A statement with what its columns are and what it assumes."""

    statement: str
    columns: tuple[BuiltColumn, ...]
    assumptions: tuple[BuiltAssumption, ...] = ()
    reads: tuple[str, ...] = ()  # the columns that it rests on, as `table.column`


def built(query: DataQuery, catalog: Catalog, *, dialect: Dialect, today: date) -> Built:
    """Return the statement that answers a query; QueryNotPossible when the catalogue does not give it."""
    if isinstance(query, RowQuery):
        return _RowStatement(query, catalog, dialect, today).built()
    return _MetricStatement(query, catalog, dialect, today).built()


class _Statement:
    """What both kinds share: tables that are joined as columns need them, conditions, names of results."""

    def __init__(self, catalog: Catalog, table: str, dialect: Dialect, today: date) -> None:
        if table not in catalog.tables:
            raise QueryNotPossible(f"there is no table {table}")
        self.catalog = catalog
        self.table = table
        self.dialect: Dialect = dialect
        self.today = today
        self.joined: dict[str, exp.Expr] = {}  # table → condition, in the order of joining
        self.selected: list[exp.Expr] = []
        self.columns: list[BuiltColumn] = []
        self.assumptions: list[BuiltAssumption] = []

    def column(self, named: str) -> exp.Column:
        """Return a column of this table or of one that its rows belong to, and join what leads there."""
        table, name = self.catalog.place(named, self.table)
        require_column(self.catalog, f"{table}.{name}")
        path = self.catalog.path(self.table, table)
        if path is None:
            raise QueryNotPossible(f"no join leads from {self.table} to {table}")
        for join in path:
            many, one = (self.catalog.place(side) for side in (join.many, join.one))
            if one[0] not in self.joined:
                sides = (expressions.column(*side, self.dialect) for side in (many, one))
                self.joined[one[0]] = exp.EQ(this=next(sides), expression=next(sides))
        return expressions.column(table, name, self.dialect)

    def conditions(self, asked: Iterable[Condition]) -> list[exp.Expr]:
        """Return the conditions of a query."""
        return [
            expressions.condition(
                self.column(each.column), each, self.catalog.column(each.column, self.table), self.dialect
            )
            for each in asked
        ]

    def result(self, value: exp.Expr, column: BuiltColumn) -> exp.Expr:
        """Add a column to the result under a name that no other one has, and return its value."""
        taken = {each.name.lower() for each in self.columns}
        name, number = column.name, 2
        while name.lower() in taken:
            name, number = f"{column.name}_{number}", number + 1
        self.columns.append(BuiltColumn(name, column.role, column.refers_to, column.type, column.unit))
        self.selected.append(exp.alias_(value.copy(), expressions.identifier(name, self.dialect)))
        return value

    def assume(
        self, code: Literal["period", "against", "running", "all_time", "counted", "whole"], **values: str
    ) -> None:
        """Note what is taken for granted."""
        self.assumptions.append(BuiltAssumption(code, values))

    def assume_period(self, code: Literal["period", "against"], period: Period, column: str) -> None:
        """Note a period, and whether it is still running."""
        last = "" if period.end is None else date.fromordinal(period.end.toordinal() - 1).isoformat()
        first = "" if period.start is None else period.start.isoformat()
        self.assume(code, start=first, end=last, column=column)
        begun = period.start is None or period.start <= self.today
        if code == "period" and begun and period.end is not None and period.end > self.today:
            self.assume("running", end=last)

    def select(self, where: exp.Expr | None) -> exp.Select:
        """Return the statement so far: what is selected, from where, and which rows."""
        statement = exp.select(*self.selected).from_(exp.Table(this=expressions.identifier(self.table, self.dialect)))
        for table, on in self.joined.items():
            joined = exp.Table(this=expressions.identifier(table, self.dialect))
            statement = statement.join(joined, on=on, join_type="left")
        return statement if where is None else statement.where(where)

    def finished(self, statement: exp.Select) -> Built:
        """Return the statement as text."""
        reads = {f"{each.table}.{each.name}" for each in statement.find_all(exp.Column) if each.table}
        written = statement.sql(dialect=self.dialect)
        return Built(written, tuple(self.columns), tuple(self.assumptions), tuple(sorted(reads)))

    def parsed(self, text: str) -> exp.Expr:
        """Return an expression of the catalogue with its table before each column."""
        try:
            tree = sqlglot.parse_one(text, dialect=self.dialect)
        except SqlglotError as error:
            raise QueryNotPossible(f"the catalogue's `{text}` cannot be read: {error}") from None
        for named in list(tree.find_all(exp.Column)):
            named.replace(expressions.column(named.table or self.table, named.name, self.dialect))
        return tree if not isinstance(tree, exp.Column) else expressions.column(self.table, tree.name, self.dialect)


class _MetricStatement(_Statement):
    """One metric."""

    def __init__(self, query: MetricQuery, catalog: Catalog, dialect: Dialect, today: date) -> None:
        self.metric: Metric = measure_of(query, catalog)
        super().__init__(catalog, self.metric.table, dialect, today)
        self.query = query
        self.name = query.metric if query.aggregate is None else f"{query.aggregate}_{query.metric.rpartition('.')[2]}"
        self.value = self.parsed(self.metric.expression)
        self._require_sense()

    def _require_sense(self) -> None:
        query, metric = self.query, self.metric
        allowed = {".".join(self.catalog.place(each, metric.table)) for each in metric.dimensions}
        for named in (*query.by, *(each.column for each in (*query.where, *query.part))):
            if ".".join(self.catalog.place(named, metric.table)) not in allowed:
                raise QueryNotPossible(f"{query.metric} is not told apart by {named}")
        if not metric.time and (query.grain or query.period or query.against):
            raise QueryNotPossible(f"{query.metric} has no time")
        if query.against is not None and (query.period is None or query.grain or query.share):
            raise QueryNotPossible("`against` compares two periods: it needs `period`, and no `grain` or `share`")
        if query.share and not metric.adds_up:
            raise QueryNotPossible(f"the parts of {query.metric} do not add up, so that there are no shares")
        if query.share and not (query.by or query.grain or query.part):
            raise QueryNotPossible("`share` needs `by`, `grain` or `part`")
        if query.part and (not query.share or query.by or query.grain):
            raise QueryNotPossible("`part` goes with `share`, without `by` and `grain`")

    def built(self) -> Built:
        """Return the whole statement."""
        query = self.query
        where = [self._counted(), *self.conditions(query.where), self._periods()]
        splits = self._splits()
        if query.against is not None and query.period is not None:
            self._both(query.period, query.against)
        else:
            self._values()
        statement = self.select(expressions.all_of(where))
        if splits:
            statement = statement.group_by(*(_place(number) for number in range(1, splits + 1)))
        if query.against is not None:
            statement = self._compared(statement, splits)
        if splits:
            statement = statement.order_by(*self._order(splits))
            statement = statement if query.rows is None else statement.limit(query.rows)
        return self.finished(statement)

    def _counted(self) -> exp.Expr | None:
        if not self.metric.where:
            return None
        self.assume("counted", metric=self.query.metric)
        return exp.Paren(this=self.parsed(self.metric.where))

    def _periods(self) -> exp.Expr | None:
        query, time = self.query, self.metric.time
        if not time:
            return None
        moment, named = self.column(time), ".".join(self.catalog.place(time, self.metric.table))
        if query.period is None:
            self.assume("all_time", column=named)
            return None
        self.assume_period("period", query.period, named)
        if query.against is None:
            return expressions.within(moment, query.period, self.dialect)
        self.assume_period("against", query.against, named)
        both = [expressions.within(moment, each, self.dialect) for each in (query.period, query.against)]
        return expressions.any_of(both)

    def _splits(self) -> int:
        """Add the columns that the rows are grouped by, and return how many."""
        if self.query.grain is not None:
            step = expressions.step(self.column(self.metric.time), self.query.grain, self.dialect)
            named = ".".join(self.catalog.place(self.metric.time, self.metric.table))
            self.result(step, BuiltColumn(self.query.grain, "time", named, "date"))
        for named in self.query.by:
            table, name = self.catalog.place(named, self.metric.table)
            alias = f"{table}_{name}" if name in ("name", "id", "code", "title") else name
            kind = self.catalog.column(named, self.metric.table).type
            self.result(self.column(named), BuiltColumn(alias, "split", f"{table}.{name}", kind))
        return len(self.columns)

    def _measured(self, value: exp.Expr, role: ColumnRole, name: str) -> None:
        unit = "%" if role in ("share", "change_percent") else self.metric.unit
        self.result(value, BuiltColumn(name, role, self.query.metric, "number", unit))

    def _values(self) -> None:
        query, value = self.query, self.value
        if query.part:
            self.assume("whole")
            part = expressions.only_where(value, exp.and_(*self.conditions(query.part)))
            self._measured(part, "value", self.name)
            self._measured(value, "whole", "whole")
            self._measured(expressions.percent(part.copy(), value.copy()), "share", "share")
            return
        self._measured(value, "value", self.name)
        if query.share:
            whole = exp.Window(this=exp.Sum(this=value.copy()))
            self._measured(expressions.percent(value.copy(), whole), "share", "share")

    def _both(self, period: Period, against: Period) -> None:
        moment = self.column(self.metric.time)
        sides: tuple[tuple[Period, ColumnRole, str], ...] = (
            (period, "value", self.name),
            (against, "earlier", "earlier"),
        )
        for each, role, name in sides:
            chosen = expressions.within(moment, each, self.dialect)
            self._measured(self.value if chosen is None else expressions.only_where(self.value, chosen), role, name)

    def _compared(self, statement: exp.Select, splits: int) -> exp.Select:
        """Return the statement around one of two periods that adds the change between them."""
        inner = [expressions.column("periods", each.name, self.dialect) for each in self.columns]
        now, earlier = inner[splits : splits + 2]
        self.selected = [each.copy() for each in inner]
        change: exp.Expr = exp.Sub(this=now.copy(), expression=earlier.copy())
        if self.metric.adds_up:  # what is new or gone has changed by all of it
            change = exp.func("COALESCE", change, now.copy(), exp.Neg(this=earlier.copy()))
        self._measured(change, "change", "change")
        self._measured(
            expressions.percent(change.copy(), exp.func("ABS", earlier.copy())), "change_percent", "change_percent"
        )
        return exp.select(*self.selected).from_(statement.subquery("periods"))

    def _order(self, splits: int) -> Iterable[exp.Expr]:
        query = self.query
        value = exp.Ordered(this=_place(splits + 1), desc=not query.ascending, nulls_first=False)
        others = [exp.Ordered(this=_place(number), desc=False, nulls_first=False) for number in range(1, splits + 1)]
        if query.rows is not None or query.grain is None:
            return (value, *others)
        return (others[0], value, *others[1:])


class _RowStatement(_Statement):
    """Rows of a table, or how many there are."""

    def __init__(self, query: RowQuery, catalog: Catalog, dialect: Dialect, today: date) -> None:
        super().__init__(catalog, query.table, dialect, today)
        self.query = query

    def built(self) -> Built:
        """Return the whole statement."""
        query = self.query
        where = expressions.all_of([*self.conditions(query.where), self._period()])
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
        return self.finished(statement if query.rows is None else statement.limit(query.rows))

    def _period(self) -> exp.Expr | None:
        period = self.query.period
        if period is None:
            return None
        named = time_of(self.catalog, self.table)
        if not named:
            raise QueryNotPossible(f"{self.table} has no time")
        self.assume_period("period", period, named)
        return expressions.within(self.column(named), period, self.dialect)

    def _own(self) -> tuple[str, ...]:
        """Return the columns of the table that are shown when nobody says which: its label first."""
        table = self.catalog.tables[self.table]
        own = sorted(table.columns, key=lambda name: name != table.label)
        return tuple(own[:12])

    def _order(self, places: list[str]) -> Iterable[exp.Expr]:
        query = self.query
        asked = ".".join(self.catalog.place(query.order, query.table)) if query.order else ""
        if asked:
            first = _place(places.index(asked) + 1) if asked in places else self.column(asked)
            yield exp.Ordered(this=first, desc=not query.ascending, nulls_first=False)
        for number, place in enumerate(places, start=1):
            if place != asked:
                yield exp.Ordered(this=_place(number), desc=False, nulls_first=False)


def _place(number: int) -> exp.Expr:
    """Return a column of the result by its number."""
    return exp.Literal.number(number)


def dimensions_of(query: MetricQuery, catalog: Catalog) -> tuple[str, ...]:
    """Return the columns, as `table.column`, by which a query may be split and filtered."""
    metric = measure_of(query, catalog)
    return tuple(".".join(catalog.place(each, metric.table)) for each in metric.dimensions)
