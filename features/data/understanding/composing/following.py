"""Messages that go on from the question before: "only Berlin", "by department", "what about last year?", 按部门呢."""

from collections.abc import Sequence
from datetime import date

from features.data.understanding.composing import known
from features.data.understanding.composing.composition import Composition
from features.data.understanding.composing.times import named_span, same_part, without_given_up
from features.data.understanding.words.items import Item, NotComposed, PeriodMissing
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.building import dimensions_of
from queries.sql.metrics.measures import may_bound, measure_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery

#: What says by itself that two periods are compared.
_COMPARING = frozenset(
    {"环比", "同比", "mom", "qoq", "wow", "yoy", "month over month", "month on month", "year over year", "year on year"}
)
#: What asks for one row of several.
_ROW_RANKS = (Sign.TOP, Sign.BOTTOM, Sign.NEWEST, Sign.OLDEST, Sign.DEAREST, Sign.CHEAPEST)


def refined(before: DataQuery, catalog: Catalog, items: Sequence[Item], today: date) -> DataQuery:
    """Return the query before with what these words change in it; NotComposed when they are no such change."""
    composition = _Refinement(catalog, [Item(item.word, item.meaning) for item in items], today)
    composition.measure_known = isinstance(before, MetricQuery) and bool(before.by or before.grain)
    composition.spoken_of = before.table if isinstance(before, RowQuery) else _counted_rows(before, catalog)
    composition.gather()
    changed: DataQuery = (
        composition.change_rows(before) if isinstance(before, RowQuery) else composition.change_metric(before)
    )
    composition.require_all_used()
    changed = without_given_up(changed, catalog)
    drawn = any(item.meaning in (Sign.CHART, Sign.TABLE) for item in items)
    compared = isinstance(before, MetricQuery) and before.against is not None
    drawn = drawn or (compared and any(item.meaning is Sign.CHANGE for item in items))  # 环比涨了几个点: it says so
    if changed == before and not drawn:
        raise NotComposed
    return changed


def _counted_rows(before: MetricQuery, catalog: Catalog) -> str:
    """Return the table whose rows one number counted: of "how many orders", those "over 10k"; "" for none."""
    measured = measure_of(before, catalog)
    return measured.table if measured.is_count and not (before.by or before.grain or before.share) else ""


def goes_on(before: DataQuery, named: Item, catalog: Catalog) -> bool:
    """Tell whether a number is asked of what was spoken of: the same one, or "how many people came" of its rows."""
    if not isinstance(before, MetricQuery) or before.aggregate is not None or not named.names("metric"):
        return False
    if named.refers_to == before.metric:
        return True
    tables = {catalog.metrics[each].table for each in (named.refers_to, before.metric)}
    return named.is_supposed and len(tables) == 1


def asks_of_it(before: DataQuery, items: Sequence[Item], catalog: Catalog) -> bool:
    """Tell whether a number is asked of what was spoken of, or the sum of one over the rows that were listed."""
    named = [item for item in items if item.names("metric")]
    return adds_up(before, items, catalog) or (len(named) == 1 and goes_on(before, named[0], catalog))


