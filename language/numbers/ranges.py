"""Amounts, times and days that a question names, and the ranges in a text that hold them.

"And 12,000 euros?" is answered by the row "5,001 to 50,000", 三天呢 by what holds for 两天以上, "on Saturday?" by
"Weekend": no word of the question stands there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import WEEKDAY, WHOLE_WEEKDAYS, chinese_weekday
from language.words import normalise

#: Unit, as it is written → what it measures and how much one of it is.
_UNITS: tuple[tuple[str, str, float], ...] = (
    (r"(?:st|nd|rd|th) birthday|years? (?:old|of age)|周?岁", "age", 1),
    (r"%|percent", "share", 1),
    (r"minutes?|mins?|分钟", "time", 1 / 60),
    (r"(?:full )?hours?|hrs?|个?小时|个?钟头", "time", 1),
    (r"(?:working |business |calendar )?days?|个?工作日|天", "time", 24),
    (r"weeks?|wks?|周|个?星期", "time", 168),
    (r"months?|个月", "time", 730),
    (r"years?|yrs?|年", "time", 8_760),
    (r"(?:people|persons?|guests?|pupils?|seats?|colleagues?|heads?)|个?人|位|名", "people", 1),
    (r"times?|次", "times", 1),
    (r"km|kilomet(?:re|er)s?|公里", "distance", 1),
    (r"(?:m|met(?:re|er)s?|米)(?![²³])", "distance", 1 / 1_000),
    (r"cm|centimet(?:re|er)s?|厘米|公分", "distance", 1 / 100_000),
    (r"mm|millimet(?:re|er)s?|毫米", "distance", 1 / 1_000_000),
    (r"kg|kilos?|kilograms?|公斤|千克", "weight", 1),
    (r"g|grams?|克", "weight", 1 / 1_000),
    (r"t|tons?|tonnes?|吨", "weight", 1_000),
    (r"l|lit(?:re|er)s?|升", "volume", 1),
    (r"ml|millilit(?:re|er)s?|毫升", "volume", 1 / 1_000),
    (r"°c|℃|degrees?(?: celsius| c)?|摄氏度|度", "temperature", 1),
    (r"knots?|kn|节", "speed", 1.852),
    (r"km/h|kph|kmh", "speed", 1),
    (r"mph|miles an hour", "speed", 1.609),
    (r"euros?|eur|€|dollars?|usd|\$|pounds?|£|yuan|rmb|¥|元|块钱?", "money", 1),
)
_UNIT = "|".join(f"(?P<u{at}>{written})" for at, (written, _, _) in enumerate(_UNITS))
_CURRENCY = r"(?:[€$£¥]|\b(?:eur|usd|gbp|chf|cny|rmb) )"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_SPELLED = SPELLED | _ORDINALS | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100}
_NUMBER = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)|\b(?:{'|'.join(sorted(_SPELLED, key=len, reverse=True))})\b"
    r"|[零一二两三四五六七八九十百千万]+"
)
#: A number, with its currency before it or its unit behind it.
_QUANTITY = re.compile(
    rf"(?P<currency>{_CURRENCY})? ?(?P<number>{_NUMBER})[*_]{{0,2}}[多来几余]? ?-?(?:{_UNIT})?(?![a-z])"
)
#: What stands before the lower or the upper end of a range, and what behind it.
_FROM = re.compile(
    r"(?:(?P<beyond>(?<!no )(?<!not )more than|over|above|(?:long|old|hot|high|heavi)er than|beyond|exceed\w{0,3}"
    r"|(?<!不)超过|多于|大于|高于)"
    r"|from|at least|after(?: every)?|starting (?:at|with)|(?:from|after) (?:the|your|the age of)|"
    r"(?<![不未])满|至少|不低于|不少于|从)[ *_]{0,4}(?:€|\$|£|¥)?$"
)
_TO = re.compile(
    r"(?:(?P<below>under|below|(?:low|cold)er than|less than|fewer than|不满|(?<!不)少于|(?<!不)低于|小于|不足|未满)"
    r"|up to|at most|not more than|no more than|within|until|till|for the first|the first|"
    r"maximum of|不超过|至多|最多)[ *_]{0,4}(?:€|\$|£|¥)?$"
)
#: How much less than itself the end of a range is that does not hold its end: 不满 1 年.
_HAIR = 1e-9
_FROM_BEHIND = re.compile(r"[*_ ]*(?:or (?:more|longer|above|over)|and (?:more|above|over|longer)|及?以上|起|后)")
_TO_BEHIND = re.compile(r"[*_ ]*(?:or (?:less|fewer|under|below)|及?以内|及?以下|之内|内)")
_BETWEEN = re.compile(r"[*_ ]*(?:to|and|up to|[-–—~]|到|至)[*_ ]*(?:€|\$|£|¥)?")

#: What makes a unit of a quantity: 多少钱一个月.
_RATE = re.compile(r"(?:钱|多少|每) ?$")

_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2})(?:[:：](?P<minute>\d\d)| ?(?P<half>[ap])\.?m\b\.?)"
    r"|(?P<part>早上|上午|中午|下午|傍晚|晚上|夜里|晚)?(?P<point>\d{1,2}|[一二两三四五六七八九十]{1,3})点(?P<thirty>半)?"
)
_CLOCK_FROM = re.compile(r"(?:after|from|since|later than|starting at|past)[ *_]{0,4}$")
_CLOCK_TO = re.compile(r"(?:before|until|till|by|up to)[ *_]{0,4}$")
_CLOCK_FROM_BEHIND = re.compile(r"[*_ ]*(?:以后|之后|后|起|on\b|onwards\b)")
_CLOCK_TO_BEHIND = re.compile(r"[*_ ]*(?:以前|之前|前)")

_DAY = re.compile(
    rf"\b(?P<from>{WEEKDAY}s?)\b(?: ?(?:to|till|until|through|[-–—]) ?(?P<to>{WEEKDAY}s?)\b)?"
    r"|(?:周|星期|礼拜)(?P<von>[一二三四五六日天])(?: ?(?:到|至|[-–—~]) ?(?:周|星期|礼拜)?(?P<bis>[一二三四五六日天]))?"
    r"|(?P<weekend>\bweekends?\b|周末|双休)|(?P<weekday>\b(?:weekdays?|working days?)\b|工作日|平日)"
)
_MIDNIGHT = 24.0

#: How much a value without a unit, or one beside a range that has none, says.
_UNSAID = ("", "money", "people", "times", "age")


@dataclass(frozen=True)
class Range:
    """What is measured, from where to where; a single value is a range of nothing between."""

    kind: str
    low: float
    high: float

    @property
    def is_value(self) -> bool:
        """Return whether it is one value."""
        return self.low == self.high

    @property
    def end(self) -> "Range | None":
        """Return its only end as a value; None for a range with two."""
        ends = {each for each in (self.low, self.high) if each not in (0, inf, _MIDNIGHT) or self.is_value}
        return Range(self.kind, *(2 * tuple(ends))) if len(ends) == 1 else None

    def is_of_kind(self, other: "Range") -> bool:
        """Tell whether both may measure the same; one of them may not say what it measures."""
        unsaid = self.kind in _UNSAID and other.kind in _UNSAID and "" in (self.kind, other.kind)
        return unsaid or self.kind == other.kind

    def holds(self, value: "Range") -> float:
        """Return how closely it holds a value, 0 for not at all; the nearer its ends, the closer."""
        if self.is_value and self.kind == "weekday" and self.low == value.low:
            return 1.0
        if not self.is_of_kind(value) or self.is_value or not self.low <= value.low <= self.high:
            return 0.0
        ends = [abs(end - value.low) for end in (self.low, self.high) if 0 < end < inf]
        return 0.5 + 0.5 / (1 + min(ends, default=value.low) / (value.low or 1))


def exceeds(text: str, values: tuple[Range, ...]) -> bool:
    """Tell whether values are more than the upper ends of the ranges in a text: what stands behind it is for them."""
    ranges = [each for each in ranges_in(text) if not each.is_value and 0 < each.high < inf] if values else []
    return bool(ranges) and all(any(_is_above(value, each) for each in ranges) for value in values)


def _is_above(value: Range, other: Range) -> bool:
    return value.is_of_kind(other) and value.low > other.high


def measures(text: str, values: tuple[Range, ...]) -> bool:
    """Tell whether a text names an amount, a time or a day of the kind of each value."""
    kinds = {each.kind for each in ranges_in(text)} if values else set()
    return bool(kinds) and all(each.kind in kinds for each in values)


def values_in(text: str) -> tuple[Range, ...]:
    """Return the amounts, times of day and days of the week that a question names: "after six hours" is six hours."""
    return tuple(value for each in ranges_in(text) if (value := each.end) is not None)


def holds(text: str, values: tuple[Range, ...]) -> float:
    """Return how closely the ranges of a text hold the values, 0 for not at all."""
    ranges = ranges_in(text) if values else ()
    return min((max((each.holds(value) for each in ranges), default=0.0) for value in values), default=0.0)


def without_values(text: str) -> str:
    """Return a text without the amounts, times of day and days of the week that it names."""
    plain = normalise(text)
    for pattern in (_DAY, _CLOCK):
        plain = pattern.sub(" ", plain)
    return _QUANTITY.sub(
        lambda found: " " if found["number"][0].isdecimal() or _measured(found)[0] else found.group(), plain
    )


@lru_cache(maxsize=4_096)  # a piece of a page is asked for what it holds, measures and exceeds
def ranges_in(text: str) -> tuple[Range, ...]:
    """Return all amounts, times of day and days of the week that a text names, single ones too."""
    return tuple(_ranges(normalise(text)))


def _ranges(plain: str) -> Iterator[Range]:
    yield from _days(plain)
    clocks = list(_CLOCK.finditer(plain))
    yield from _clocks(plain, clocks)
    for one in reversed(clocks):
        plain = plain[: one.start()] + " " * (one.end() - one.start()) + plain[one.end() :]
    yield from _quantities(plain)


def _quantities(plain: str) -> Iterator[Range]:
    found = [
        one
        for one in _QUANTITY.finditer(plain)
        if (one["number"][0].isdecimal() or _measured(one)[0]) and not _RATE.search(plain, 0, one.start())
    ]
    skip = False
    for at, one in enumerate(found):
        if skip:
            skip = False
            continue
        after = found[at + 1] if at + 1 < len(found) else None
        kind, value = _measured(one)
        if after is not None and _BETWEEN.fullmatch(plain, one.end(), after.start()):
            other_kind, other = _measured(after)
            low = value if kind else _rescaled(one, after)
            if (not kind or kind == other_kind) and low < other:
                skip = True
                yield Range(other_kind, low, other)
                continue
        before = plain[max(0, one.start() - 24) : one.start()]
        least, most = _FROM.search(before), _TO.search(before)
        if least or _FROM_BEHIND.match(plain, one.end()):
            yield Range(kind, value * (1 + _HAIR) if least and least["beyond"] else value, inf)
        elif most or _TO_BEHIND.match(plain, one.end()):
            yield Range(kind, 0, value * (1 - _HAIR) if most and most["below"] else value)
        else:
            yield Range(kind, value, value)


def _measured(found: re.Match[str]) -> tuple[str, float]:
    """Return what a quantity measures, and its value in the measure's own unit."""
    value = _value(found["number"])
    for at, (_, kind, factor) in enumerate(_UNITS):
        if found[f"u{at}"]:
            return kind, value * factor
    return ("money" if found["currency"] else ""), value


