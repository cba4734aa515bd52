"""The metrics that a catalogue has for what is asked in other words: it knows best which rows count."""

import re
from collections.abc import Iterable

from features.data.understanding.words import forms
from features.data.understanding.words.concepts import MONEY_UNITS, PERSONS
from features.data.understanding.words.vocabulary import singular, tokens_of
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog, Metric
from queries.sql.catalog.states import is_state
from queries.sql.metrics.measures import SUM
from queries.sql.metrics.query import Aggregate

#: What counts each thing once that rows belong to.
DISTINCT = re.compile(r"count\(\s*distinct\s+([a-z_0-9]+)\s*\)", re.IGNORECASE)
_FUNCTIONS: dict[Aggregate, tuple[str, ...]] = {
    "average": ("avg",), "sum": ("sum",), "largest": ("max",), "smallest": ("min",),
}  # fmt: skip


#: What people are called, in catalogues of any company.
#: What is done to things that are bought, and to those that are sold: of one company mostly the same rows.
TRADED = frozenset("售卖销购订买")
TRADES = frozenset({"sell", "buy", "purchas", "order", "book"})
_EMPTY = frozenset({"of", "number", "total", "数", "量", "额", "的", "人"})
_COST = frozenset({"cost", "costs", "expense", "expenses"})
_PEOPLE = frozenset({"people", "persons", "employees", "staff", "人员", "员工"})


def root(catalog: Catalog, tables: Iterable[str]) -> str:
    """Return the one of these tables whose rows belong to rows of all the others; "" for none."""
    named = set(tables)
    return _only(each for each in named if all(catalog.path(each, other) is not None for other in named))


def counting(catalog: Catalog, table: str) -> str:
    """Return the metric that is the number of a table's rows; "" for none."""
    counts = (name for name, metric in catalog.metrics.items() if metric.table == table and metric.counts_rows)
    return next(counts, "")


def sole_count(catalog: Catalog, table: str) -> str:
    """Return the metric that counts a table's rows where nothing else counts them otherwise; "" for none."""
    counts = [
        name
        for name, metric in catalog.metrics.items()
        if metric.table == table and metric.expression.lower().replace(" ", "").startswith("count(")
    ]
    return counts[0] if len(counts) == 1 and catalog.metrics[counts[0]].counts_rows else ""


def dated(catalog: Catalog, day: str) -> str:
    """Return the metric that counts all rows by this day; "" for none."""
    return _only(
        name
        for name, metric in catalog.metrics.items()
        if metric.counts_rows and not metric.where and metric.time
        if ".".join(catalog.place(metric.time, metric.table)) == day
    )


def done_on(catalog: Catalog, day: str) -> str:
    """Return the metric that counts the rows that have this day: who left; "" for none."""
    return dated(catalog, day) or _only(
        name
        for name, metric in catalog.metrics.items()
        if metric.time and metric.is_count
        if metric.where.lower() == f"{metric.time} is not null"
        if ".".join(catalog.place(metric.time, metric.table)) == day
    )


def by_first_day(catalog: Catalog, table: str) -> str:
    """Return the one metric that counts all rows of a table by a day; "" for none."""
    return _only(
        name for name, metric in catalog.metrics.items() if metric.table == table and metric.time and metric.counts_rows
    )


def adding(catalog: Catalog, table: str) -> bool:
    """Tell whether a metric adds up something of a table's rows."""
    return any(
        metric.table == table and metric.expression.lower().startswith("sum(") for metric in catalog.metrics.values()
    )


def is_traded(catalog: Catalog, metric: Metric) -> bool:
    """Tell whether a metric is of what is bought and sold."""
    chinese = (*metric.called.zh, *catalog.tables[metric.table].called.zh)
    english = (*metric.called.en, metric.time.rpartition(".")[2].partition("_")[0], metric.table)
    roots = {forms.root(token) for name in english for token, _, _ in tokens_of(name)}
    return bool(TRADES & roots) or bool(TRADED & {character for name in chinese for character in name})


def trading(catalog: Catalog, column: str) -> str:
    """Return the one metric that counts all of what is bought and sold, and knows this column; "" for none."""
    return _only(
        name
        for name, metric in catalog.metrics.items()
        if metric.counts_rows and is_traded(catalog, metric)
        if catalog.path(metric.table, column.partition(".")[0]) is not None
    )


