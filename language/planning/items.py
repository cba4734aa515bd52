"""What a message says piece by piece: days, times of day, rhythms and spans of time, each with where it stands."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import CHINESE_WEEKDAYS, MONTHS, WEEKDAYS, chinese_weekday
from language.numbers.dates import MONTH as MONTH_NAME
from language.planning.plans import Unclear

_DECADES = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_TENS = rf"(?:{'|'.join(_DECADES)})(?:[\ -](?:{'|'.join(list(SPELLED)[1:10])}))?"
COUNT = (
    rf"(?:\d{{1,3}}(?:\.\d)?|(?:an?\ )?couple(?:\ of)?|{_TENS}|an?|"
    rf"{'|'.join(word for word in SPELLED if word != 'zero')})"
)
#: A span of time may be said roughly; it is taken as it is said.
ABOUT = r"(?:(?:about|around|roughly|approximately|like|another)\ )?"
ABOUT_ZH = r"(?:大概|大约|差不多)?"
NUMBER_ZH = r"(?:\d{1,3}(?:\.\d)?|[零一二两俩三四五六七八九十百廿卅]{1,5})"
WEEK_ZH = r"(?:周|星期|礼拜)"
MONTH = rf"{MONTH_NAME}\b\.?"
_ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TEENS = ("eleventh", "twelfth", *(f"{word}teenth" for word in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
#: The days of a month in words.
_SPELLED_NTHS = (
    *_ONES, "tenth", *_TEENS, "twentieth", *(f"twenty-{word}" for word in _ONES), "thirtieth", "thirty-first",
)  # fmt: skip
NTHS = {word: number for number, word in enumerate(_SPELLED_NTHS, start=1)}
NTH = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(sorted(NTHS, key=len, reverse=True))})"


@dataclass(frozen=True)
class DaySaid:
    """A day, or two of which either may be meant; or why there is none.

    `spare` is the next day like it, for when the time of day has passed on the first. Without a time of day,
    `same_time` ("in three days") means that of now. `weekday`: only the day of the week is said.
    """

    days: tuple[date, ...] = ()
    unclear: Unclear | None = None
    spare: date | None = None
    same_time: bool = False
    today: bool = False
    weekday: bool = False
    weak: bool = False  # "3/4" is a day only beside a time


@dataclass(frozen=True)
class TimeSaid:
    """A time of day in minutes since midnight; `bare` where nothing says which half of the day is meant."""

    minute: int
    bare: bool = False
    digits: bool = False  # "9:00" is of the morning, whatever time it is
    weak: bool = False  # "at 3" before a word that may be what is counted
    midnight: bool = False
    listed: bool = False  # "12" of "at 9 and 12" is a time only after another


@dataclass(frozen=True)
class PartSaid:
    """A part of the day, from one hour to another, and the minute that is usual where no hour is said."""

    first: int
    last: int
    usual: int


@dataclass(frozen=True)
class OffsetSaid:
    """So many days from the day beside it, before it where they are below zero; `working`: working days are counted."""

    days: int
    working: bool = False


@dataclass(frozen=True)
class RhythmSaid:
    """How often something comes: one rule or two of which either may be meant, without what only a start gives."""

    rules: tuple[str, ...] = ()
    unclear: Unclear | None = None
    once: date | None = None  # "the last working day of the month" may be of this month alone
    spare: str = ""  # the rule that is nearest to one that cannot be
    first: date | None = None  # the first day of a rule that leaves some out
    offset: OffsetSaid | None = None  # from a day that does not stand beside it


@dataclass(frozen=True)
class LapseSaid:
    """A span of time after which something is to happen."""

    lapse: timedelta


What = DaySaid | TimeSaid | PartSaid | RhythmSaid | LapseSaid | OffsetSaid


@dataclass(frozen=True)
class SaidItem:
    """A piece and the characters that it is said with."""

    what: What
    start: int
    end: int


#: Makes what was said of a match, as seen from a day; raises ValueError for what is none.
Make = Callable[[re.Match[str], date], What]
Form = tuple[re.Pattern[str], Make]


def form(pattern: str, make: Make) -> Form:
    """Return a way to say something."""
    return re.compile(pattern, re.VERBOSE), make


def items_in(text: str, today: date, forms: Iterable[Form]) -> tuple[SaidItem, ...]:
    """Return what a text says, in its order; of two pieces that overlap, the longer one counts."""
    found = sorted(_all(text, today, forms), key=lambda item: (item.start - item.end, item.start))
    kept: list[SaidItem] = []
    for item in found:
        if all(item.end <= other.start or other.end <= item.start for other in kept):
            kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.start))


def _all(text: str, today: date, forms: Iterable[Form]) -> Iterator[SaidItem]:
    for pattern, make in forms:
        for found in pattern.finditer(text):
            try:
                yield SaidItem(make(found, today), *found.span())
            except (ValueError, OverflowError):
                continue


def count_of(word: str) -> float:
    """Return the number that a count says: "a", "two", 两, "1.5"."""
    if word in ("a", "an", "the"):
        return 1.0
    if "couple" in word:
        return 2.0
    tens, _, ones = word.replace(" ", "-").partition("-")
    if tens in _DECADES:
        return float(_DECADES[tens] + (SPELLED[ones] if ones else 0))
    if re.search(r"[一二两三四五六七八九]{2}", word):
        raise ValueError(word)  # 三四天 is about as many
    return float(word) if word[0].isdecimal() and word.isascii() else float(whole(word))


def weekday_of(word: str) -> int:
    """Return the number of a weekday, Monday 0, of its English name or Chinese character."""
    if word in ("天", *CHINESE_WEEKDAYS):
        return chinese_weekday(word)
    return WEEKDAYS.index(word[:3])


def month_of(word: str) -> int:
    """Return the number of a month, of its English name or a number."""
    return MONTHS.index(word[:3]) + 1 if word[:3] in MONTHS else whole(word)


def months_later(day: date, months: int) -> date:
    """Return the same day so many months later, or the last of a month that is shorter."""
    first = first_of_month(day, months)
    return first.replace(day=min(day.day, (first_of_month(first, 1) - timedelta(days=1)).day))


def nth_of(word: str) -> int:
    """Return the number of "3rd", "third", 3 or 三."""
    return NTHS[word] if word in NTHS else whole(re.sub(r"(?:st|nd|rd|th)$", "", word))


def first_of_month(day: date, months: int = 0) -> date:
    """Return the first day of the month so many months after a day's."""
    number = 12 * day.year + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)
