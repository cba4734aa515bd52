"""What there is right now: rows whose last day is not written yet, and those that run out later."""

import re

from features.data.understanding.composing.gathering import Gathering
from features.data.understanding.words.signs import Sign
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.measures import measure_of, time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery

_NOW = frozenset(
    {
        "right now", "now", "current", "currently", "at the moment", "at present", "presently", "still", "still have",
        "still own", "still around", "atm", "rn", "现在", "目前", "当前", "如今", "眼下", "还有", "仍", "仍然", "在职",
    }
)  # fmt: skip
#: The name of a day after which a thing is no longer there.
_OVER = re.compile(
    r"(?:^|_)(?:end|ended|left|closed|returned|back|removed|withdrawn|retired|scrapped|cancelled|canceled|terminated|"
    r"sold|decommissioned|dissolved)(?:$|_)"
)
_RUNS_OUT = re.compile(r"(?:ends?|valid_(?:until|to))(?:$|_)")


def of_now(parts: Gathering, query: DataQuery) -> DataQuery:
    """Return a number or list of rows as those that there are right now, where that is asked and can be told."""
    if not parts.said & _NOW or query.period is not None:
        return query
    if isinstance(query, MetricQuery):
        measured = measure_of(query, parts.catalog)
        table, counted = measured.table, measured.where
        counts = query.aggregate == "count" or measured.counts_rows
    else:
        table, counted, counts = query.table, query.of, True
    if not counts or counted or query.time:
        return query
    found = _conditions(parts, table)
    columns = {each.column for each in query.where}
    if not found or any(each.column in columns for each in found):
        return query
    for item in parts.signs(Sign.UNTOLD):
        item.used = item.used or item.word.text.lower() in _NOW
    return query.model_copy(update={"where": (*query.where, *found)})


def _conditions(parts: Gathering, table: str) -> tuple[Condition, ...]:
    over, runs_out = _ends(parts.catalog, table)
    if len(over) > 1 or len(runs_out) > 1:
        return ()
    today = parts.today.isoformat()
    return (
        *(Condition(column=each, values=(None,)) for each in over),
        *(Condition(column=each, values=(today,), operator="at_least") for each in runs_out),
    )


def _ends(catalog: Catalog, table: str) -> tuple[list[str], list[str]]:
    """Return the days after which rows of a table are over, and those on which they run out by plan."""
    days = {
        name: column
        for name, column in catalog.tables[table].columns.items()
        if column.type in ("date", "time") and f"{table}.{name}" != time_of(catalog, table)
    }
    return (
        [f"{table}.{name}" for name, column in days.items() if not column.ahead and _OVER.search(name)],
        [f"{table}.{name}" for name, column in days.items() if column.ahead and _RUNS_OUT.match(name)],
    )
