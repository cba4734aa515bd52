"""Bounds on results, "customers with over 10 orders", limits on rows, "orders over 1,000 euros", and parts of a sum."""

from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from features.data.understanding.words.deeds import OVERDUE
from features.data.understanding.words.items import Item, MeasureMissing
from features.data.understanding.words.signs import GRAINS, Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.measures import SUM, scale_of
from queries.sql.metrics.query import Bound, Condition

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


#: What a word makes of the number beside it: 15 %, 两成.
_FRACTIONS: Mapping[str, Decimal] = {
    **dict.fromkeys(("%", "percent", "percent of", "per cent", "per cent of", "百分之"), Decimal("0.01")),
    "成": Decimal("0.1"),
}
#: Fractions of one word.
_ALONE: Mapping[str, Decimal] = {
    "一成": Decimal("0.1"),
    **dict.fromkeys(("一半", "half of", "half the"), Decimal("0.5")),
}
_DAYS, _LATER = frozenset({"day", "days", "天"}), (Sign.MORE, Sign.AT_LEAST, Sign.OR_MORE)
#: With these a bound may be on a result: "regions with orders over 1,000".
_OF_RESULTS = (Sign.BY, Sign.EACH, Sign.TOP, Sign.BOTTOM, Sign.TREND, *GRAINS)


def limits_in(
    items: Sequence[Item], catalog: Catalog, *, spoken_of: str, said: Container[str]
) -> list[tuple[int, Condition]]:
    """Return the limits with the places of their words, which are used.

    `spoken_of` is the table whose rows the question before was of, `said` what was said in all.
    """
    reader = _Limits(items, catalog, spoken_of)
    found = [*reader.before_numbers(), *reader.beside_numbers(), *reader.behind_numbers(), *reader.between_numbers()]
    found += reader.exact_numbers()
    return [(at, _in_units_of_rows(made, catalog, said)) for at, made in found]


def _in_units_of_rows(made: Condition, catalog: Catalog, said: Container[str]) -> Condition:
    """Return "over 500 pounds" in the pence that each row says."""
    scale = scale_of(catalog, made.column)
    if scale == 1 or catalog.column(made.column).unit.lower() in said:
        return made
    values = tuple(exact(float(each * scale)) if isinstance(each, Decimal) else each for each in made.values)
    return made.model_copy(update={"values": values})