def counting_each(catalog: Catalog, table: str, label: str) -> str:
    """Return the metric that counts each thing once to which rows of a table belong; "" for none."""
    whole, name = catalog.place(label)
    return _only(
        each
        for each, metric in catalog.metrics.items()
        if metric.table == table and not metric.where and (key := DISTINCT.fullmatch(metric.expression.strip()))
        if catalog.belonging(f"{table}.{key[1]}") == whole and catalog.tables[whole].label == name
    )


def sums_pieces(catalog: Catalog, table: str) -> bool:
    """Tell whether a metric adds up how many pieces the rows of a table are of."""
    return any(
        metric.table == table and not metric.unit and SUM.fullmatch(metric.expression.strip())
        for metric in catalog.metrics.values()
    )


def of_people(catalog: Catalog) -> str:
    """Return the one table whose rows are people; "" for none."""
    return _only(
        name for name, table in catalog.tables.items() if _PEOPLE & {each.lower() for each in table.called.every}
    )


def holds_people(catalog: Catalog, table: str) -> bool:
    """Tell whether the rows of a table are people of whatever kind."""
    return bool(PERSONS & {each.lower() for each in (*catalog.tables[table].called.every, table)})


def people_behind(catalog: Catalog, table: str) -> str:
    """Return the column that people are known by who have to do with the rows of a table; "" for none or several."""
    tables = (each for each in catalog.tables if holds_people(catalog, each) and catalog.tables[each].label)
    return _only(f"{each}.{catalog.tables[each].label}" for each in tables if catalog.path(table, each) is not None)


def kind_of(catalog: Catalog, table: str) -> str:
    """Return the one column that says what the rows of a table are: the kind of treatment; "" for none."""
    columns = catalog.tables[table].columns.items() if table in catalog.tables else ()
    whole = catalog.tables[table].called if table in catalog.tables else None
    return _only(
        f"{table}.{name}"
        for name, column in columns
        if column.values and column.type == "text" and whole is not None and not is_state(column)
        if any(singular(each.lower()) in said for each in whole.every for said in column.called.every)
    )


def price(catalog: Catalog, table: str) -> str:
    """Return the one number of money that rows of a table have, before its costs; "" for none or several."""
    sums = {
        catalog.same[name]: not _COST & {word for called in metric.called.en for word in called.lower().split()}
        for name, metric in catalog.metrics.items()
        if metric.table == table and metric.unit.lower() in MONEY_UNITS and SUM.fullmatch(metric.expression.strip())
    }
    if sums:
        return _only(name for name, comes_in in sums.items() if comes_in or len(sums) == 1)
    return money_of(catalog, table) if table else ""


def money_of(catalog: Catalog, table: str) -> str:
    """Return the one column of money of a table's rows; "" for none or several."""
    return _only(
        f"{table}.{name}"
        for name, column in catalog.tables[table].columns.items()
        if column.type == "number" and column.unit.lower() in MONEY_UNITS and not column.masked
    )


def named_like(catalog: Catalog, table: str) -> str:
    """Return the one metric without a time that is called as its table is; "" for none."""
    names = {each.lower() for each in catalog.tables[table].called.every}
    return _only(
        name
        for name, metric in catalog.metrics.items()
        if metric.table == table and not metric.time and names & {each.lower() for each in metric.called.every}
    )


def of_rows(catalog: Catalog, table: str) -> str:
    """Return the metric that says which rows of a table count, where nothing else does: who works here; "" for none."""
    named = named_like(catalog, table)
    return named if named and catalog.metrics[named].where else ""


def aggregating(catalog: Catalog, column: str, aggregate: Aggregate) -> str:
    """Return the one metric that is the average, sum, largest or smallest of a column; "" for none."""
    table, name = catalog.place(column)
    calls = {f"{function}({place})" for function in _FUNCTIONS.get(aggregate, ()) for place in (name, column)}
    return _only(
        each
        for each, metric in catalog.metrics.items()
        if metric.table == table and metric.expression.replace(" ", "").lower() in calls
    )


def named_as(catalog: Catalog, metric: str, column: str) -> bool:
    """Tell whether a metric is called as the column is that it adds up: fines, and the fine of each loan."""
    names = (catalog.metrics[metric].called.every, catalog.column(column).called.every)
    words, others = ({forms.root(token) for each in called for token, _, _ in tokens_of(each)} for called in names)
    return bool(words & others - _EMPTY)


def sample_questions(metric: Metric, language: str) -> tuple[str, ...]:
    """Return the sample questions of a metric in a language."""
    return tuple(question for question in metric.questions if language_of(question) == language)


def _only(names: Iterable[str]) -> str:
    found = list(names)
    return found[0] if len(found) == 1 else ""
