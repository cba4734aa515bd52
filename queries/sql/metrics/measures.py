"""What a query measures: a metric of the catalogue, or an aggregate of one of its columns that no metric says."""

import re

from queries.sql.catalog.catalog import Catalog, CatalogColumn, Metric
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.query import Aggregate, Condition, MetricQuery

#: An expression that adds up one column.
SUM = re.compile(r"sum\(\s*([a-z_0-9]+)\s*\)", re.IGNORECASE)
_FUNCTIONS: dict[Aggregate, str] = {"sum": "SUM", "average": "AVG", "largest": "MAX", "smallest": "MIN"}


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
    """Return the mean, largest or smallest of what a metric adds up, over the rows that it counts."""
    summed = SUM.fullmatch(metric.expression.strip())
    if summed is None or query.aggregate is None:
        raise QueryNotPossible(f"{query.metric} adds up no column")
    return metric.model_copy(update={"expression": f"{_FUNCTIONS[query.aggregate]}({summed[1]})"})


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

    Numbers and days of the rows themselves bound them without changing what a metric means: "unpaid fines".
    """
    table, name = catalog.place(asked.column, metric.table)
    if table != metric.table or name not in catalog.tables[table].columns or name in metric.where:
        return False
    declared = catalog.tables[table].columns[name]
    return declared.type in ("number", "date", "time") and not declared.masked and not catalog.is_key(f"{table}.{name}")


def reachable(catalog: Catalog, table: str) -> tuple[str, ...]:
    """Return the columns, as `table.column`, that rows of a table have themselves or through joins."""
    return tuple(
        f"{name}.{column}"
        for name, declared in catalog.tables.items()
        if catalog.path(table, name) is not None
        for column in declared.columns
    )