class _Limits:
    def __init__(self, items: Sequence[Item], catalog: Catalog, spoken_of: str) -> None:
        self._items = items
        self._catalog = catalog
        self._spoken_of = spoken_of

    def before_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield "amount over 1,000", "orders over 1,000 euros"."""
        items = self._items
        for at, item in enumerate(items):
            if not isinstance(item.meaning, Sign) or item.meaning not in LIMITS or at + 1 >= len(items):
                continue
            number, column = items[at + 1], items[at - 1] if at else None
            beside = (column, items[at + 3] if at + 3 < len(items) else item if self._spoken_of else None)
            behind = items[at + 2] if at + 2 < len(items) else None
            if behind is not None and self._is_number(behind) and not (column is not None and self._is_number(column)):
                column = behind  # "less than 5 in stock"
            named = column is not None and self._is_number(column)
            if behind is not None and isinstance(number.meaning, float) and (column_of := self._summed_of(behind, at)):
                item.used = number.used = behind.used = True
                limit = LIMITS[item.meaning]
                yield at, Condition(column=column_of, values=(exact(number.meaning),), operator=limit)
                continue
            found = (self._money_of(each, at + 2) for each in beside if each is not None and not named)
            if money := next(filter(None, found), ""):
                column = Item(number.word, Named("column", money))
            if isinstance(number.meaning, float) and column is not None and self._is_number(column):
                item.used = number.used = column.used = True
                limit = LIMITS[item.meaning]
                yield at, Condition(column=column.refers_to, values=(exact(number.meaning),), operator=limit)

    def _summed_of(self, measured: Item, at: int) -> str:
        """Return the column that a metric adds up, where rows of its table are listed: "orders with over 50 units"."""
        if not measured.names("metric") or not any(item.meaning in (Sign.SHOW, Sign.LIST) for item in self._items[:at]):
            return ""
        metric = self._catalog.metrics[measured.refers_to]
        summed = SUM.fullmatch(metric.expression.strip())
        rows = any(item.names("table") and item.refers_to == metric.table for item in self._items[:at])
        return f"{metric.table}.{summed[1]}" if summed and not summed[2] and rows else ""

    def behind_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield 两万以上的订单 and 预算40万以上的项目, the number before its sign, the rows behind it."""
        said = [item for item in self._items if item.meaning is not Sign.MONEY]
        said += said[-1:] if self._spoken_of else []  # 只看1万以上的, of the rows before
        for at, (number, sign, row) in enumerate(zip(said, said[1:], said[2:], strict=False)):
            limit = BEHIND.get(sign.meaning) if isinstance(sign.meaning, Sign) else None
            if limit is None or number.used or not isinstance(number.meaning, float):
                continue
            if column := self._money_of(row, len(self._items)):
                number.used = sign.used = True
                self._items[self._items.index(number) + 1].used = True  # 两万欧以上
                yield at, Condition(column=column, values=(exact(number.meaning),), operator=limit)

    def beside_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield 难度7以上的黑色线路 and 500页以上的小说: the column stands beside its number, the rows anywhere."""
        said = [item for item in self._items if item.meaning is not Sign.MONEY]
        for at, (one, other, sign) in enumerate(zip(said, said[1:], said[2:], strict=False)):
            limit = BEHIND.get(sign.meaning) if isinstance(sign.meaning, Sign) else None
            number, column = (one, other) if isinstance(one.meaning, float) else (other, one)
            if limit is None or not isinstance(number.meaning, float) or not self._is_number(column):
                continue
            table = column.refers_to.partition(".")[0]
            if any(self._is_of_rows(item, table) for item in said if item is not column):
                self._items[self._items.index(sign) - 1].used = True  # 两万欧以上
                number.used = column.used = sign.used = True
                yield at, Condition(column=column.refers_to, values=(exact(number.meaning),), operator=limit)

    def exact_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield 三星级的酒店 and "4-star hotels": the number stands right before what it is of, which has no unit."""
        for at, (number, column) in enumerate(pairwise(self._items)):
            beside = 0 <= column.word.start - number.word.end <= (not column.word.text.endswith("s"))
            if number.used or not isinstance(number.meaning, float) or not beside or not self._is_number(column):
                continue
            table = column.refers_to.partition(".")[0]
            rows = any(self._is_of_rows(item, table) for item in self._items if item is not column)
            alone = not any(item.meaning in (*LIMITS, *BEHIND, Sign.BETWEEN) for item in self._items)
            if rows and alone and not self._catalog.column(column.refers_to).unit:
                number.used = column.used = True
                yield at, Condition(column=column.refers_to, values=(exact(number.meaning),))

    def _is_of_rows(self, item: Item, table: str) -> bool:
        """Tell whether a word names rows of a table, or what holds of them."""
        if item.names("metric"):
            metric = self._catalog.metrics[item.refers_to]
            return metric.counts_rows and metric.table == table
        return item.names("table", "value") and item.refers_to.partition(".")[0] == table

    def between_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield 金额在5000到10000之间, "orders between 5k and 20k euros" as two limits."""
        for first, last, bounds in stretches(self._items):
            beside = self._items[first - 1] if first else None
            if len(bounds) == 1 or beside is None or beside.used:
                continue
            money = last + 1 < len(self._items) and self._items[last + 1].meaning is Sign.MONEY
            named = self._is_number(beside)
            column = beside.refers_to if named else self._money_of(beside, last + 1) if money else ""
            if not column:
                continue
            for item in self._items[first - named : last + 1 + money]:
                item.used = True
            for each in bounds:
                yield first, Condition(column=column, values=(each.value,), operator=each.operator)

    def _money_of(self, item: Item, behind: int) -> str:
        """Return the one column of money of the rows that are limited: "orders over 1,000 euros"; "" for none.

        Without "euros" it is that only where no result could be bounded.
        """
        said = behind < len(self._items) and self._items[behind].meaning is Sign.MONEY
        others = any(
            (each.names("table", "column", "metric") and each is not item) or each.meaning in _OF_RESULTS
            for each in self._items
        )
        if not said and (others or not (item.names("table", "metric") or self._spoken_of)):
            return ""
        table = item.refers_to if item.names("table") else self._spoken_of
        if item.names("metric") and self._catalog.metrics[item.refers_to].counts_rows:
            table = self._catalog.metrics[item.refers_to].table
        columns = self._catalog.tables[table].columns.items() if table in self._catalog.tables else ()
        found = [f"{table}.{name}" for name, column in columns if column.type == "number" and column.unit]
        if len(found) != 1:
            return ""
        if said:
            self._items[behind].used = True
        return found[0]

    def _is_number(self, item: Item) -> bool:
        return item.names("column") and self._catalog.column(item.refers_to).type == "number"


def lateness_in(items: Sequence[Item]) -> int:
    """Return by how many days something has to be late: "more than 60 days late", 逾期60天以上; 0 where none are said.

    Their words are used.
    """
    late = [at for at, item in enumerate(items) if isinstance(item.meaning, Named) and item.meaning.value == OVERDUE]
    for at in late[:1]:
        for near in (items[max(at - 3, 0) : at], items[at + 1 : at + 4]):
            days = [item for item in near if item.word.text.lower() in _DAYS]
            numbers = [item for item in near if isinstance(item.meaning, float)]
            limits = [item for item in near if item.meaning in _LATER]
            if len(days) == len(numbers) == len(limits) == 1 and isinstance(number := numbers[0].meaning, float):
                for item in (*days, *numbers, *limits):
                    item.used = True
                return int(number) - (limits[0].meaning is not Sign.MORE)
    return 0


def fraction_in(items: Sequence[Item]) -> tuple[Decimal, tuple[Item, ...]] | None:
    """Return "15 % of the revenue", 营业额的两成, 百分之五 with its words: so much of what is measured."""
    for item in items:
        if item.meaning is Sign.SHARE and (said := item.word.text.lower()) in _ALONE:
            return _ALONE[said], (item,)
    for one, other in pairwise(items):
        number, sign = (one, other) if isinstance(one.meaning, float) else (other, one)
        said = sign.word.text.lower()
        if sign.meaning is not Sign.SHARE or not isinstance(number.meaning, float) or said not in _FRACTIONS:
            continue
        if (said == "百分之") is not (number is one) and number.meaning > 0:
            return exact(number.meaning) * _FRACTIONS[said], (one, other)
    return None
