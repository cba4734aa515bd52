"""Days that come once a year or month under a name of their own: seasons, feasts, holidays, thirds of months."""

import re
from dataclasses import replace
from datetime import date, timedelta

from features.data.understanding.words.periods.spans import DaySpan, calendar_span, moved

#: The month in which each begins; winter is named by the year in which it does.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
#: Month and day of each feast; 0 for one that moves.
#: Month and day of each feast; 0 for one that moves.
FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year's eve": (12, 31),
    "圣诞": (12, 25), "圣诞节": (12, 25), "元旦": (1, 1), "black friday": (11, 0),
}  # fmt: skip


def season_of(first: int, which: str, year: str, today: date) -> DaySpan:
    """Return a season of a year that is named, or the latest; ValueError for a mere word: "summer sale"."""
    if not which and not year:
        raise ValueError("no period")
    start = date(year_of(year, today) if year else today.year, first, 1)
    if not year and start > today and (which != "this" or (first == 12 and today.month < 3)):
        start = moved(start, -12)
    if which == "last" and not year and moved(start, 3) > today:
        start = moved(start, -12)
    return DaySpan(start, moved(start, 3), "quarter", any_year=not year)


def feast_on(day: tuple[int, int], year: str, today: date) -> DaySpan:
    """Return a day that comes once a year: of the year that is named, or the latest; 双11 is 11 November."""
    month, number = day
    found = [date(each, month, number or _black_friday(each)) for each in (today.year, today.year - 1)]
    named = date(year_of(year, today), month, number or _black_friday(year_of(year, today))) if year else None
    past = named or next(each for each in found if each <= today)
    return replace(calendar_span("day", past), any_year=not year and bool(number))


def holiday(name: str, year: str, today: date) -> DaySpan:
    """Return the days off of a year that is named, or the latest: the first seven of October, the first five of May."""
    month, days = {"国庆": (10, 7), "五一": (5, 5)}[name]
    first = date(year_of(year, today) if year else today.year, month, 1)
    if not year and first > today:
        first = moved(first, -12)
    return DaySpan(first, first + timedelta(days=days), "days")


def third_of_month(third: str, month: date) -> DaySpan:
    """Return ten days of a month, 上旬, 中旬, or what is left of it: 下旬."""
    begin = month + timedelta(days=10 * "上中下".index(third))
    return DaySpan(begin, moved(month, 1) if third == "下" else begin + timedelta(days=10), "days")


def _black_friday(year: int) -> int:
    """Return the day of November that follows its fourth Thursday."""
    return 23 + (3 - date(year, 11, 22).weekday()) % 7


def year_of(written: str, today: date) -> int:
    """Return the year that is written: 2025, "last year", 前年; else this one."""
    digits = re.search(r"20\d\d", written)
    if digits:
        return int(digits.group())
    if written.startswith(("last", "the previous", "去年", "上")):
        return today.year - 1
    if written.startswith("明年"):
        return today.year + 1
    return today.year - 2 if written.startswith("前年") else today.year
