"""Whether a number is of the kind that is asked for: money, pieces, or how many rows there are."""

import re
from collections.abc import Sequence
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.words.items import Item, MeasureMissing
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.units import asks_amount, counts_pieces, counts_things, is_of_amount, unit_of
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import DataQuery, MetricQuery

#: Who is asked for, and what either side of a trade does.
_BOTH = 2
_WHO = frozenset({"who", "谁"})
_SELLS, _BUYS = (
    re.compile(r"\bs(?:old|ell|ale)|[卖售]|销"),
    re.compile(r"\b(?:bought|buy|order|purchas|spen[dt])|买|购|下单|花"),
)


def require_kind(query: DataQuery, items: Sequence[Item], catalog: Catalog) -> None:
    """Refuse money where things are counted, and entries where it is asked how much of something there was.

    几趟 is no sum of money, and "how much popcorn did we sell" no number of rows.
    """
    if not isinstance(query, MetricQuery):
        amount = asks_amount(items) and known.adding(catalog, query.table)
        if query.count and (amount or _is_of_things(items, catalog, query.table)):
            raise MeasureMissing
        return
    measured = measure_of(query, catalog)
    said = any(item.names("metric") and not item.is_supposed and item.word.end for item in items)
    if counts_pieces(items) and unit_of(measured.unit) == "money":
        raise MeasureMissing  # 平均每单几件
    if not said and counts_things(items) and unit_of(measured.unit) == "money":
        raise MeasureMissing
    if not said and measured.counts_rows and _is_of_things(items, catalog, measured.table):
        raise MeasureMissing  # "how many towels did we deliver" is no number of deliveries
    named = any(item.names("metric", "table") for item in items)
    counts = query.aggregate == "count" and not query.share and not named
    if counts and is_of_amount(items) and known.adding(catalog, measured.table):
        raise MeasureMissing
    if not said and measured.counts_rows and asks_amount(items) and known.adding(catalog, measured.table):
        raise MeasureMissing  # "how much did Polderfris buy" is no number of orders


def _is_of_things(items: Sequence[Item], catalog: Catalog, table: str) -> bool:
    """Tell whether it is asked how many of one thing there were, where each row of a table may be of several."""
    return any(
        asked.meaning is Sign.HOW_MANY and _is_thing(_label(named, catalog), catalog, table)
        for asked, named in pairwise(item for item in items if item.meaning is not Sign.FILLER)
    )


def _label(item: Item, catalog: Catalog) -> str:
    """Return the column that a word is of: that of a value, or by which the rows of a table are known."""
    if item.names("table"):
        label = catalog.tables[item.refers_to].label
        return f"{item.refers_to}.{label}" if label else ""
    return item.refers_to if item.names("value", "column") else ""


def _is_thing(column: str, catalog: Catalog, table: str) -> bool:
    if not column or known.holds_people(catalog, column.partition(".")[0]):
        return False
    holder, name = catalog.place(column)
    return catalog.tables[holder].label == name and holder != table and known.sums_pieces(catalog, table)


def other_side(items: Sequence[Item], catalog: Catalog) -> str:
    """Return the word that takes "who sold" for who bought: of those that "who" may be, one side sells; "" for none."""
    for item in items:
        people = [each for each in item.word.meanings if isinstance(each, Named) and each.kind == "column"]
        if item.word.text.lower() not in _WHO or not item.names("column") or len(people) < _BOTH:
            continue
        deeds = [each.word.text.lower() for each in items if each.meaning is Sign.TRADE or each.is_supposed]
        sells = [bool(_SELLS.search(each)) for each in deeds if _SELLS.search(each) or _BUYS.search(each)]
        seller = any(_SELLS.search(each.lower()) for each in catalog.column(item.refers_to).called.every)
        if sells and sells[0] is not seller:
            return item.word.text
    return ""
