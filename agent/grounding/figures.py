"""Numbers, dates and times as a sentence writes them, and whether given values hold them: pure, both languages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import MONTHS
from language.words import normalise

_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]{{0,6}}+\.?"
_DATES = re.compile(
    rf"""(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}})
    |(?P<day_first>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<named>{_MONTH})(?:,?\s+(?P<its_year>\d{{4}}))?
    |(?P<month_first>{_MONTH})\s+(?P<its_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year_last>\d{{4}}))?
    |(?:(?P<year_zh>\d{{4}})年)?(?P<month_zh>\d{{1,2}})月(?P<day_zh>\d{{1,2}})[日号]?""",
    re.VERBOSE,
)
_TIMES = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:z|[+-]\d{2}:\d{2})?(?![\d:])")
#: What holds letters before its digits is a name: TCK-2026-000123, p95, db01.
_NAMES = re.compile(r"(?<![a-z0-9])[a-z][a-z_.-]{0,80}+\d[a-z0-9_./:@#-]*+")
_NUMBERS = re.compile(
    r"(?P<number>(?<![\d.,])(?:(?<![\w)])[-−])?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
    r"\s*(?P<after>%|percent\b|per cent\b|k\b|thousand\b|million\b|mn\b|billion\b|bn\b|千|万|亿|百万)?"
)
_SCALES = {
    "k": 10**3,
    "thousand": 10**3,
    "千": 10**3,
    "万": 10**4,
    "million": 10**6,
    "mn": 10**6,
    "百万": 10**6,
    "亿": 10**8,
    "billion": 10**9,
    "bn": 10**9,
}
_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.?)|[~≈]|大约|约|大概|近|接近)\s*$"
)
_SPELLED_WORD = re.compile(rf"\b(?:{'|'.join(word for word in SPELLED if word != 'one')})\b")
_CHINESE_NUMBER = re.compile(
    r"(?<![零两二三四五六七八九十百])([零两二三四五六七八九十百]++)(?=[个张条台名位次天小时分钟秒元件份人行项起])"
)


@dataclass(frozen=True)
class Figure:
    """A number as it is written."""

    value: Decimal
    step: Decimal  # of its last place
    percent: bool = False
    about: bool = False  # "about", "约": it may be rounded

    def is_held(self, values: Iterable[Decimal]) -> bool:
        """Tell whether one of the values is this number: exactly, as a percentage, or rounded as it is written."""
        return any(self._is(value) or (self.percent and self._is(value * 100)) for value in values)

    def _is(self, value: Decimal) -> bool:
        if abs(value) == abs(self.value):
            return True
        rounded = self.about or self.step < 1
        return rounded and abs(abs(value) - abs(self.value)) <= self.step / 2


@dataclass(frozen=True)
class Day:
    """A day as it is written; the year may be left out."""

    month: int
    day: int
    year: int | None = None

    def is_on(self, at: date) -> bool:
        """Tell whether an instant or a date is on this day."""
        return (at.month, at.day) == (self.month, self.day) and self.year in (None, at.year)


@dataclass(frozen=True)
class Said:
    """What a sentence says in figures."""

    figures: tuple[Figure, ...] = ()
    days: tuple[Day, ...] = ()
    times: tuple[time, ...] = ()
    names: tuple[str, ...] = ()  # identifiers with digits in them

    def __bool__(self) -> bool:
        """Return whether it says anything in figures."""
        return bool(self.figures or self.days or self.times or self.names)


def said_in(text: str) -> Said:
    """Return the figures of a text; each digit of it belongs to one of them."""
    left = normalise(text)
    days: list[Day] = []
    times: list[time] = []

    def day(found: re.Match[str]) -> str:
        days.append(_day(found))
        return " "

    def moment(found: re.Match[str]) -> str:
        hour, minute, second = (int(part or 0) for part in found.groups())
        if hour > 23 or minute > 59 or second > 59:
            return found[0]
        times.append(time(hour, minute, second))
        return " "

    left = _TIMES.sub(moment, _DATES.sub(day, left))
    names = tuple(found.rstrip(".:/-") for found in _NAMES.findall(left))
    left = _NAMES.sub(" ", left)
    figures = [_figure(found, left) for found in _NUMBERS.finditer(left)]
    spelled = [SPELLED[found[0]] for found in _SPELLED_WORD.finditer(left)]
    spelled += [whole(found[1]) for found in _CHINESE_NUMBER.finditer(left)]
    figures += [Figure(Decimal(number), Decimal(1)) for number in spelled]
    return Said(tuple(figures), tuple(days), tuple(times), names)


def is_at(said: time, at: datetime) -> bool:
    """Tell whether an instant is at a time of day, to the minute, or the second where that is said."""
    told = at.timetz().replace(tzinfo=None, microsecond=0)
    return told == said or (said.second == 0 and told.replace(second=0) == said)


def _day(found: re.Match[str]) -> Day:
    def number(*names: str) -> int | None:
        return next((int(found[name]) for name in names if found[name]), None)

    named = found["named"] or found["month_first"]
    month = MONTHS.index(named[:3]) + 1 if named else number("month", "month_zh")
    day = number("day", "day_first", "its_day", "day_zh")
    return Day(month or 0, day or 0, number("year", "its_year", "year_last", "year_zh"))


def _figure(found: re.Match[str], text: str) -> Figure:
    written = found["number"].replace("−", "-").replace(",", "")
    value = Decimal(written)
    after = found["after"] or ""
    percent = after in ("%", "percent", "per cent")
    scale = _SCALES.get(after, 1)
    step = Decimal(1).scaleb(-len(written.partition(".")[2]))
    about = _ABOUT.search(text[: found.start()]) is not None
    if about and step == 1:  # about 1,200: to the hundred
        zeros = len(written) - len(written.rstrip("0")) if value else 0
        step = Decimal(10) ** zeros
    return Figure(value * scale, step * scale, percent=percent, about=about or scale > 1)
