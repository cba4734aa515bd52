"""Stretches of days, and the weeks, months, quarters and years of the calendar."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

SpanUnit = Literal["day", "week", "month", "quarter", "half", "year", "end", "days", "range", "open"]


@dataclass(frozen=True)
class OnDays:
    """Days of the week, all of them that there are: 1 is Monday."""

    days: tuple[int, ...]


@dataclass(frozen=True)
class OnHours:
    """Hours of the day, of all days: from `first` on, until before `end`."""

    first: int
    end: int


@dataclass(frozen=True)
class DaySpan:
    """Days from `start` on, until before `end`; None where it is open.

    `days` are a number of days until today, `range` goes from one period to another, `open` has one end.
    """

    start: date | None
    end: date | None
    unit: SpanUnit
    rolls: Literal["", "week", "month", "quarter", "year"] = ""  # `days` that were said in these
    any_year: bool = False  # of the latest year, as none was named

    def before(self) -> "DaySpan":
        """Return the one before it, as long as this one; ValueError for an open one."""
        if self.start is None or self.end is None:
            raise ValueError("an open period has none before it")
        months = {"month": 1, "quarter": 3, "half": 6, "year": 12}.get(self.unit)
        if months:
            return DaySpan(moved(self.start, -months), self.start, self.unit)
        return DaySpan(self.start - (self.end - self.start), self.start, self.unit)

    def to_come(self, today: date) -> "DaySpan":
        """Return the one that is not over yet, where no year was named."""
        if not self.any_year or self.end is None or self.end > today:
            return self
        return replace(self, start=self.start and moved(self.start, 12), end=moved(self.end, 12))

    def is_nearer_behind(self, today: date) -> bool:
        """Return whether a month without a year was nearer than it will be: October, said in November."""
        coming = self.to_come(today)
        if coming is self or self.unit != "month" or self.start is None or coming.start is None:
            return False
        return today - self.start < coming.start - today

    def year_before(self) -> "DaySpan":
        """Return the same days of the year before; ValueError for an open one."""
        if self.start is None or self.end is None:
            raise ValueError("an open period has none before it")
        if self.unit == "week":  # weeks stay weeks
            return replace(self, start=self.start - timedelta(days=364), end=self.end - timedelta(days=364))
        return replace(self, start=moved(self.start, -12), end=moved(self.end, -12))


def calendar_span(unit: SpanUnit, day: date) -> DaySpan:
    """Return the week, month, quarter, half or year of the calendar that a day lies in."""
    match unit:
        case "week":
            first = day - timedelta(days=day.weekday())
            return DaySpan(first, first + timedelta(days=7), unit)
        case "month" | "quarter" | "half" | "year":
            months = {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
            first = day.replace(month=(day.month - 1) // months * months + 1, day=1)
            return DaySpan(first, moved(first, months), unit)
        case _:
            return DaySpan(day, day + timedelta(days=1), "day")


def moved(day: date, months: int) -> date:
    """Return the same day of another month, or its last one."""
    counted = day.year * 12 + day.month - 1 + months
    year, month = divmod(counted, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
