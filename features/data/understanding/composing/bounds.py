"""Bounds on a result: "customers with more than 10 orders", "products that sold at least 20", 订单超过100的产品."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from features.data.understanding.words.items import Item, MeasureMissing
from features.data.understanding.words.signs import Sign
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Bound

BoundOperator = Literal["more", "less", "at_least", "at_most", "is"]
#: Signs that stand before their number, and those behind it.
LIMITS: dict[Sign, BoundOperator] = {
    Sign.MORE: "more",
    Sign.LESS: "less",
    Sign.AT_LEAST: "at_least",
    Sign.AT_MOST: "at_most",
    Sign.EXACTLY: "is",
}
BEHIND: dict[Sign, BoundOperator] = {Sign.OR_MORE: "at_least", Sign.OR_LESS: "at_most"}


def bounds_in(items: Sequence[Item], catalog: Catalog, *, known: bool) -> tuple[Bound, ...]:
    """Return the bounds on what is measured, and use the words that say them.

    `known`: what is measured was said before, so that it need not stand beside them.
    """
    found: list[Bound] = []
    for first, last, bounds in stretches(items):
        if any(item.used for item in items[first : last + 1]):
            continue
        if not known and not _is_of_measure(items, first, last, catalog):
            continue
        for item in items[first : last + 1]:
            item.used = True
        found += bounds
    return tuple(found)


def exact(number: float) -> Decimal:
    """Return a number as it was written."""
    return Decimal(f"{number:.6f}".rstrip("0").rstrip("."))


def stretches(items: Sequence[Item]) -> Iterator[tuple[int, int, list[Bound]]]:
    """Yield where each bound begins and ends, with what it says."""
    for at, item in enumerate(items):
        sign = item.meaning
        if not isinstance(sign, Sign):
            continue
        after, before = _number(items, at + 1), _number(items, at - 1)
        if sign is Sign.BETWEEN:
            yield from _between(items, at)
        elif sign in LIMITS and after is not None:
            yield at, at + 1, [Bound(operator=LIMITS[sign], value=after)]
        elif sign in BEHIND and before is not None:
            yield at - 1, at, [Bound(operator=BEHIND[sign], value=before)]


def _between(items: Sequence[Item], at: int) -> Iterator[tuple[int, int, list[Bound]]]:
    """Yield "between 5 and 20", and 5到20之间, where 到 fills."""
    joined = at + 2 < len(items) and items[at + 2].meaning is Sign.AND
    for first, second, begin, end in (
        (_number(items, at + 1), _number(items, at + 3) if joined else None, at, at + 3),
        (_number(items, at - 2), _number(items, at - 1), at - 2, at),
        (
            _number(items, at - 3) if at > 2 and items[at - 2].meaning is Sign.AND else None,
            _number(items, at - 1),
            at - 3,
            at,
        ),
    ):
        if first is not None and second is not None and first <= second:
            yield begin, end, [Bound(operator="at_least", value=first), Bound(operator="at_most", value=second)]
            return


def _number(items: Sequence[Item], at: int) -> Decimal | None:
    meaning = items[at].meaning if 0 <= at < len(items) else None
    return exact(meaning) if isinstance(meaning, float) else None


def _is_of_measure(items: Sequence[Item], first: int, last: int, catalog: Catalog) -> bool:
    """Tell whether what is measured stands beside a bound.

    "More than 10 orders" counts them; "orders over 1,000" may be each order's amount.
    """
    last += last + 1 < len(items) and items[last + 1].meaning is Sign.MONEY
    while last + 2 < len(items) and items[last + 1].names("value") and items[last + 2].names("metric"):
        last += 1  # "more than 3 returned orders"
    behind = items[last + 1] if last + 1 < len(items) else None
    ahead = items[first - 1] if first else None
    if behind is not None and behind.names("metric"):
        return True
    if any(near is not None and near.names("table") and _belongs(near, items, catalog) for near in (behind, ahead)):
        return True
    if ahead is not None and ahead.names("metric"):
        counts = catalog.metrics[ahead.refers_to].is_count
        return not (counts and ahead.word.text.isascii() and ahead.word.text.lower() in _things(catalog))
    if ahead is not None and ahead.names("value") and not ahead.word.text.isascii():
        return behind is not None and behind.names("table", "column") and _is_apart(behind, ahead, catalog)
    return any(near is not None and near.meaning is Sign.TRADE for near in (ahead, behind))


def _is_apart(thing: Item, value: Item, catalog: Catalog) -> bool:
    """Tell whether rows with a value belong to something else: 退货超过3次的客户."""
    own, other = (each.refers_to.partition(".")[0] for each in (value, thing))
    return bool(catalog.path(own, other))


def _belongs(thing: Item, items: Sequence[Item], catalog: Catalog) -> bool:
    """Tell whether each row of a table belongs to one of something else that is named."""
    others = (item.refers_to.partition(".")[0] for item in items if item.names("table", "column") and item is not thing)
    return any(catalog.path(thing.refers_to, other) for other in others)


def _things(catalog: Catalog) -> frozenset[str]:
    return frozenset(each.lower() for table in catalog.tables.values() for each in table.called.en)


def traded(items: Sequence[Item], catalog: Catalog) -> str:
    """Return the metric without a unit whose name holds what is done with it: "sold" is of "units sold".

    Raise MeasureMissing where none or several do.
    """
    words = [item.word.text.lower() for item in items if item.meaning is Sign.TRADE]
    if any(item.meaning is Sign.MONEY for item in items):
        raise MeasureMissing
    found = [
        name
        for name, metric in catalog.metrics.items()
        if not metric.unit and any(_holds(called, word) for called in metric.called.every for word in words)
    ]
    counts = [name for name in found if catalog.metrics[name].counts_rows]
    if len(found) > 1 and len(counts) == 1:  # 下单超过10次 counts what is ordered, not who does
        return counts[0]
    if len(found) != 1:
        raise MeasureMissing
    return found[0]


def _holds(called: str, word: str) -> bool:
    if not word.isascii():
        return word in called
    names = called.lower().split()
    return word in names or word.removesuffix("ed") in {each.removesuffix("s") for each in names}
