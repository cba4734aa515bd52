"""What a statement over a catalogue is made of: tables that are joined as columns need them, and names of results.

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

from queries.sql.catalog.catalog import Catalog, ColumnType
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics import expressions
from queries.sql.metrics.measures import require_column
from queries.sql.metrics.query import Condition, Period

ColumnRole = Literal[
    "time",
    "cycle",
    "split",
    "value",
    "whole",
    "earlier",
    "change",
    "change_percent",
    "share",
    "field",
    "dimension",
    "part",
    "groups",
    "term",
    "place",
    "places",
]


AssumptionCode = Literal[
    "period",
    "against",
    "running",
    "all_time",
    "counted",
    "whole",
    "some",
    "mean",
    "mean_rows",
    "mean_each",
    "difference",
    "ratio",
    "without",
    "absent",
]


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
    - `some`: who has none at all is not among the rows; `metric`
    - `mean`: over how many steps of time; `steps`, `grain`
    - `mean_rows`: over the steps of time in which there is something; `grain`
    - `mean_each`: over those of a table that have any; `table`
    - `absent`: only what has a row at all is known; `column`
    - `difference`: one metric less another; `metric`, `minus`
    - `ratio`: one metric divided by another, or by the sum of a column; `metric`, `over`
    - `without`: to whom no row of a table belongs, of a period where one is named; `table`, `start`, `end`
    """

    code: AssumptionCode
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A statement with what its columns are and what it assumes."""

    statement: str
    columns: tuple[BuiltColumn, ...]
    assumptions: tuple[BuiltAssumption, ...] = ()
    reads: tuple[str, ...] = ()  # the columns that it rests on, as `table.column`


class StatementParts:
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

    def assume(self, code: AssumptionCode, **values: str) -> None:
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


def place_of(number: int) -> exp.Expr:
    """Return a column of the result by its number."""
    return exp.Literal.number(number)
