"""Days, times of day, durations and numbers as people write them, English and Chinese, with where they stand.

A day is read as seen from another one: "tomorrow", "next Friday", 下周五. What may be meant twice is read as whoever
plans means it: "Friday" is the coming one, "at 3" is in the afternoon.
"""

import calendar
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Generic, Literal, TypeVar

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import MONTH, MONTHS, WEEKDAY, WEEKDAYS
from language.scripts import Language
from language.word_tables import TRADITIONAL

ValueT = TypeVar("ValueT")
#: What a day may stand for: all of the week, month, quarter or year that begins on it.
TimeStep = Literal["", "day", "week", "month", "quarter", "year"]
_MONTH_NAMES = tuple(calendar.month_name)
_SPELLED = "|".join(word for word in SPELLED if word != "zero")
_COUNT = rf"(?:\d+|an?|{_SPELLED}|[零一二两三四五六七八九十百]+)"
_CHINESE_COUNT = r"(?:(?<!\d)\d++|[零一二两三四五六七八九十百]{1,8})"
_MONTH = rf"{MONTH}\.?"
_NEAR = {
    "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "前天": -2, "昨天": -1, "今天": 0, "今日": 0, "今晚": 0,
    "今早": 0, "明天": 1, "明日": 1, "明晚": 1, "明早": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_DAYS = re.compile(
    rf"""(?P<iso>\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b)
    |(?P<after>\b(?:the\ )?day\ after\ tomorrow\b)
    |(?P<near>\b(?:yesterday|today|tonight|tomorrow|this\ (?:morning|afternoon|evening))\b
     |大后天|后天|前天|昨天|今天|今日|今晚|今早|明天|明日|明晚|明早)
    |\bin\ (?P<count>{_COUNT})\ (?P<unit>day|week)s?\b
    |(?P<count_zh>{_CHINESE_COUNT})\ ?个?(?P<unit_zh>天|星期|周|礼拜)(?:之|以)?后
    |\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<month>{_MONTH})(?![a-z])(?:,?\ (?P<year>\d{{4}}))?
    |\b(?P<month_first>{_MONTH})\ (?P<its_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\ (?P<its_year>\d{{4}}))?
    |(?:(?P<year_zh>\d{{4}})年)?(?P<month_zh>{_CHINESE_COUNT})月(?P<day_zh>{_CHINESE_COUNT})[日号]?
    |\b(?:(?P<which>this|next|coming|last)\ )?(?P<weekday>{WEEKDAY}s?)\b
    |(?P<which_zh>下下|这|本|下|上)?个?(?:周|星期|礼拜)(?P<weekday_zh>[一二三四五六日天])
    |\b(?P<week>next\ week)\b|(?P<week_zh>下个?(?:周|星期|礼拜))
    |\bthe\ (?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b(?!\ of\b)|(?P<nth_zh>\d{{1,2}})[号日](?!楼|线|房|室|桌)""",
    re.VERBOSE,
)
_HALF_OF_DAY = {"凌晨": 0, "早上": 0, "早": 0, "上午": 0, "中午": 12, "下午": 12, "傍晚": 12, "晚上": 12, "晚": 12}
_TIMES = re.compile(
    rf"""\b(?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))?\ ?(?P<half>[ap])\.?m\b\.?
    |(?<![\d:])(?P<hours>\d{{1,2}}):(?P<minutes>\d{{2}})(?!\d|:\d)
    |\bhalf\ past\ (?P<past>\d{{1,2}}|{_SPELLED})\b
    |\b(?P<sharp>\d{{1,2}}|{_SPELLED})\ ?o'clock\b
    |\b(?P<noon>noon|midday|midnight)\b
    |(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上|早|晚)?\ ?(?P<hour_zh>{_CHINESE_COUNT})\ ?[点时](?!间)
     (?:(?P<thirty>半)|(?P<quarter>[一三])刻|(?P<minute_zh>{_CHINESE_COUNT})分?)?
    |(?P<midday>中午|正午|半夜|午夜)
    |\b(?:at|by|before|after|from|until|till|around)\ (?P<bare>\d{{1,2}})
     (?=\ ?(?:$|[,;!?。，！？]|\.(?!\d)|
     (?:for|about|on|with|to|till|until|in|and|or|today|tomorrow|next|this|please)\b))""",
    re.VERBOSE,
)
_DURATIONS = re.compile(
    rf"""\b(?P<half_hour>half\ an\ hour)\b|(?P<half_zh>半个?(?:小时|钟头))
    |\b(?P<count>\d+(?:\.\d+)?|an?|{_SPELLED})(?P<and_half>\ and\ a\ half)?[\ -]?
     (?P<unit>minute|min|hour|hr|h|day|week)s?(?:\ (?P<and_half_after>and\ a\ half))?\b
    |(?P<count_zh>(?<!\d)\d++(?:\.\d++)?|{_CHINESE_COUNT})\ ?个?(?P<plus_half>半)?
     (?P<unit_zh>分钟|小时|钟头|天|周|星期)(?!之?后)""",
    re.VERBOSE,
)
_MINUTES = {
    "minute": 1, "min": 1, "hour": 60, "hr": 60, "h": 60, "day": 1_440, "week": 10_080, "分钟": 1, "小时": 60,
    "钟头": 60, "天": 1_440, "周": 10_080, "星期": 10_080,
}  # fmt: skip
_NUMBERS = re.compile(
    rf"(?<![\w.,:/-])(?>\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d++)?(?![\w.:/-]*\d)(?!\ ?[ap]\.?m\b)|(?<=[\u4e00-\u9fff])\d+"
    rf"|\b(?:{_SPELLED})\b|[两二三四五六七八九十百]{{1,8}}(?=[个张条台名位次人件份间辆杯])|一(?=[张条台名位人件份间辆])",
)


@dataclass(frozen=True)
class Spotted(Generic[ValueT]):
    """A value and the characters it is written with."""

    value: ValueT
    start: int
    end: int


def folded(text: str) -> str:
    """Return the text in lower case, half width and simplified characters, each where it stood."""
    narrow = (unicodedata.normalize("NFKC", letter).lower() for letter in text)
    one_each = "".join(new if len(new) == 1 else old for new, old in zip(narrow, text, strict=True))
    return one_each.translate(TRADITIONAL).replace("’", "'")


def days_in(text: str, today: date) -> Iterator[Spotted[date]]:
    """Yield the days that a text names, as seen from `today`."""
    yield from _all(_DAYS, text, lambda found: _day(found, today))


def times_in(text: str) -> Iterator[Spotted[time]]:
    """Yield the times of day that a text names."""
    yield from _all(_TIMES, text, _time)


def durations_in(text: str) -> Iterator[Spotted[timedelta]]:
    """Yield the durations that a text names."""
    yield from _all(_DURATIONS, text, _duration)


def numbers_in(text: str) -> Iterator[Spotted[int | float]]:
    """Yield the numbers that stand alone in a text, in digits or in words."""
    yield from _all(_NUMBERS, text, lambda found: _number(found.group()))


def _all(pattern: re.Pattern[str], text: str, value_of: Callable[[re.Match[str]], ValueT]) -> Iterator[Spotted[ValueT]]:
    for found in pattern.finditer(folded(text)):
        try:
            yield Spotted(value_of(found), *found.span())
        except ValueError:  # the 31st of April, 25 o'clock
            continue


def _day(found: re.Match[str], today: date) -> date:
    said = {name: value for name, value in found.groupdict().items() if value}
    match said:
        case {"iso": iso}:
            year, month, day = map(int, iso.split("-"))
            return date(year, month, day)
        case {"weekday": weekday}:
            return _weekday(WEEKDAYS.index(weekday[:3]), said.get("which", ""), today)
        case {"weekday_zh": weekday}:
            return _weekday("一二三四五六日".index(weekday.replace("天", "日")), said.get("which_zh", ""), today)
        case {"nth": nth} | {"nth_zh": nth}:
            first = today.replace(day=1)
            return (first if int(nth) >= today.day else first + timedelta(days=32)).replace(day=int(nth))
        case {"day": _} | {"its_day": _} | {"day_zh": _}:
            return _day_of_month(said, today)
        case _:
            return today + timedelta(days=_days_ahead(said, today))


def _days_ahead(said: Mapping[str, str], today: date) -> int:
    """Return how many days it is to a day that is named by its distance."""
    match said:
        case {"near": near}:
            return _NEAR.get(near, 0)  # this morning
        case {"count": count, "unit": unit} | {"count_zh": count, "unit_zh": unit}:
            return (1 if count in ("a", "an") else whole(count)) * (1 if unit in ("day", "天") else 7)
        case {"after": _}:
            return 2
        case _:  # next week
            return 7 - today.weekday()


def _day_of_month(said: Mapping[str, str], today: date) -> date:
    """Return a day of a month; without its year, the one that is nearest."""
    named = said.get("month") or said.get("month_first")
    month = MONTHS.index(named[:3]) + 1 if named else whole(said["month_zh"])
    day = whole(said.get("day") or said.get("its_day") or said["day_zh"])
    year = said.get("year") or said.get("its_year") or said.get("year_zh")
    if year:
        return date(int(year), month, day)
    return min((date(today.year + more, month, day) for more in (-1, 0, 1)), key=lambda each: abs(each - today))


def _weekday(weekday: int, which: str, today: date) -> date:
    monday = today - timedelta(days=today.weekday())
    weeks = {"next": 1, "下": 1, "下下": 2, "last": -1, "上": -1, "this": 0, "这": 0, "本": 0}.get(which)
    if weeks is not None:
        return monday + timedelta(days=weekday, weeks=weeks)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _time(found: re.Match[str]) -> time:
    said = {name: value for name, value in found.groupdict().items() if value}
    match said:
        case {"half": half, "hour": hour}:
            return time(int(hour) % 12 + (12 if half == "p" else 0), int(said.get("minute", 0)))
        case {"hours": hours, "minutes": minutes}:
            return time(int(hours), int(minutes))
        case {"noon": word} | {"midday": word}:
            return time(0) if word in ("midnight", "半夜", "午夜") else time(12)
        case {"hour_zh": hour}:
            return _chinese_time(whole(hour), said)
        case _:
            hour = said.get("past") or said.get("sharp") or said["bare"]
            return time(_waking(whole(hour)), 30 if "past" in said else 0)


def _chinese_time(hour: int, said: Mapping[str, str]) -> time:
    part = said.get("part")
    if part is None:
        hour = _waking(hour)
    elif _HALF_OF_DAY[part] and hour < (11 if part == "中午" else 12):
        hour += 12
    minute = 30 if "thirty" in said else 15 * whole(said["quarter"]) if "quarter" in said else 0
    return time(hour % 24, whole(said["minute_zh"]) if "minute_zh" in said else minute)


def _waking(hour: int) -> int:
    """Return the hour of the day that is meant where nobody says which half of it: from 8 to 19."""
    return hour + 12 if hour < 8 else hour


def _duration(found: re.Match[str]) -> timedelta:
    said = {name: value for name, value in found.groupdict().items() if value}
    if "half_hour" in said or "half_zh" in said:
        return timedelta(minutes=30)
    count, unit = said.get("count") or said["count_zh"], said.get("unit") or said["unit_zh"]
    halves = 0.5 if said.keys() & {"and_half", "and_half_after", "plus_half"} else 0.0
    number = 1.0 if count in ("a", "an") else float(count) if count[0].isdecimal() else float(whole(count))
    return timedelta(minutes=(number + halves) * _MINUTES[unit])


def _number(written: str) -> int | float:
    if written[0].isdecimal():
        value = float(written.replace(",", ""))
        return int(value) if value.is_integer() else value
    return whole(written)


def step_in_words(day: date, step: TimeStep, language: Language) -> str:
    """Return the week, month, quarter or year that begins on a day as people write it: "May 2026", "week 21, 2026"."""
    week = day.isocalendar()
    number = {"week": week.week, "month": day.month, "quarter": (day.month + 2) // 3}.get(step, 0)
    year = week.year if step == "week" else day.year
    if step in ("", "day"):
        return day.isoformat()
    if language == "zh":
        form = {"week": "{year}年第{number}周", "month": "{year}年{number}月", "quarter": "{year}年第{number}季度"}
        return form.get(step, "{year}年").format(year=year, number=number)
    month = f"{_MONTH_NAMES[day.month]} {{year}}"
    form = {"week": "week {number}, {year}", "month": month, "quarter": "Q{number} {year}"}
    return form.get(step, "{year}").format(year=year, number=number)
