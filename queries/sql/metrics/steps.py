"""Steps of time that are over, and how many of them a period holds: what a mean is taken over."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

from queries.sql.datasource import MOST_ROWS
from queries.sql.metrics.query import Grain, Period, Step

_MONTHS: dict[Step, int] = {"month": 1, "quarter": 3, "year": 12}
#: Days after which another step has begun, and no more than one.
_LONGEST: dict[Step, int] = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}
#: Days of a month on the average of four years.
_DAYS_A_MONTH = Decimal("30.4375")


def step_of(grain: Grain | None) -> Step | None:
    """Return a step of time; None for what comes round again, as the days of the week do."""
    match grain:
        case "weekday" | "hour":
            return None
        case _:
            return grain


def first_of(grain: Step, day: date) -> date:
    """Return the first day of the step that a day lies in; weeks begin on Monday."""
    if grain == "day":
        return day
    if grain == "week":
        return day - timedelta(days=day.weekday())
    months = _MONTHS[grain]
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def over(period: Period | None, grain: Step, today: date) -> Period:
    """Return a period without the step that is still running; as it is where it holds no other one."""
    running = first_of(grain, today)
    if period is None:
        return Period(end=running)
    if period.end is not None and period.end <= running:
        return period
    if period.start is not None and period.start >= running:
        return period
    return Period(start=period.start, end=running)


def steps_between(first: date, last: date, grain: Step) -> Iterator[date]:
    """Yield the first day of each step from one that holds a day to one that holds another, at most MOST_ROWS."""
    step = first_of(grain, first)
    for _ in range(MOST_ROWS):
        if step > last:
            return
        yield step
        step = first_of(grain, step + timedelta(days=_LONGEST[grain]))


def steps_in(period: Period, grain: Step) -> Decimal | None:
    """Return how many steps a period holds, in parts where it does not end with one; None for an open one."""
    if period.start is None or period.end is None:
        return None
    days = Decimal((period.end - period.start).days)
    if grain in ("day", "week"):
        return days / (7 if grain == "week" else 1)
    months = _MONTHS[grain]
    if first_of(grain, period.start) == period.start and first_of(grain, period.end) == period.end:
        whole = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
        return Decimal(whole) / months
    return days / (_DAYS_A_MONTH * months)
