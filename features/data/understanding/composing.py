"""From words, each with one meaning, to a query: every one of them has to have its part in it, or there is none."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from features.data.understanding.items import Item, MeasureMissing, NotComposed, PeriodMissing
from features.data.understanding.periods import DaySpan, calendar_span
from features.data.understanding.signs import GRAINS, Sign
from features.data.understanding.vocabulary import CutWord, Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import MOST_ROWS
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import dimensions_of
from queries.sql.metrics.query import Aggregate, Condition, DataQuery, Grain, MetricQuery, Operator, Period, RowQuery

_LIMITS: dict[Sign, Operator] = {
    Sign.MORE: "more",
    Sign.LESS: "less",
    Sign.AT_LEAST: "at_least",
    Sign.AT_MOST: "at_most",
}
_AGGREGATES: dict[Sign, Aggregate] = {
    Sign.AVERAGE: "average",
    Sign.SUM: "sum",
    Sign.LARGEST: "largest",
    Sign.SMALLEST: "smallest",
    Sign.TOP: "largest",
    Sign.BOTTOM: "smallest",
}
#: What is asked of a count, and not of rows.
_OF_COUNTS = (Sign.SHARE, Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER, Sign.TREND)
#: Rows of "the top products" when nobody says how many.
_TOP_ROWS = 10


class Composition:
    """The parts of a query that the words give, taken one after the other."""

    def __init__(self, catalog: Catalog, items: Sequence[Item], today: date) -> None:
        self.catalog = catalog
        self.items = [item for item in items if item.meaning is not Sign.FILLER]
        self.today = today
        self.splits: list[Item] = []
        self.grain: Grain | None = None
        self.conditions: list[tuple[int, Condition]] = []
        self.count: int | None = None

    # What the words are

    def signs(self, *signs: Sign) -> list[Item]:
        """Return the items that are one of these signs."""
        return [item for item in self.items if item.meaning in signs]

    def take(self, *signs: Sign) -> bool:
        """Use the items that are one of these signs; tell whether there are any."""
        found = self.signs(*signs)
        for item in found:
            item.used = True
        return bool(found)

    def named(self, *kinds: str) -> list[Item]:
        """Return the items that name something of the catalogue and have no part yet."""
        return [item for item in self.items if item.names(*kinds) and not item.used]

    def spans(self) -> list[Item]:
        """Return the items that are periods."""
        return [item for item in self.items if isinstance(item.meaning, DaySpan)]

    def require_all_used(self) -> None:
        """Refuse what ignores a word."""
        for item in self.items:
            if not item.used:
                raise NotComposed(item.word.text)

    # The parts

    def gather(self) -> None:
        """Take what means the same whatever is measured: qualifiers, splits, conditions, numbers."""
        for item, other in zip(self.items, self.items[1:], strict=False):
            if item.meaning in (Sign.MORE, Sign.LESS) and isinstance(other.meaning, DaySpan):
                item.meaning = Sign.COMPARE  # "more than last month"
        self._absorb()
        self._gather_splits()
        self._gather_limits()
        self._gather_values()
        self._gather_count()
        self.take(Sign.AND, Sign.SHOW, Sign.FOLLOWS, Sign.CHART, Sign.TABLE)

    def _absorb(self) -> None:
        """Use words that only say what the value beside them is: "region China", "the sales department"."""
        for at, item in enumerate(self.items):
            if not item.names("value"):
                continue
            for other in (at - 1, at + 1):
                if 0 <= other < len(self.items) and self._qualifies(self.items[other], item.refers_to):
                    split = other > 0 and self.items[other - 1].meaning in (Sign.BY, Sign.AND)
                    self.items[other].used = self.items[other].used or not split

    def _qualifies(self, item: Item, column: str) -> bool:
        return item.names("column", "table") and self._column_of(item) == column

    def _column_of(self, item: Item) -> str:
        """Return the column that a word names: a table stands for its label."""
        if item.names("column"):
            return item.refers_to
        label = self.catalog.tables[item.refers_to].label if item.names("table") else ""
        return f"{item.refers_to}.{label}" if label else ""

    def _gather_splits(self) -> None:
        for at, item in enumerate(self.items):
            if item.meaning is Sign.BY:
                self._split_by(at)
            elif item.meaning is Sign.SPREAD and at and self.items[at - 1].names("column", "table"):
                item.used = True
                self._split(self.items[at - 1])
            elif item.meaning in GRAINS and not item.used:
                self._split(item)

    def _split_by(self, at: int) -> None:
        follow = at + 1
        while follow < len(self.items):
            target = self.items[follow]
            if target.names("metric") and follow == at + 1:
                self.items[at].used = True  # "by revenue" ranks
                return
            if not (target.names("column", "table") or target.meaning in GRAINS) or target.used:
                return
            if self._is_number(target) and self.signs(Sign.TOP, Sign.BOTTOM):
                self.items[at].used = True  # "top 10 orders by amount"
                return
            self.items[at].used = True
            self._split(target)
            again = follow + 1 < len(self.items) and self.items[follow + 1].meaning in (Sign.AND, Sign.BY)
            follow += 2 if again else len(self.items)
            if again:
                self.items[follow - 1].used = True

    def _split(self, item: Item) -> None:
        if item.used and item in self.splits:
            return
        item.used = True
        if isinstance(item.meaning, Sign):
            if self.grain is not None and self.grain != item.meaning.value:
                raise NotComposed(item.word.text)
            self.grain = _grain(item.meaning)
        else:
            self.splits.append(item)

    def _gather_limits(self) -> None:
        """Take "amount over 1,000"."""
        for at, item in enumerate(self.items):
            if not isinstance(item.meaning, Sign) or item.meaning not in _LIMITS or at + 1 >= len(self.items):
                continue
            number, column = self.items[at + 1], self.items[at - 1] if at else None
            if isinstance(number.meaning, float) and column is not None and self._is_number(column):
                item.used = number.used = column.used = True
                value = Decimal(f"{number.meaning:.6f}".rstrip("0").rstrip("."))
                made = Condition(column=column.refers_to, values=(value,), operator=_LIMITS[item.meaning])
                self.conditions.append((at, made))

    def _is_number(self, item: Item) -> bool:
        return item.names("column") and self.catalog.column(item.refers_to).type == "number"

    def _gather_values(self) -> None:
        found: dict[tuple[str, Operator], list[tuple[int, str | bool]]] = {}
        excluded = False
        for at, item in enumerate(self.items):
            if item.meaning is Sign.EXCEPT:
                excluded = item.used = at + 1 < len(self.items) and self._leads_to_value(at + 1)
            elif isinstance(item.meaning, Named) and item.meaning.kind == "value":
                operator: Operator = "is_not" if excluded else "is"
                found.setdefault((item.refers_to, operator), []).append((at, item.meaning.value))
                item.used = True
            elif item.meaning is not Sign.AND and not (item.used and item.names("column", "table")):
                excluded = False
        for (column, operator), values in found.items():
            flags = {value for _, value in values}
            if len(flags) != len(values):
                raise NotComposed(self.items[values[-1][0]].word.text)
            made = Condition(column=column, values=tuple(value for _, value in values), operator=operator)
            self.conditions.append((values[0][0], made))

    def _leads_to_value(self, at: int) -> bool:
        item = self.items[at]
        return item.names("value") or (item.used and at + 1 < len(self.items) and self.items[at + 1].names("value"))

    def _gather_count(self) -> None:
        """Take the number of "top 5"."""
        free = [item for item in self.items if isinstance(item.meaning, float) and not item.used]
        if len(free) == 1 and self.signs(Sign.TOP, Sign.BOTTOM):
            number = free[0].meaning
            if isinstance(number, float) and number.is_integer() and 1 <= number <= MOST_ROWS:
                free[0].used = True
                self.count = int(number)

    # Queries

    def metric_query(self) -> MetricQuery:
        """Return the query of the one metric, count or aggregate that is named."""
        base = self._measure()
        allowed = dimensions_of(base, self.catalog)
        top, bottom = self.take(Sign.TOP), self.take(Sign.BOTTOM)
        if top and bottom:
            raise NotComposed(self.signs(Sign.BOTTOM)[0].word.text)
        asks_which = self.take(Sign.WHICH) if top or bottom else False
        if top or bottom:
            for item in self.named("column", "table"):
                self._split(item)
            if not self.splits and self.grain is None:
                raise NotComposed(self.signs(Sign.TOP, Sign.BOTTOM)[0].word.text)
        by = self._dimensions(allowed)
        if by or self.grain:
            self.take(Sign.LIST)
        where = self._allowed([made for _, made in self.conditions], allowed)
        period, against = self.periods()
        grain = self._trend(period)
        share, part = self._share(bool(by or grain))
        self.take(Sign.HOW_MANY, Sign.SUM, Sign.ALL_TIME)
        rows = self._rows(asks_which) if top or bottom else None
        return base.model_copy(
            update={
                "by": by, "grain": grain, "where": tuple(each for each in where if each not in part), "period": period,
                "against": against, "share": share, "part": part, "rows": rows, "ascending": bottom,
            }
        )  # fmt: skip

    def _measure(self) -> MetricQuery:
        metrics = list(dict.fromkeys(item.refers_to for item in self.named("metric")))
        if len(metrics) == 1:
            self._use(self.named("metric"))
            table = self.catalog.metrics[metrics[0]].table
            self._use([item for item in self.named("table") if item.refers_to == table and not self._beside_and(item)])
            self.take(Sign.TRADE)
            return MetricQuery(metric=metrics[0])
        if metrics:
            raise NotComposed(self.named("metric")[-1].word.text)
        if aggregate := self._aggregate():
            return aggregate
        tables = self.named("table")
        told_apart = self.splits or self.grain or self.signs(*_OF_COUNTS)
        if len(tables) == 1 and told_apart and not self.signs(Sign.TOP, Sign.BOTTOM):
            self._use(tables)
            return MetricQuery(metric=tables[0].refers_to, aggregate="count")
        if self.signs(Sign.TOP, Sign.BOTTOM) or self.splits:
            raise MeasureMissing
        raise NotComposed(tables[0].word.text if tables else "")

    def _beside_and(self, item: Item) -> bool:
        """Tell whether it is one of several things that are asked for: "revenue and orders"."""
        at = self.items.index(item)
        return any(
            near.meaning is Sign.AND for near in (*self.items[max(at - 1, 0) : at], *self.items[at + 1 : at + 2])
        )

    def _aggregate(self) -> MetricQuery | None:
        """Return the average, sum, largest or smallest of a column of numbers."""
        signs = self.signs(*_AGGREGATES)
        columns = [item for item in self.named("column") if self._is_number(item)]
        if len(signs) != 1 or len(columns) != 1 or not isinstance(signs[0].meaning, Sign):
            return None
        if signs[0].meaning in (Sign.TOP, Sign.BOTTOM) and self.named("table"):
            return None  # the rows with the largest
        self._use([signs[0], columns[0]])
        signs[0].meaning = Sign.FILLER
        table = columns[0].refers_to.partition(".")[0]
        self._use([item for item in self.named("table") if item.refers_to == table])
        return MetricQuery(metric=columns[0].refers_to, aggregate=_AGGREGATES[_sign(signs[0].word)])

    @staticmethod
    def _use(items: Sequence[Item]) -> None:
        for item in items:
            item.used = True

    def _dimensions(self, allowed: Sequence[str]) -> tuple[str, ...]:
        by: list[str] = []
        for item in self.splits:
            column = self._column_of(item)
            if column not in allowed:
                raise NotComposed(item.word.text)
            by.append(column)
        if len(by) > 3:
            raise NotComposed(self.splits[3].word.text)
        return tuple(dict.fromkeys(by))

    def _allowed(self, conditions: Sequence[Condition], allowed: Sequence[str]) -> tuple[Condition, ...]:
        for made in conditions:
            if made.column not in allowed:
                raise NotComposed(str(made.values[0]))
        return tuple(conditions)

    def _rows(self, asks_which: bool) -> int | None:
        if self.count is not None:
            return self.count
        words = [item.word.text.lower() for item in self.splits] or [""]
        many = any(word.isascii() and word.endswith("s") and not word.endswith("ss") for word in words)
        if not many and (asks_which or self.signs(Sign.TOP, Sign.BOTTOM)):
            return 1
        return _TOP_ROWS if any(item.word.text.lower() == "top" for item in self.signs(Sign.TOP)) else None

    def _trend(self, period: Period | None) -> Grain | None:
        if not self.take(Sign.TREND) or self.grain is not None:
            return self.grain
        if period is None or period.start is None:
            return "month"
        days = ((period.end or self.today) - period.start).days
        return "day" if days <= 31 else "month"

    def _share(self, split: bool) -> tuple[bool, tuple[Condition, ...]]:
        if not self.signs(Sign.SHARE):
            return False, ()
        self.take(Sign.SHARE)
        if split:
            return True, ()
        made = [condition for _, condition in self.conditions]
        if len(made) == 1:
            return True, (made[0],)
        return True, self._part()

    def _part(self) -> tuple[Condition, ...]:
        """Return what makes the part where several conditions hold: "which share of Berlin's orders are cancelled"."""
        measured = [at for at, item in enumerate(self.items) if item.names("metric")]
        if len(measured) != 1 or not self.items[measured[0]].word.text.isascii():
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        after = tuple(condition for at, condition in self.conditions if at > measured[0])
        if not after or len(after) > 1:
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        return after

    # Time

    def periods(self) -> tuple[Period | None, Period | None]:
        """Return the period, and the one that it is compared with."""
        named = self.spans()
        self._use(named)
        spans = [item.meaning for item in named if isinstance(item.meaning, DaySpan)]
        compares = self.take(Sign.COMPARE, Sign.CHANGE)
        previous, year = self.take(Sign.PREVIOUS), self.take(Sign.YEAR_EARLIER)
        if not (compares or previous or year):
            if len(spans) > 1:
                raise NotComposed(named[-1].word.text)
            return (_period(spans[0]) if spans else None), None
        if len(spans) > 2 or any(span.unit in ("range", "open") for span in spans):
            raise NotComposed(named[-1].word.text)
        if len(spans) == 2 and not (previous or year):
            late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
            return _period(late), _period(early)
        if len(spans) != 1:
            raise PeriodMissing
        return self._against(spans[0], named[0], year=year, named_against=not previous and not year)

    def _against(
        self, span: DaySpan, item: Item, *, year: bool, named_against: bool
    ) -> tuple[Period | None, Period | None]:
        if year:
            return _period(span), _period(span.year_before())
        if named_against and self._is_compared_with(item):
            later = span
            while later.end is not None and later.end <= self.today:
                later = _after(later)
            if later is span or span.unit == "days":
                raise PeriodMissing
            return _period(later), _period(span)
        return _period(span), _period(span.before())

    def _is_compared_with(self, item: Item) -> bool:
        """Tell whether a period is what is compared with: "than last month", 比上月."""
        at = self.items.index(item)
        before = at > 0 and self.items[at - 1].meaning is Sign.COMPARE
        after = not item.word.text.isascii() and at + 1 < len(self.items) and self.items[at + 1].meaning is Sign.COMPARE
        return before or after

    def row_query(self) -> RowQuery:
        """Return the query of rows: a list of a table, or how many there are."""
        tables = self.named("table")
        if len(tables) != 1 or self.splits or self.grain or self.signs(Sign.SHARE, Sign.COMPARE, Sign.CHANGE):
            raise NotComposed(tables[-1].word.text if tables else "")
        table = tables[0].refers_to
        self._use(tables)
        count = self.take(Sign.HOW_MANY)
        if not (self.take(Sign.LIST, Sign.WHICH) or count or self.signs(Sign.TOP, Sign.BOTTOM)):
            raise NotComposed(tables[0].word.text)
        order, ascending, rows = self._ranking(count=count)
        columns = tuple(item.refers_to for item in self.named("column") if item.refers_to.startswith(f"{table}."))
        self._use([item for item in self.named("column") if item.refers_to in columns])
        spans = self.spans()
        self._use(spans)
        if len(spans) > 1:
            raise NotComposed(spans[-1].word.text)
        self.take(Sign.ALL_TIME)
        label = self.catalog.tables[table].label
        shown = tuple(dict.fromkeys([f"{table}.{label}", *columns])) if columns and label else columns
        span = spans[0].meaning if spans else None
        return RowQuery(
            table=table,
            columns=shown if not count else (),
            where=tuple(made for _, made in self.conditions),
            period=_period(span) if isinstance(span, DaySpan) else None,
            order=order,
            ascending=ascending,
            rows=rows,
            count=count,
        )

    def _ranking(self, *, count: bool) -> tuple[str, bool, int | None]:
        """Return the column of numbers by which rows are ranked, the direction, and how many rows."""
        ranks = self.signs(Sign.TOP, Sign.BOTTOM)
        if not ranks:
            return "", True, None
        numbers = [item for item in self.named("column") if self._is_number(item)]
        if len(ranks) != 1 or len(numbers) != 1 or count:
            raise NotComposed(ranks[0].word.text)
        self._use([*ranks, *numbers])
        self.take(Sign.BY)
        return numbers[0].refers_to, ranks[0].meaning is Sign.BOTTOM, self.count or 1


def compose(catalog: Catalog, items: Sequence[Item], today: date) -> DataQuery:
    """Return the query that these words make; NotComposed when one of them has no part in it."""
    failed: list[NotComposed] = []
    for make in (_as_metric, _as_rows):
        composition = Composition(catalog, [Item(item.word, item.meaning) for item in items], today)
        try:
            composition.gather()
            query = make(composition)
            composition.require_all_used()
        except NotComposed as error:
            failed.append(error)
        except (QueryNotPossible, ValueError) as error:
            failed.append(NotComposed(str(error)))
        else:
            return query
    raise next((each for each in failed if isinstance(each, MeasureMissing | PeriodMissing)), failed[0])


def _as_metric(composition: Composition) -> DataQuery:
    return composition.metric_query()


def _as_rows(composition: Composition) -> DataQuery:
    return composition.row_query()


def _grain(sign: Sign) -> Grain | None:
    grains: dict[Sign, Grain] = {
        Sign.DAY: "day", Sign.WEEK: "week", Sign.MONTH: "month", Sign.QUARTER: "quarter", Sign.YEAR: "year",
    }  # fmt: skip
    return grains.get(sign)


def _sign(word: CutWord) -> Sign:
    return next(each for each in word.meanings if isinstance(each, Sign) and each in _AGGREGATES)


def _period(span: DaySpan) -> Period:
    return Period(start=span.start, end=span.end)


def _after(span: DaySpan) -> DaySpan:
    """Return the one after a period of the calendar."""
    if span.end is None or span.unit not in ("day", "week", "month", "quarter", "half", "year"):
        raise PeriodMissing
    return calendar_span(span.unit, span.end)
