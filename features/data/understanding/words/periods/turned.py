"""Periods of a query and the stretches of days that words name, turned into one another."""

from datetime import date, timedelta

from features.data.understanding.words.items import NotComposed, PeriodMissing
from features.data.understanding.words.periods.spans import DaySpan, SpanUnit, calendar_span
from queries.sql.metrics.query import Period


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


def period_of(span: DaySpan) -> Period:
    """Return the period that a stretch of days is."""
    return Period(start=span.start, end=span.end)


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
