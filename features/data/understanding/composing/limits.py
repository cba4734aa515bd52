"""Limits on what each row says, "orders over 1,000 euros", 两万以上的订单, and parts of what is measured."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from features.data.understanding.composing.bounds import BEHIND, LIMITS, exact, stretches
from features.data.understanding.words.items import Item
from features.data.understanding.words.signs import GRAINS, Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.measures import SUM
from queries.sql.metrics.query import Condition

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
#: With these a bound may be on a result: "regions with orders over 1,000".
_OF_RESULTS = (Sign.BY, Sign.EACH, Sign.TOP, Sign.BOTTOM, Sign.TREND, *GRAINS)


def limits_in(items: Sequence[Item], catalog: Catalog, *, spoken_of: str) -> list[tuple[int, Condition]]:
    """Return the limits with the places of their words, which are used.

    `spoken_of` is the table whose rows the question before was of.
    """
    reader = _Limits(items, catalog, spoken_of)
    return [*reader.before_numbers(), *reader.behind_numbers(), *reader.between_numbers()]


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
        return f"{metric.table}.{summed[1]}" if summed and rows else ""

    def behind_numbers(self) -> Iterator[tuple[int, Condition]]:
        """Yield 两万以上的订单 and 预算40万以上的项目, the number before its sign, the rows behind it."""
        said = [item for item in self._items if item.meaning is not Sign.MONEY]
        said += said[-1:] if self._spoken_of else []  # 只看1万以上的, of the rows before
        for at, (number, sign, row) in enumerate(zip(said, said[1:], said[2:], strict=False)):
            limit = BEHIND.get(sign.meaning) if isinstance(sign.meaning, Sign) else None
            if limit is None or number.used or not isinstance(number.meaning, float):
                continue
            named = said[at - 1] if at and self._is_number(said[at - 1]) and row.names("table") else None
            own = named is not None and named.refers_to.partition(".")[0] == row.refers_to
            if column := named.refers_to if named is not None and own else self._money_of(row, len(self._items)):
                number.used = sign.used = True
                self._items[self._items.index(number) + 1].used = True  # 两万欧以上
                if named is not None:
                    named.used = True
                yield at, Condition(column=column, values=(exact(number.meaning),), operator=limit)

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
