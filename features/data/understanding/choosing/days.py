"""Questions for the day on which something was done with one thing: "when did Riverside open"."""

from collections.abc import Sequence

from features.data.understanding.asking import is_guidance
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import CutWord, Named, Vocabulary
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, RowQuery

#: What asks when something began to be what it is: "since when has it been a customer", 什么时候成为客户.
_BEGINS = frozenset({"since", "become", "became", "从", "自", "成", "成为", "变成", "开始"})
_WHEN = ("when", "什么时候", "是什么时候", "哪天", "哪一天", "是哪天", "是哪一天")
_LAST, _FIRST = ("last", "最近", "上次", "上一次"), ("first", "第一次", "首次")


def day_of_one(words: Sequence[CutWord], vocabulary: Vocabulary, catalog: Catalog) -> RowQuery | None:
    """Return the query of a day of the one thing that is named; None where more is said, or less.

    Of what belongs to it the last or first such day is meant: "when did Polderfris last order".
    """
    guided = [word for word in words if word.text.lower().startswith(_WHEN)]
    if not guided or any(is_guidance(word) and word not in guided for word in words):
        return None
    ones = {
        each: word for word in words for each in word.meanings if _is_one(each, catalog) and isinstance(each, Named)
    }
    if len(ones) != 1:
        return None
    ((one, name),) = ones.items()
    table, label = catalog.place(one.refers_to)
    ranks = [word for word in words if word.has(Sign.NEWEST, Sign.OLDEST) or word.text.lower() in (*_LAST, *_FIRST)]
    days: list[set[str]] = []
    for word in words:
        if found := {day for each in vocabulary.all_of(word) if (day := _day(each, table, catalog, far=bool(ranks)))}:
            days.append(found)
        elif not (
            word is name
            or word in (*guided, *ranks)
            or word.has(Sign.FILLER)
            or word.text.lower() in _BEGINS
            or Named("table", table) in word.meanings
        ):
            return None
    meant = set.intersection(*days) if days else _first_days(words, table, catalog)
    if len(meant) != 1:
        return None
    day = meant.pop()
    where = (Condition(column=one.refers_to, values=(one.value,)),)
    if (own := day.partition(".")[0]) == table:
        return None if ranks else RowQuery(table=table, columns=(f"{table}.{label}", day), where=where)
    first = any(word.has(Sign.OLDEST) or word.text.lower() in _FIRST for word in ranks)
    shown = (f"{own}.{catalog.tables[own].label}", day) if catalog.tables[own].label else (day,)
    return RowQuery(table=own, columns=shown, where=where, order=day, ascending=first, rows=1)


def _first_days(words: Sequence[CutWord], table: str, catalog: Catalog) -> set[str]:
    """Return the days of a table where it is asked when a row of it began to be one."""
    begins = any(word.text.lower() in _BEGINS for word in words)
    named = any(Named("table", table) in word.meanings for word in words)
    columns = catalog.tables[table].columns.items() if begins and named else ()
    return {f"{table}.{name}" for name, column in columns if column.type in ("date", "time")}


def _is_one(meaning: object, catalog: Catalog) -> bool:
    """Tell whether it is the name of a row."""
    if not isinstance(meaning, Named) or meaning.kind != "value":
        return False
    table, name = catalog.place(meaning.refers_to)
    return catalog.tables[table].label == name


def _day(named: Named, table: str, catalog: Catalog, *, far: bool) -> str:
    """Return the day that a word names of a table, or `far` of what belongs to its rows; "" for none.

    What counts rows by their day says it as well: "start" of new hires, "order" of orders.
    """
    day = named.refers_to if named.kind == "column" else ""
    if named.kind == "metric" and (metric := catalog.metrics[named.refers_to]).time and metric.counts_rows:
        day = ".".join(catalog.place(metric.time, metric.table))
    if not day or catalog.column(day).type not in ("date", "time"):
        return ""
    own = day.partition(".")[0]
    return day if own == table or (far and catalog.path(own, table)) else ""
