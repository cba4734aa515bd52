"""The SQL inside a catalogue: aggregates and conditions, over the columns of one table each."""

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from queries.sql.catalog.catalog import Catalog, CatalogTable
from queries.sql.setup.text import Way

#: What a catalogue may be written for; a construct that one of them reads is no mistake here.
DIALECTS = ("postgres", "sqlite")
#: What a condition may say about who asks.
ASKER = ("person", "email", "units", "groups", "roles")


def wrong_expressions(catalog: Catalog) -> Iterator[tuple[Way, str]]:
    """Yield the way to each expression that cannot work, and what is wrong with it."""
    for name, table in catalog.tables.items():
        for number, rule in enumerate(table.rows):
            problem = condition_problem(rule.where, name, table, asker=True)
            if problem:
                yield ("tables", name, "rows", number, "where"), problem
    for name, metric in catalog.metrics.items():
        table = catalog.tables[metric.table]
        problem = aggregate_problem(metric.expression, metric.table, table)
        if problem:
            yield ("metrics", name, "expression"), problem
        if metric.where and (problem := condition_problem(metric.where, metric.table, table)):
            yield ("metrics", name, "where"), problem
        if metric.time and table.columns[metric.time.rpartition(".")[2]].type not in {"date", "time"}:
            yield ("metrics", name, "time"), f"{metric.time} is neither a date nor a time. Say so in its type."


def condition_problem(text: str, name: str, table: CatalogTable, *, asker: bool = False) -> str:
    """Return what is wrong with a condition over a table, "" for nothing."""
    tree = _parsed(text)
    if isinstance(tree, str):
        return tree
    if tree.find(exp.AggFunc, exp.Window):
        return "is a condition on one row: it cannot count or add up. Remove the aggregate."
    for placeholder in tree.find_all(exp.Placeholder, exp.Parameter):
        if not asker or placeholder.name not in ASKER:
            known = ", ".join(f":{each}" for each in ASKER)
            return f":{placeholder.name} is unknown. " + (f"Use one of {known}." if asker else "Write a value.")
    return _columns_problem(tree, name, table)


def aggregate_problem(text: str, name: str, table: CatalogTable) -> str:
    """Return what is wrong with the expression of a metric, "" for nothing."""
    tree = _parsed(text)
    if isinstance(tree, str):
        return tree
    if tree.find(exp.Window, exp.Placeholder, exp.Parameter):
        return "is one number for a group of rows: no OVER, no :names. Remove them."
    if not tree.find(exp.AggFunc):
        return "has to be an aggregate, such as count(*) or sum(amount)."
    for column in tree.find_all(exp.Column):
        if not column.find_ancestor(exp.AggFunc, exp.Filter):
            return f"{column.sql()} stands outside of every aggregate. Put it into one, such as sum({column.sql()})."
    return _columns_problem(tree, name, table)


def _parsed(text: str) -> exp.Expression | str:
    """Return the expression, or what is wrong with it."""
    for dialect in DIALECTS:
        try:
            tree = sqlglot.parse_one(f"SELECT {text}", read=dialect)
        except (SqlglotError, RecursionError):
            continue
        if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or set(_parts(tree)) != {"expressions"}:
            return "has to be one expression of SQL, and no whole statement. Correct it."
        if tree.expressions[0].find(exp.Query, exp.Star) and not _only_counts(tree):
            return "must not hold a SELECT or a star of its own. Remove it."
        found: exp.Expression = tree.expressions[0]
        return found
    return "is no expression of SQL. Correct it."


def _parts(tree: exp.Select) -> Iterator[str]:
    return (name for name, value in tree.args.items() if value)


def _only_counts(tree: exp.Select) -> bool:
    """Tell whether every star is that of count(*)."""
    inner = tree.expressions[0]
    return not inner.find(exp.Query) and all(isinstance(star.parent, exp.Count) for star in inner.find_all(exp.Star))


def _columns_problem(tree: exp.Expression, name: str, table: CatalogTable) -> str:
    known = {column.lower() for column in table.columns}
    for column in tree.find_all(exp.Column):
        if column.name.lower() not in known or column.table.lower() not in {"", name.lower()}:
            return f"{column.sql()} is no column of {name}. Use one of {', '.join(table.columns)}."
    return ""