class _Refinement(Composition):
    """What the words change."""

    def change_metric(self, before: MetricQuery) -> DataQuery:
        """Return a query of a metric with the changes; "list them" shows the rows that were counted."""
        shared = not (before.share or before.by or before.grain or before.against) and self._shares_it(before)
        base = before if shared else self._base(before)
        allowed = self._allowed_for(base)
        ones = base.groups and self.take(Sign.LIST, Sign.WHICH)
        if ones:
            base = base.model_copy(update={"groups": False})
        if self._asks_of_rows(base):
            return self.change_rows(self._rows_of(base))
        if self.signs(Sign.LIST) and not ones and not (self.splits or self.grain):
            return self.change_rows(self._counted(base))
        if self.signs(Sign.WHY):
            return self._why(base, dimensions_of(base, self.catalog))
        self._compare_groups(base)
        self.tell_apart()
        by = self._new_splits(base, allowed)
        if base.having and (by != base.by or self.grain):
            raise NotComposed  # other rows would meet them
        metric = measure_of(base, self.catalog)
        where = tuple(
            each for each in self._merged(base.where) if each.column in allowed or may_bound(self.catalog, metric, each)
        )
        if len(where) != len(self._merged(base.where)):
            raise NotComposed
        period, against = self._new_periods(base)
        rows, ascending = self._new_rows(base)
        place, where = self._kept_place(base, where)
        part, where = self._kept_part(base, by, where)
        share = base.share and bool(by or part)
        if self.take(Sign.SHARE):
            share = True
            if not (by or self.grain or base.grain or part) and len(where) == 1:
                part, where = where, ()
        self.take(Sign.HOW_MANY, Sign.ADDS)
        self._use_money(measure_of(base, self.catalog).unit)
        grain = self._trend(period) or (base.grain if not self.splits or self.signs(Sign.ADDS) else None)
        if against is not None:
            grain, share = None, False
        asked = {made.column for made in where}
        across = () if by or against is None else tuple(each for each in base.across if each not in asked)
        return base.model_copy(
            update={
                "by": by, "grain": grain, "where": where, "period": period, "against": against, "rows": rows,
                "ascending": ascending, "per": _kept(base.per, by, grain), "share": share, "part": part,
                "across": across, "having": self.bounds or base.having, "place": place,
                "weekdays": self.take_days() or base.weekdays, "hours": self.take_hours() or base.hours,
            }
        )  # fmt: skip

    def _compare_groups(self, before: MetricQuery) -> None:
        """Take "compared with non-members", 跟非会员比呢, as both groups side by side, and never as two periods."""
        if not self.signs(Sign.COMPARE) or self.spans() or len(self.conditions) != 1:
            return
        at, made = self.conditions[0]
        near = (*self.items[max(at - 1, 0) : at], *self.items[at + 1 : at + 2])
        if not any(item.meaning is Sign.COMPARE for item in near):
            return
        held = next((each for each in before.where if each.column == made.column), None)
        if held is None or (held.operator, made.operator) != ("is", "is") or before.share:
            raise NotComposed(self.items[at].word.text)
        values = tuple(dict.fromkeys((*held.values, *made.values)))
        self.conditions = [(at, made.model_copy(update={"values": values}))]
        self.splits.append(Item(self.items[at].word, Named("column", made.column), used=True))
        self._use(self.signs(Sign.COMPARE, Sign.CHANGE))

    def _kept_place(
        self, base: MetricQuery, where: tuple[Condition, ...]
    ) -> tuple[Condition | None, tuple[Condition, ...]]:
        """Return whose place is asked for: "and Trackline?" asks for that of another one."""
        if base.place is None:
            return None, where
        column = base.place.column
        named = next((each for each in where if each.column == column), base.place)
        return named, tuple(each for each in where if each.column != column)

    def _kept_part(
        self, base: MetricQuery, by: Sequence[str], where: tuple[Condition, ...]
    ) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
        """Return what makes the part, and what bounds the whole: "and the returned ones?" is another part."""
        if any(each.column in by for each in base.part):
            return (), where
        named = {made.column: made for _, made in self.conditions}
        columns = {each.column for each in base.part}
        part = tuple(named.get(each.column, each) for each in base.part)
        return part, tuple(each for each in where if each.column not in columns)

    def _why(self, base: MetricQuery, allowed: Sequence[str]) -> DataQuery:
        """Return the query of what changed most: "why so many in May?" is May against April."""
        where = self._merged(base.where)
        across = tuple(each for each in self._across(allowed) if each not in {made.column for made in where})
        self.take(Sign.AND, Sign.FOLLOWS)
        spans = [item.meaning for item in self.spans() if isinstance(item.meaning, DaySpan)]
        comparing = self.signs(Sign.COMPARE, Sign.PREVIOUS, Sign.YEAR_EARLIER)
        period, against = self.periods() if spans or comparing else (base.period, base.against)
        if len(spans) == 1 and not comparing:
            period = _within(period, base.period)
        period, against = self._with_before(period, against)
        if period is None or not across:
            raise PeriodMissing
        return MetricQuery(
            metric=base.metric, aggregate=base.aggregate, where=where, period=period, against=against, across=across
        )

    def _asks_of_rows(self, before: MetricQuery) -> bool:
        """Tell whether one of the rows behind a number is asked for, or how many: "which one is the oldest"."""
        if self.named("metric", "table", "column") or before.by or before.grain or before.share or before.each:
            return False
        said = [item for item in self.items if item.meaning not in (Sign.AND, Sign.FOLLOWS, Sign.WHICH)]
        ranks = len(self.signs(*_ROW_RANKS)) == 1 and bool(self.signs(Sign.WHICH, Sign.LIST))
        counts = len(said) == 1 and said[0].meaning is Sign.HOW_MANY and said[0].word.text.lower() != "how much"
        return ranks or (counts and not measure_of(before, self.catalog).is_count)

    def _rows_of(self, before: MetricQuery) -> RowQuery:
        """Return the query of the rows that a number is made of."""
        metric = measure_of(before, self.catalog)
        if before.part or before.having or before.against or metric.expression.lower().startswith("count(distinct"):
            raise NotComposed
        of = before.metric if metric.where and before.metric in self.catalog.metrics else ""
        return RowQuery(table=metric.table, where=before.where, period=before.period, time=before.time, of=of)

    def _counted(self, before: MetricQuery) -> RowQuery:
        """Return the query of the rows that a number counts."""
        metric = measure_of(before, self.catalog)
        if not metric.is_count or before.part or before.having:
            raise NotComposed
        of = before.metric if metric.where else ""
        return RowQuery(table=metric.table, where=before.where, period=before.period, time=before.time, of=of)

    def _base(self, before: MetricQuery) -> MetricQuery:
        """Return the query before, of another metric where one is named after "what about"."""
        metrics = list(dict.fromkeys(item.refers_to for item in self.named("metric")))
        if not metrics and (worth := self._worth_of(before)):
            self.take(Sign.HOW_MANY, Sign.MONEY)
            return MetricQuery(metric=worth, where=before.where, period=before.period)
        if not metrics:
            return before
        named = self.named("metric")
        if len(metrics) > 1 or not (self.signs(Sign.FOLLOWS) or goes_on(before, named[0], self.catalog)):
            raise NotComposed
        self._use(named)
        if metrics == [before.metric] and not self.signs(Sign.FOLLOWS):
            if not (self.splits or self.grain):
                raise NotComposed
            return before
        return before.model_copy(
            update={
                "metric": metrics[0],
                "aggregate": None,
                "time": "",
                "part": (),
                "share": False,
                "also": (),
                "having": (),
                "groups": False,
                "per": (),
                "across": (),
            }
        )

    def _shares_it(self, before: MetricQuery | RowQuery) -> bool:
        """Tell whether it is asked what share of all the rows was that were counted: "what % of all orders is that"."""
        named = self.named("metric", "table", "column")
        table = before.table if isinstance(before, RowQuery) else measure_of(before, self.catalog).table
        own = all(
            (self.catalog.metrics[item.refers_to].table if item.names("metric") else item.refers_to) == table
            for item in named
        )
        plain = not (self.splits or self.grain or self.conditions or self.spans() or self.bounds)
        if not (self.signs(Sign.SHARE) and own and plain and len(before.where) == 1):
            return False
        self._use(named)
        return True

    def _amounts(self) -> str:
        """Return the metric that adds up the one column that is asked for, and nothing else is: 金额是多少."""
        numbers = [item for item in self.named("column") if self._is_number(item)]
        others = (Sign.SHOW, Sign.HOW_MANY, Sign.AND, Sign.FOLLOWS, Sign.WHICH, Sign.MONEY, Sign.SUM)
        alone = all(item in numbers or item.meaning in others for item in self.items)
        if len(numbers) != 1 or not alone:
            return ""
        return known.aggregating(self.catalog, numbers[0].refers_to, "sum")

    def _worth_of(self, before: MetricQuery) -> str:
        """Return the one sum of money over the rows that were counted, where it is asked how much; "" for none."""
        counted = measure_of(before, self.catalog)
        if (amounts := self._amounts()) and counted.counts_rows and not (before.share or before.having):
            self._use(self.named("column"))
            self.take(Sign.SUM)
            return amounts if self.catalog.metrics[amounts].table == counted.table else ""
        asked = self.signs(Sign.HOW_MANY)
        much = len(self.items) == len(asked) + len(self.signs(Sign.MONEY, Sign.AND, Sign.FOLLOWS))
        money = bool(self.signs(Sign.MONEY)) or any(item.word.text.lower() == "how much" for item in asked)
        plain = not (before.by or before.grain or before.share or before.having or before.aggregate or before.against)
        if not (asked and much and money and plain) or not measure_of(before, self.catalog).counts_rows:
            return ""
        worth = known.price(self.catalog, measure_of(before, self.catalog).table)
        return worth if worth in self.catalog.metrics else ""

    def _new_splits(self, base: MetricQuery, allowed: Sequence[str]) -> tuple[str, ...]:
        loose = self.named("column", "table") if self.signs(Sign.FOLLOWS, Sign.ADDS, Sign.TOP, Sign.BOTTOM) else []
        for item in loose:
            self._split(item)
        named = self._dimensions(allowed)
        if not named:
            return () if self.grain is not None and base.by == () else base.by
        return tuple(dict.fromkeys((*base.by, *named)))[:3] if self.signs(Sign.ADDS) else named

    def _merged(self, before: Sequence[Condition]) -> tuple[Condition, ...]:
        """Return the conditions with the new ones: a column that is named again has only the new one."""
        new = [made for _, made in self.conditions]
        columns = {made.column for made in new}
        return (*(each for each in before if each.column not in columns), *new)

    def _new_periods(self, before: MetricQuery) -> tuple[Period | None, Period | None]:
        if self.take(Sign.ALL_TIME):
            return None, None
        comparing = self.signs(Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER)
        spans = self.spans()
        if not comparing and not spans:
            return before.period, before.against
        if not comparing or before.period is None or before.period.start is None or before.period.end is None:
            return self.periods()
        if len(spans) == 1 and self.signs(Sign.COMPARE):
            span = spans[0].meaning
            self._use([*spans, *comparing])
            if not isinstance(span, DaySpan):
                raise NotComposed
            other = same_part(named_span(before.period), span)
            return before.period, Period(start=other.start, end=other.end)
        return self.periods() if spans else self._one_earlier(before, comparing)

    def _one_earlier(self, before: MetricQuery, comparing: Sequence[Item]) -> tuple[Period | None, Period | None]:
        """Return a comparison with the period before, or that period itself: "and the month before?"."""
        if before.period is None:
            raise PeriodMissing
        earlier = named_span(before.period)
        self._use(comparing)
        other = self.year_earlier(earlier) if self.signs(Sign.YEAR_EARLIER) else earlier.before()
        named = Period(start=other.start, end=other.end)
        compares = self.signs(Sign.COMPARE, Sign.CHANGE) or self.said & _COMPARING
        if self._goes_on() and not compares and before.against is None:
            return named, None
        return before.period, named

    def _goes_on(self) -> bool:
        return bool(self.signs(Sign.FOLLOWS)) or self.items[0].meaning is Sign.AND

    def _new_rows(self, before: MetricQuery) -> tuple[int | None, bool]:
        if not self.signs(Sign.TOP, Sign.BOTTOM):
            if before.rows is not None and self.count is None:
                self.take_number()  # "make it 10"
            if self.take(Sign.DESCENDING, Sign.ASCENDING):
                return self.count or before.rows, bool(self.signs(Sign.ASCENDING))
            return self.count or before.rows, before.ascending
        ascending = bool(self.signs(Sign.BOTTOM))
        self.take(Sign.TOP, Sign.BOTTOM, Sign.WHICH)
        return self.count or 1, ascending

    def change_rows(self, before: RowQuery) -> DataQuery:
        """Return a query of rows with the changes; split, their number becomes a metric of its own."""
        ranks = before.count and self.signs(Sign.TOP, Sign.BOTTOM) and self.named("column", "table")
        if before.count and self.is_of_those and self.take(Sign.WHICH):  # "which departments are they in"
            for item in self.named("column", "table"):
                self._split(item)
        compares = self.signs(Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER)
        told = before.count and ((compares and before.period) or self._shares_it(before) or self._amounts())
        if self.splits or self.grain or ranks or told:
            counted = MetricQuery(
                metric=before.of or before.table,
                aggregate=None if before.of else "count",
                where=before.where,
                period=before.period,
                time=before.time,
            )
            return self.change_metric(counted)
        if (summed := self._sum_of(before) or self._worth_of_rows(before)) is not None:
            return summed
        if self.named("metric", "table", "column"):
            raise NotComposed
        count, ranked = before.count, {}
        if self.signs(*_ROW_RANKS) and self.take(Sign.WHICH, Sign.LIST):
            count = False
            order, ascending, rows = self._ranking(before.table, count=False)
            ranked = {"order": order, "ascending": ascending, "rows": rows}
        elif self.take(Sign.HOW_MANY):
            count = True
        elif self.take(Sign.LIST, Sign.WHICH):
            count = False
        period = before.period
        spans = self.spans()
        if len(spans) == 1 and isinstance(spans[0].meaning, DaySpan):
            self._use(spans)
            period = self._period_of(spans, before.table, before.time)
        changed = {"where": self._merged(before.where), "count": count, "period": period, **ranked}
        return before.model_copy(update=changed)

    def _worth_of_rows(self, before: RowQuery) -> MetricQuery | None:
        """Return the money of the rows that were counted: "and how much", 一共多少钱."""
        asks = (Sign.HOW_MANY, Sign.MONEY, Sign.SUM, Sign.WORTH)
        alone = all(item.meaning in (*asks, Sign.AND, Sign.FOLLOWS, Sign.SHOW) for item in self.items)
        money = self.signs(Sign.MONEY, Sign.SUM, Sign.WORTH) or "how much" in self.said
        column = known.money_of(self.catalog, before.table)
        if not (before.count and alone and money and column) or before.without is not None:
            return None
        self.take(*asks)
        return MetricQuery(metric=column, aggregate="sum", where=before.where, period=before.period, time=before.time)

    def _sum_of(self, before: RowQuery) -> MetricQuery | None:
        """Return the sum over the rows that were listed: "the budgets summed up", 预算加起来多少."""
        named = self.named("metric")
        if not named or not adds_up(before, self.items, self.catalog):
            return None
        self._use(named)
        self.take(Sign.SUM, Sign.HOW_MANY)
        where = self._merged(before.where)
        return MetricQuery(metric=named[0].refers_to, where=where, period=before.period, time=before.time)


def adds_up(before: DataQuery, items: Sequence[Item], catalog: Catalog) -> bool:
    """Tell whether one number of the rows that were listed is to be summed up."""
    metrics = {item.refers_to for item in items if item.names("metric")}
    if not isinstance(before, RowQuery) or before.count or len(metrics) != 1:
        return False
    summed = any(item.meaning is Sign.SUM for item in items)
    return summed and catalog.metrics[metrics.pop()].table == before.table


def _kept(per: Sequence[str], by: Sequence[str], grain: str | None) -> tuple[str, ...]:
    """Return the parts that each have a ranking still, beside something that is ranked."""
    kept = tuple(each for each in per if each in by or each == grain)
    return kept if len(kept) < len(by) + (grain is not None) else ()


def _within(named: Period | None, before: Period | None) -> Period | None:
    """Return a period that was named without its year in the year that the thread speaks of."""
    if named is None or before is None or named.start is None or before.end is None or before.start is None:
        return named
    earlier = named_span(named).year_before()
    if earlier.start is None or earlier.end is None or named.start < before.end:
        return named
    inside = before.start <= earlier.start and earlier.end <= before.end
    return Period(start=earlier.start, end=earlier.end) if inside else named
