"""The periods that words name, what each is compared with, and what there is right now."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from features.data.understanding.composing.comparing import period_of
from features.data.understanding.composing.gathering import Gathering
from features.data.understanding.composing.rows import RowComposition
from features.data.understanding.words.deeds import given_up
from features.data.understanding.words.items import Item, NotComposed, PeriodMissing
from features.data.understanding.words.periods.spans import DaySpan, SpanUnit, calendar_span
from features.data.understanding.words.signs import Sign
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.measures import measure_of, time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period

#: Periods that have one after them.
_STEPS = ("day", "week", "month", "quarter", "half", "year")
#: What is said of those that there are right now.
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


class TimeComposition(RowComposition):
    """The periods of a query that the parts make."""

    def periods(self) -> tuple[Period | None, Period | None]:
        """Return the period, and the one that it is compared with."""
        named = self.spans()
        self._use(named)
        spans = within_open([item.meaning for item in named if isinstance(item.meaning, DaySpan)])
        compares = self.take(Sign.COMPARE, Sign.CHANGE)
        spans = in_one_year(spans) if compares else spans
        previous, year = self.take(Sign.PREVIOUS), self.take(Sign.YEAR_EARLIER)
        spans = once_compared(spans) if year or previous else spans
        if not (compares or previous or year):
            if self._are_side_by_side(named) and not self.signs(Sign.SHARE):
                late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
                return period_of(late), period_of(early)
            if len(spans) > 1:
                raise NotComposed(named[-1].word.text)
            return (period_of(spans[0]) if spans else None), None
        if len(spans) > 2 or any(span.unit in ("range", "open") for span in spans):
            raise NotComposed(named[-1].word.text)
        if len(spans) == 2 and not (previous or year):
            late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
            return period_of(late), period_of(same_part(late, early))
        if len(spans) != 1:
            raise PeriodMissing
        return self._against(spans[0], named[0], year=year, named_against=not previous and not year)

    def _are_side_by_side(self, named: Sequence[Item]) -> bool:
        """Tell whether two periods of one length are joined: 昨天和前天, "in May and June"."""
        spans = [item.meaning for item in named if isinstance(item.meaning, DaySpan)]
        if len(spans) != 2 or spans[0].unit != spans[1].unit or spans[0].unit in ("range", "open", "days"):
            return False
        first, last = (self.items.index(item) for item in named)
        joined = last - first == 2 and self.items[first + 1].meaning is Sign.AND
        if not joined or self.grain or self.bounds:
            return False
        self._use(self.signs(Sign.EACH, Sign.BY) if not self.splits else self.signs(Sign.EACH))
        return True

    def _against(
        self, span: DaySpan, item: Item, *, year: bool, named_against: bool
    ) -> tuple[Period | None, Period | None]:
        if year:
            return period_of(span), period_of(self.year_earlier(span))
        if self._is_same_part() and self._is_running(span):
            return period_of(span), period_of(until(span, span.before(), self.today))
        if span.rolls and self.signs(Sign.COMPARE) and not self.signs(Sign.CHANGE, Sign.PREVIOUS):
            raise PeriodMissing  # 这两年对比 is one year with the other
        if named_against and self._is_compared_with(item):
            later = after(span) if span.unit in _STEPS else span
            if later.end is not None and later.end <= self.today:  # "than October last year" is this October
                later = latest_of(span, self.today)
            if later is span or span.unit == "days":
                raise PeriodMissing
            return period_of(later), period_of(self._as_far(later, span))
        return period_of(span), period_of(self._as_far(span, span.before()))

    def _is_same_part(self) -> bool:
        """Tell whether it is compared with as many days of the period before: 上月同期."""
        said = [item.word.text.lower() for item in self.signs(Sign.PREVIOUS)]
        return any("same" in each or each.endswith("同期") for each in said)

    def _as_far(self, span: DaySpan, earlier: DaySpan) -> DaySpan:
        """Return what a period is compared with: where it is not over yet, growth is over as many days of both."""
        grows = self.signs(Sign.CHANGE) and self._is_running(span)
        return until(span, earlier, self.today) if grows else earlier

    def year_earlier(self, span: DaySpan) -> DaySpan:
        """Return a period of a year earlier, as far as this one has come."""
        return until(span, span.year_before(), self.today) if self._is_running(span) else span.year_before()

    def _is_running(self, span: DaySpan) -> bool:
        return (
            span.start is not None and span.end is not None and span.start <= self.today < span.end - timedelta(days=1)
        )

    def _is_compared_with(self, item: Item) -> bool:
        """Tell whether a period is what is compared with: "than last month", 比上月."""
        at = self.items.index(item)
        before = at > 0 and self.items[at - 1].meaning is Sign.COMPARE
        after = not item.word.text.isascii() and at + 1 < len(self.items) and self.items[at + 1].meaning is Sign.COMPARE
        return before or after


def named_span(period: Period) -> DaySpan:
    """Return a period with the unit of the calendar that it fills, so that it is known what stands before it."""
    if period.start is None or period.end is None:
        raise NotComposed
    units: tuple[SpanUnit, ...] = ("week", "month", "quarter", "half", "year")
    for unit in units:
        span = calendar_span(unit, period.start)
        if (span.start, span.end) == (period.start, period.end):
            return span
    kind: SpanUnit = "day" if period.end - period.start == timedelta(days=1) else "days"
    return DaySpan(period.start, period.end, kind)


def same_part(span: DaySpan, earlier: DaySpan) -> DaySpan:
    """Return what a period is compared with: October with last year is with its October."""
    if span.unit not in ("week", "month", "quarter", "half") or earlier.unit != "year":
        return earlier
    before = span.year_before()
    inside = earlier.start and earlier.end and before.start and earlier.start <= before.start < earlier.end
    return before if inside else earlier


def until(span: DaySpan, earlier: DaySpan, today: date) -> DaySpan:
    """Return what of an earlier period corresponds to one that is not over: this year and last until today."""
    if span.start is None or earlier.start is None or earlier.end is None:
        raise NotComposed
    if span.unit in ("year", "half", "quarter", "month"):
        here = calendar_span("month", today)
        months = 12 * (today.year - span.start.year) + today.month - span.start.month
        there = calendar_span("month", earlier.start)
        for _ in range(months):
            there = calendar_span("month", there.end or earlier.end)
        first, last = here.start or today, there.start or earlier.start
        end = min(last + (today - first) + timedelta(days=1), there.end or earlier.end)
    else:
        end = earlier.start + (today - span.start) + timedelta(days=1)
    return DaySpan(earlier.start, min(end, earlier.end), "range")


def after(span: DaySpan) -> DaySpan:
    """Return the one after a period of the calendar."""
    if span.end is None or span.unit not in ("day", "week", "month", "quarter", "half", "year"):
        raise PeriodMissing
    return calendar_span(span.unit, span.end)


def latest_of(span: DaySpan, today: date) -> DaySpan:
    """Return the latest that has begun of the same month, quarter or half of a year, or of the calendar.

    "Than October last year" is said of this October, "than 2024" of this year.
    """
    if span.start is None or span.unit not in ("month", "quarter", "half"):
        return calendar_span(span.unit, today)
    year = today.year
    while span.start.replace(year=year, day=1) > today:
        year -= 1
    found = calendar_span(span.unit, span.start.replace(year=year, day=1))
    return found if found.start != span.start else calendar_span(span.unit, today)


def once_compared(spans: list[DaySpan]) -> list[DaySpan]:
    """Return periods without the one that another is compared with anyway: 今年同比去年."""
    if len(spans) != 2 or any(span.start is None or span.end is None for span in spans):
        return spans
    late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
    days = [(each.start, each.end) for each in (late.before(), late.year_before())]
    return [late] if (early.start, early.end) in days else spans


def within_open(spans: list[DaySpan]) -> list[DaySpan]:
    """Return a period and an open one as what both say: "this year, until June", 本月截至今天."""
    if len(spans) != 2 or [span.unit for span in spans].count("open") != 1:
        return spans
    first, second = spans
    start = max((each.start for each in spans if each.start), default=None)
    end = min((each.end for each in spans if each.end), default=None)
    if start is None or end is None or start >= end:
        return [first, second]
    return [DaySpan(start, end, "range")]


def in_one_year(spans: list[DaySpan]) -> list[DaySpan]:
    """Return two periods in the year that one of them names: 去年十二月比十一月 is of the November before."""
    if len(spans) != 2 or spans[0].unit != spans[1].unit or spans[0].any_year == spans[1].any_year:
        return spans
    bare, named = sorted(spans, key=lambda span: not span.any_year)
    if bare.start is None or bare.end is None or named.start is None:
        return spans
    years = bare.start.year - named.start.year
    for _ in range(max(years, 0)):
        bare = bare.year_before()
    if bare.start == named.start:
        return spans  # this October with that of last year
    return [bare if span.any_year else span for span in spans]


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


def without_given_up(query: DataQuery, catalog: Catalog) -> DataQuery:
    """Return a query of what was not done yet without what nobody waits for any more, where no state is named."""
    undone = (each.column for each in query.where if each.values == (None,) and each.operator == "is")
    states = (found for day in undone if (found := given_up(catalog, day)) is not None)
    found = next(states, None)
    if found is None or any(each.column == found.column for each in query.where):
        return query
    return query.model_copy(update={"where": (*query.where, found)})


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