def _rescaled(one: re.Match[str], other: re.Match[str]) -> float:
    """Return the value of a number that takes the unit of the one behind it: "two to five years"."""
    factor = next((factor for at, (_, _, factor) in enumerate(_UNITS) if other[f"u{at}"]), 1)
    return _value(one["number"]) * factor


def _value(written: str) -> float:
    if written in _SPELLED:
        return _SPELLED[written]
    return float(written.replace(",", "")) if written[0].isdecimal() else whole(written)


def _clocks(plain: str, found: list[re.Match[str]]) -> Iterator[Range]:
    for at, one in enumerate(found):
        hour = _hour(one)
        before = plain[max(0, one.start() - 16) : one.start()]
        after = found[at + 1] if at + 1 < len(found) else None
        if after is not None and _BETWEEN.fullmatch(plain, one.end(), after.start()):
            yield Range("clock", hour, _hour(after))
        elif _CLOCK_FROM.search(before) or _CLOCK_FROM_BEHIND.match(plain, one.end()):
            yield Range("clock", hour, _MIDNIGHT)
        elif _CLOCK_TO.search(before) or _CLOCK_TO_BEHIND.match(plain, one.end()):
            yield Range("clock", 0, hour)
        else:
            yield Range("clock", hour, hour)


def _hour(found: re.Match[str]) -> float:
    if found["point"]:
        hour = _value(found["point"]) + (0.5 if found["thirty"] else 0)
        return hour + 12 if found["part"] in ("下午", "傍晚", "晚上", "晚") and hour < 12 else hour
    hour = int(found["hour"]) + int(found["minute"] or 0) / 60
    return hour + 12 if found["half"] == "p" and hour < 12 else hour


def _days(plain: str) -> Iterator[Range]:
    for found in _DAY.finditer(plain):
        if found["weekend"]:
            yield Range("weekday", 5, 6.5)
        elif found["weekday"]:
            yield Range("weekday", -0.5, 4)
        else:
            low, high = _day(found["from"] or found["von"]), _day(found["to"] or found["bis"] or "")
            yield Range("weekday", low, max(high, low))


def _day(written: str) -> int:
    if not written:
        return -1
    if written[0] in "一二三四五六日天":
        return chinese_weekday(written)
    return next(at for at, name in enumerate(WHOLE_WEEKDAYS) if name.startswith(written[:3]))
