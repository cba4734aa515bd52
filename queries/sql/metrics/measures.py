"""What a query measures: a metric of the catalogue, or an aggregate of one of its columns that no metric says."""

import re
from decimal import Decimal

from queries.sql.catalog.catalog import Catalog, CatalogColumn, Metric
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.query import Aggregate, Condition, MetricQuery

#: An expression that adds up one column, and how it is scaled: of pence, in pounds.
SUM = re.compile(r"sum\(\s*([a-z_0-9]+)\s*\)(\s*[*/]\s*[0-9.]+)?", re.IGNORECASE)
#: … or takes its mean, in the place of which the median may stand.
_MEAN = re.compile(r"(?:sum|avg)\(\s*([a-z_0-9]+)\s*\)(\s*[*/]\s*[0-9.]+)?", re.IGNORECASE)
_FUNCTIONS: dict[Aggregate, str] = {
    "sum": "SUM",
    "average": "AVG",
    "median": "AVG",
    "largest": "MAX",
    "smallest": "MIN",
}


def measure_of(query: MetricQuery, catalog: Catalog) -> Metric:
    """Return the metric that a query measures; QueryNotPossible when the catalogue gives none."""
    if query.time and query.aggregate != "count":
        raise QueryNotPossible("`time` goes with `count` only")
    if query.aggregate is None:
        if query.metric not in catalog.metrics:
            raise QueryNotPossible(f"there is no metric {query.metric}")
        return catalog.metrics[query.metric]
    if query.aggregate == "count":
        if query.metric not in catalog.tables:
            raise QueryNotPossible(f"there is no table {query.metric}")
        counted = _derived(catalog, query.metric, "COUNT(*)", "")
        return (
            counted
            if not query.time
            else counted.model_copy(update={"time": day_of(catalog, query.metric, query.time)})
        )
    if query.metric in catalog.metrics:
        return _of_each_row(catalog.metrics[query.metric], query)
    table, name = catalog.place(query.metric)
    declared = require_column(catalog, query.metric)
    if declared.type != "number":
        raise QueryNotPossible(f"{query.metric} holds no numbers")
    return _derived(catalog, table, f'{_FUNCTIONS[query.aggregate]}("{name}")', declared.unit)


def _of_each_row(metric: Metric, query: MetricQuery) -> Metric:
    """Return the mean, median, largest or smallest of what a metric adds up, over the rows that it counts."""
    summed = (SUM if query.aggregate in ("sum", "average") else _MEAN).fullmatch(metric.expression.strip())
    if summed is None or query.aggregate is None:
        raise QueryNotPossible(f"{query.metric} adds up no column")
    return metric.model_copy(update={"expression": f"{_FUNCTIONS[query.aggregate]}({summed[1]}){summed[2] or ''}"})


def averaged(metric: Metric) -> str:
    """Return the column of each row that a metric adds up or takes the mean of; "" for none."""
    found = _MEAN.fullmatch(metric.expression.strip())
    return f"{metric.table}.{found[1]}" if found is not None else ""


def time_of(catalog: Catalog, table: str) -> str:
    """Return the column, as `table.column`, that says when a row counts; "" when the table has none."""
    stated = (metric.time for metric in catalog.metrics.values() if metric.table == table and metric.time)
    named = next(stated, "")
    if named:
        return ".".join(catalog.place(named, table))
    columns = catalog.tables[table].columns.items()
    return next((f"{table}.{name}" for name, column in columns if column.type in ("date", "time")), "")


def day_of(catalog: Catalog, table: str, named: str) -> str:
    """Return the column that a period is of: the named one, or the table's own; "" when it has none."""
    if not named:
        return time_of(catalog, table)
    place = ".".join(catalog.place(named, table))
    if place.partition(".")[0] != table or require_column(catalog, place).type not in ("date", "time"):
        raise QueryNotPossible(f"{named} is no day of {table}")
    return place


def require_column(catalog: Catalog, named: str) -> CatalogColumn:
    """Return the column called `table.column`; QueryNotPossible when there is none."""
    try:
        return catalog.column(named)
    except ValueError as error:
        raise QueryNotPossible(str(error)) from None


def _derived(catalog: Catalog, table: str, expression: str, unit: str) -> Metric:
    return Metric(
        called=catalog.tables[table].called,
        table=table,
        expression=expression,
        unit=unit,
        time=time_of(catalog, table),
        dimensions=tuple(reachable(catalog, table)),
    )


def may_bound(catalog: Catalog, metric: Metric, asked: Condition) -> bool:
    """Tell whether a condition may hold for what a metric measures, though no dimension is of its column.

    What the rows themselves say bounds them without changing what a metric means: "unpaid fines", "stays with
    breakfast". Rates and means may be made of it: a rate of cancelled ones, of those alone.
    """
    table, name = catalog.place(asked.column, metric.table)
    if table != metric.table or name not in catalog.tables[table].columns:
        return False
    declared = catalog.tables[table].columns[name]
    if name in metric.where:
        return declared.type == "text" and metric.adds_up and _is_within(metric.where, name, asked)
    in_rows = metric.adds_up and re.search(rf"\b{name}\b", metric.expression) is None
    told = declared.type in ("number", "date", "time") or in_rows
    return told and not declared.masked and not catalog.is_key(f"{table}.{name}")


def _is_within(where: str, name: str, asked: Condition) -> bool:
    """Tell whether the rows that a metric counts hold those that are asked for: paid ones, of all not cancelled."""
    sign, said = r"(<>|!=|=|not in|in)", r"('[^']*'(?:\s*+,\s*+'[^']*')*+)"
    plain = re.fullmatch(rf"{name}\s*+{sign}\s*+(?:\(\s*+)?{said}\s*+\)?", where.strip(), re.IGNORECASE)
    if plain is None or asked.operator != "is":
        return False
    named = set(re.findall(r"'([^']*)'", plain[2]))
    left_out = plain[1].lower() in ("<>", "!=", "not in")
    return all((value in named) is not left_out for value in asked.values)


def scale_of(catalog: Catalog, column: str) -> Decimal:
    """Return how many of a column's units make one of what metrics give of it: a hundred pence a pound."""
    for metric in catalog.metrics.values():
        found = _MEAN.fullmatch(metric.expression.strip())
        if found is not None and found[2] and f"{metric.table}.{found[1]}" == column:
            size = Decimal(found[2].strip()[1:].strip())
            return size if "/" in found[2] else 1 / size
    return Decimal(1)


def telling(catalog: Catalog, metric: Metric) -> tuple[str, ...]:
    """Return the columns that tell a metric apart: its dimensions, and what else is told of the things they are of.

    Who is known by name may be told apart by their job as well. What stands in the rows themselves the metric names.
    """
    declared = [catalog.place(each, metric.table) for each in metric.dimensions]
    beside = [
        (table, name)
        for table in dict.fromkeys(table for table, _ in declared if table != metric.table)
        for name, column in catalog.tables[table].columns.items()
        if column.type in ("text", "flag") and not column.masked and not catalog.is_key(f"{table}.{name}")
        if name != catalog.tables[table].label  # each of its rows is no kind of them
    ]
    return tuple(dict.fromkeys(".".join(each) for each in (*declared, *beside)))


def reachable(catalog: Catalog, table: str) -> tuple[str, ...]:
    """Return the columns, as `table.column`, that rows of a table have themselves or through joins."""
    return tuple(
        f"{name}.{column}"
        for name, declared in catalog.tables.items()
        if catalog.path(table, name) is not None
        for column in declared.columns
    )
