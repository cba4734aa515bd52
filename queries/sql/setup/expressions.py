"""The SQL inside a catalogue: aggregates and conditions, over the columns of one table each.

The guard says now what it thinks of them, so that no rule or metric is refused when somebody asks a question.
"""

from collections.abc import Callable, Iterator
from functools import partial

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from queries.sql.catalog.catalog import Catalog, CatalogColumn, CatalogTable
from queries.sql.datasource import Dialect
from queries.sql.errors import StatementRefused
from queries.sql.guard.constructs import refuse_constructs
from queries.sql.guard.reading import parsed_condition
from queries.sql.guard.rules import check_rule
from storage.files.text import Way

#: What a catalogue may be written for, where nobody says.
DIALECTS: tuple[Dialect, ...] = ("postgres", "sqlite")
_Check = Callable[[Dialect], str | None]


def wrong_expressions(catalog: Catalog, dialects: tuple[Dialect, ...] = DIALECTS) -> Iterator[tuple[Way, str]]:
    """Yield the way to each expression that works in none of the dialects, and what is wrong with it."""
    for way, check in _checks(catalog):
        problem = check(dialects[0])
        if problem and all(check(dialect) for dialect in dialects[1:]):
            yield way, f"{problem}. Correct it."


def _checks(catalog: Catalog) -> Iterator[tuple[Way, _Check]]:
    for name, table in catalog.tables.items():
        for number, rule in enumerate(table.rows):
            yield ("tables", name, "rows", number, "where"), partial(check_rule, rule.where, table)
    for name, metric in catalog.metrics.items():
        table = catalog.tables[metric.table]
        yield ("metrics", name, "expression"), partial(aggregate_problem, metric.expression, table)
        if metric.where:
            yield ("metrics", name, "where"), partial(condition_problem, metric.where, table)
        if metric.time:
            yield (
                ("metrics", name, "time"),
                partial(time_problem, metric.time, catalog.column(metric.time, metric.table)),
            )


def time_problem(name: str, column: CatalogColumn, _: Dialect) -> str | None:
    """Return what is wrong with the column that says when a row counts, None for nothing."""
    return None if column.type in {"date", "time"} else f"{name} is neither a date nor a time"


def condition_problem(text: str, table: CatalogTable, dialect: Dialect) -> str | None:
    """Return what is wrong with the condition of a metric, None for nothing: it holds for every asker."""
    problem = check_rule(text, table, dialect)
    if problem is None and parsed_condition(text, dialect).find(exp.Placeholder):
        return "it must not depend on who asks: rules of rows do"
    return problem


def aggregate_problem(text: str, table: CatalogTable, dialect: Dialect) -> str | None:
    """Return what is wrong with the expression of a metric, None for nothing."""
    try:
        tree = sqlglot.parse_one(f"SELECT {text}", read=dialect)
        refuse_constructs(tree, dialect)
    except StatementRefused as refused:
        return str(refused)
    except (SqlglotError, RecursionError):
        return "it is no expression of SQL"
    given = {part for part, value in tree.args.items() if value}
    if not isinstance(tree, exp.Select) or given != {"expressions"} or len(tree.expressions) != 1:
        return "it has to be one expression, such as count(*) or sum(amount)"
    inner = tree.expressions[0]
    if inner.find(exp.Query, exp.Window):
        return "it must not hold a SELECT or an OVER"
    if not inner.find(exp.AggFunc):
        return "it has to be an aggregate, such as count(*) or sum(amount)"
    return _columns_problem(inner, table)


def _columns_problem(tree: exp.Expr, table: CatalogTable) -> str | None:
    known = {column.lower() for column in table.columns}
    for column in tree.find_all(exp.Column):
        if column.table or column.name.lower() not in known:
            return f"{column.sql()} is none of its table's columns: {', '.join(table.columns)}"
        if not column.find_ancestor(exp.AggFunc, exp.Filter):
            return f"{column.sql()} stands outside of every aggregate: put it into one, such as sum({column.sql()})"
    return None
