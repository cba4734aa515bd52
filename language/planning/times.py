"""Times of day, parts of the day and spans of time, as people say them."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import WEEKDAY
from language.planning.items import (
    ABOUT,
    ABOUT_ZH,
    COUNT,
    NUMBER_ZH,
    WEEK_ZH,
    Form,
    LapseSaid,
    PartSaid,
    TimeSaid,
    count_of,
    form,
)

_HOUR_WORD = "|".join(word for word, number in SPELLED.items() if 0 < number <= 12)
_HOUR = rf"(?:\d{{1,2}}|{_HOUR_WORD})"
_HALF = r"(?:\ ?(?P<half>[ap])\.?m\b\.?)"
_AT = r"(?:(?<![a-z])(?:at|by|before|around|about|after|until|till)\ |(?<![\w.-])@\ ?(?=\d))"
DAY_MINUTES: Final = 1_440
_PARTS: Mapping[str, PartSaid] = {
    "early morning": PartSaid(4, 9, 8 * 60), "morning": PartSaid(4, 12, 9 * 60), "first thing": PartSaid(4, 12, 9 * 60),
    "lunchtime": PartSaid(11, 14, 12 * 60),
    "afternoon": PartSaid(12, 19, 15 * 60), "evening": PartSaid(16, 24, 19 * 60), "night": PartSaid(17, 25, 21 * 60),
    "end of day": PartSaid(15, 20, 17 * 60), "end of the day": PartSaid(15, 20, 17 * 60),
    "eod": PartSaid(15, 20, 17 * 60),
    "close of business": PartSaid(15, 20, 17 * 60), "cob": PartSaid(15, 20, 17 * 60),
    "凌晨": PartSaid(0, 7, 5 * 60), "清晨": PartSaid(4, 10, 7 * 60), "早晨": PartSaid(4, 12, 8 * 60),
    "清早": PartSaid(4, 10, 7 * 60), "大清早": PartSaid(4, 10, 7 * 60), "一大早": PartSaid(4, 12, 8 * 60),
    "一早": PartSaid(4, 12, 8 * 60),
    "早上": PartSaid(4, 12, 9 * 60), "早": PartSaid(4, 12, 9 * 60), "上午": PartSaid(5, 13, 9 * 60),
    "中午": PartSaid(11, 15, 12 * 60), "下午": PartSaid(12, 20, 15 * 60), "傍晚": PartSaid(16, 21, 18 * 60),
    "晚上": PartSaid(17, 25, 20 * 60), "晚": PartSaid(17, 25, 20 * 60), "夜里": PartSaid(18, 25, 22 * 60),
}  # fmt: skip
_MINUTE_WORDS = {
    "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "forty five": 45, "fifty": 50,
}  # fmt: skip
#: Words after which "at 9" is a time of day: what follows is not what is counted.
_FOLLOWS = (
    r"(?=\ ?(?:$|[,;:!?。，！？、)]|\.(?!\d)|[\u4e00-\u9fff]|(?:for|about|on|with|to|till|until|in|and|or|today|"
    r"tomorrow|tonight|next|this|please|every|each|that|sharp|remind|the\ day|daily|weekly)\b))"
)


def part_of(word: str) -> PartSaid:
    """Return a part of the day by its word."""
    return _PARTS[word]


def _clock(found: re.Match[str], _: date) -> TimeSaid:
    """Return "3pm", "15:00", "3:30", 三点半."""
    said = found.groupdict()
    hour, minute = whole(said["hour"]), int(whole(said.get("minute") or "0"))
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        raise ValueError
    if half := said.get("half"):
        if not 1 <= hour <= 12:
            raise ValueError
        return TimeSaid((hour % 12 + 12 * (half == "p")) * 60 + minute)
    bare = 1 <= hour <= 12 and not said["hour"].startswith("0")
    return TimeSaid(hour * 60 + minute, bare=bare, digits=True)


def _spelled(found: re.Match[str], _: date) -> TimeSaid:
    """Return "at nine thirty", "at 9 30"."""
    hour, minute = whole(found["hour"]), _MINUTE_WORDS.get(found["minute"])
    if hour > 23:
        raise ValueError
    return TimeSaid(hour * 60 + (int(found["minute"]) if minute is None else minute), bare=1 <= hour <= 12)


def _past(found: re.Match[str], _: date) -> TimeSaid:
    """Return "half past two", "a quarter to nine"."""
    minutes = {"half": 30, "quarter": 15}.get(found["part"]) or whole(found["part"])
    minutes = minutes if found["way"] == "past" else -minutes
    if word := found["word"]:
        return TimeSaid(
            (12 * 60 * (word != "midnight") + minutes) % DAY_MINUTES, midnight=word == "midnight" and minutes > 0
        )
    base = TimeSaid(whole(found["hour"]) * 60, bare=True)
    if half := found["half"]:
        base = TimeSaid((whole(found["hour"]) % 12 + 12 * (half == "p")) * 60)
    return TimeSaid((base.minute + minutes) % DAY_MINUTES, bare=base.bare)


def _roughly(found: re.Match[str], _: date) -> TimeSaid:
    """Return "10ish", "4:30pm-ish": about then, and so at it."""
    hour, minute, half = whole(found["hour"]), int(found["minute"] or 0), found["half"] or found["half_after"]
    if not 1 <= hour <= 12 or minute > 59:
        raise ValueError
    if half:
        return TimeSaid((hour % 12 + 12 * (half == "p")) * 60 + minute)
    return TimeSaid(hour * 60 + minute, bare=True)


def _half_hour(found: re.Match[str], _: date) -> TimeSaid:
    """Return "at half four", which is half past it; "half four" beside a day."""
    hour = whole(found["hour"])
    if not 1 <= hour <= 12:
        raise ValueError
    return TimeSaid(hour * 60 + 30, bare=True, weak=found["at"] is None)


def _hours(found: re.Match[str], _: date) -> TimeSaid:
    """Return "Friday 14h", of an hour that is no span of time."""
    return TimeSaid(whole(found["hour"]) * 60, weak=True)


def _chinese(found: re.Match[str], _: date) -> TimeSaid:
    hour = whole(found["hour"])
    minute = 30 if found["thirty"] else 15 * whole(found["quarter"]) if found["quarter"] else 0
    minute = whole(found["minute"]) if found["minute"] else minute
    if hour > 24 or minute > 59 or _TWO_HOURS.fullmatch(found["hour"]):
        raise ValueError
    return TimeSaid(hour * 60 + minute, bare=1 <= hour <= 12)


def _short_of(found: re.Match[str], _: date) -> TimeSaid:
    """Return 差十分六点, 六点差一刻: so many minutes before an hour."""
    hour, minutes = whole(found["hour"]), 15 * whole(found["quarter"]) if found["quarter"] else whole(found["minute"])
    if hour > 24 or not 0 < minutes < 60:
        raise ValueError
    return TimeSaid((hour * 60 - minutes) % DAY_MINUTES, bare=1 <= hour <= 12)


def _bare(found: re.Match[str], _: date) -> TimeSaid:
    hour = whole(found["hour"])
    if hour > 24:
        raise ValueError
    return TimeSaid(hour * 60, bare=1 <= hour <= 12, weak=found["sure"] is None)


def _further(found: re.Match[str], _: date) -> TimeSaid:
    hour = whole(found["hour"])
    if hour > 24:
        raise ValueError
    return TimeSaid(hour * 60, bare=1 <= hour <= 12, listed=True)


def _four_digits(found: re.Match[str], _: date) -> TimeSaid:
    """Return "at 0900", "2130 tonight"."""
    hour, minute = divmod(int(found["digits"]), 100)
    if hour > 23 or minute > 59:
        raise ValueError
    return TimeSaid(hour * 60 + minute, weak=found["at"] is None and found["hours"] is None)


def _word(found: re.Match[str], _: date) -> TimeSaid:
    midnight = found["word"] in ("midnight", "午夜", "半夜")
    return TimeSaid(0 if midnight else 12 * 60, midnight=midnight)


def lapse_of(found: re.Match[str]) -> LapseSaid:
    """Return the span of time of a match of `EXPRESSION` or `EXPRESSION_ZH`; raise ValueError for one of none."""
    said = {name: value for name, value in found.groupdict().items() if value}
    if quarters := said.get("quarters"):
        return LapseSaid(timedelta(minutes=15 * {"a": 1, "three": 3}[quarters]))
    if "half_hour" in said:
        return LapseSaid(timedelta(minutes=30))
    unit = {"h": 60.0, "小": 60.0, "钟": 60.0, "s": 1 / 60, "秒": 1 / 60, "刻": 15.0}.get(said["unit"][0], 1.0)
    minutes = (count_of(said["count"]) + 0.5 * bool(said.keys() & {"and_half", "and_half_after"})) * unit
    if more := said.get("more") or said.get("more_digits"):
        minutes += count_of(more)
    if not minutes:
        raise ValueError
    days = count_of(said["days"]) * _days_in(said["days_unit"]) if "days" in said else 0
    return LapseSaid(timedelta(days=days, minutes=minutes))


def _days_in(unit: str) -> int:
    return 1 if unit[0] in "d天" else 7


def _days_and_more(found: re.Match[str], _: date) -> LapseSaid:
    """Return "in a day and a half", "in two weeks and three days", 两周零三天后."""
    days = (count_of(found["count"]) + 0.5 * bool(found["half"])) * _days_in(found["unit"])
    return LapseSaid(timedelta(days=days + (count_of(found["more"]) if found["more"] else 0)))


#: A span of time in words; both are for verbose patterns.
EXPRESSION = rf"""(?:(?P<half_hour>half\ an\ hour)|(?P<quarters>a|three)\ quarters?\ of\ an\ hour
    |(?:(?P<days>{COUNT})\ (?P<days_unit>days?|weeks?)(?:,\ |\ and\ |\ ))?
     (?P<count>{COUNT})(?P<and_half>\ (?:and|n|&)\ a\ half)?[\ -]?
     (?P<unit>hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?)
     (?![a-z])(?P<and_half_after>\ (?:and|n|&)\ a\ half)?(?:,?(?:\ and)?\ ?(?P<more>{COUNT})\ ?(?:minutes?|mins?|m)\b
     |(?<=h)(?P<more_digits>[0-5]\d)\b)?)"""
EXPRESSION_ZH = rf"""(?:(?P<half_hour>半个?(?:小时|钟头))
    |(?:(?P<days>{NUMBER_ZH})个?(?P<days_unit>天|{WEEK_ZH})[零又]?)?
     (?P<count>{NUMBER_ZH})\ ?个?(?P<and_half>半)?(?P<unit>小时|钟头|分钟|刻钟|秒钟?)
     (?:零?(?P<more>{NUMBER_ZH})分钟?)?)"""

#: 三四点 is either.
_TWO_HOURS = re.compile(r"[一二两三四五六七八九]{2}")
#: Minutes that 分 need not follow; 三点两次 is no time with minutes.
_MINUTE_ZH = r"(?:[0-5]\d|[零〇][一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)(?![\d次天个月号日])"
_SHORT_ZH = rf"还?差(?:(?P<quarter>[一三])刻钟?|(?P<minute>{NUMBER_ZH})分钟?)"

TIMES: tuple[Form, ...] = (
    form(rf"{_AT}?(?<![\d:/.])(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?{_HALF}", _clock),
    form(rf"{_AT}?(?<![\d:/.])(?P<hour>\d{{1,2}})[:：](?P<minute>\d\d)(?!\d|[:：]\d)", _clock),
    form(rf"{_AT}?(?<![\w:/.])(?P<hour>\d{{1,2}})h(?P<minute>\d\d)\b", _clock),
    form(rf"{_AT}(?P<hour>\d{{1,2}})h\b", _clock),
    form(r"(?<![\w:/.-])(?P<hour>0\d|1[3-9]|2[0-3])h\b", _hours),
    form(
        rf"{_AT}?(?<![\w:/.])(?P<hour>{_HOUR})(?:[:.](?P<minute>\d\d))?(?:\ ?(?P<half>[ap])\.?m)?[\ -]?ish\b"
        r"(?:\ ?(?P<half_after>[ap])m\b)?",
        _roughly,
    ),
    form(rf"\b{_AT}(?P<hour>\d{{1,2}})\.(?P<minute>\d\d){_FOLLOWS}", _clock),
    form(
        r"(?<![\w:/.])(?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)(?=\ (?:today|tonight|tomorrow|tmrw|tmw"
        rf"|(?:on\ |this\ |next\ )?{WEEKDAY}"
        r"|in\ the\ (?:morning|afternoon|evening))\b)",
        _clock,
    ),
    form(r"(?:(?<=day)|(?<=tomorrow)|(?<=tmrw))\ (?P<hour>\d{1,2})\.(?P<minute>\d\d)(?![\d.%])\b", _clock),
    form(
        rf"{_AT}?\b(?:a\ )?(?P<part>half|quarter|\d{{1,2}}|five|ten|twenty)\ (?P<way>past|to)\ "
        rf"(?:(?P<word>midnight|noon|midday)\b|(?P<hour>{_HOUR})\b{_HALF}?)",
        _past,
    ),
    form(rf"\b(?P<at>{_AT}|(?<=remind\ [mu][es]\ ))?half\ (?P<hour>{_HOUR})\b", _half_hour),
    form(rf"{_AT}?\b(?P<hour>{_HOUR})\ ?o'clock\b", _clock),
    form(rf"\b(?P<hour>{_HOUR})(?P<sure>(?=\ (?:in\ the\ (?:morning|afternoon|evening)|at\ night)\b))", _bare),
    form(rf"\b{_AT}(?P<hour>{_HOUR})\ (?P<minute>[0-5]\d|{'|'.join(_MINUTE_WORDS)})\b{_FOLLOWS}", _spelled),
    form(rf"{_AT}?\b(?P<word>noon|midday|midnight)(?:[\ -]?ish)?\b", _word),
    form(r"(?P<word>正午|午夜|半夜)", _word),
    form(
        rf"(?<![\d.周期拜])(?P<hour>{NUMBER_ZH})\ ?[点时](?!间|候|[了儿])(?:钟|整)?(?:过(?=[一三]刻|{NUMBER_ZH}分))?"
        rf"(?:(?P<thirty>半)|(?P<quarter>[一三])刻|(?P<minute>{NUMBER_ZH}(?=分)|{_MINUTE_ZH})分?)?",
        _chinese,
    ),
    form(rf"{_SHORT_ZH}到?(?P<hour>{NUMBER_ZH})\ ?点(?:钟|整)?", _short_of),
    form(rf"(?<![\d.周期拜])(?P<hour>{NUMBER_ZH})\ ?点钟?{_SHORT_ZH}", _short_of),
    form(
        r"(?:\b(?P<at>at|by)\ )?(?<![\w.,:/#-])(?P<digits>\d{4})(?P<hours>\ ?(?:hours|hrs))?(?![\w:/-])", _four_digits
    ),
    form(rf"\b{_AT}(?P<hour>{_HOUR})\b(?![:./%°-]?\d|%|°)(?P<sure>{_FOLLOWS})?", _bare),
    # "At 9, 12 and 17": each that follows a time.
    form(
        rf"(?:(?<=\d,\ )|(?<=\d\ and\ )|(?<=\d,\ and\ )|(?<=\d\ &\ )|(?<=m,\ )|(?<=m\ and\ ))(?P<hour>\d{{1,2}})\b"
        rf"(?![:./%°-]?\d|%|°){_FOLLOWS}",
        _further,
    ),
    form(rf"(?<=reminder\ )for\ (?P<hour>{_HOUR})\b(?![:./%°-]?\d|%|°)(?P<sure>{_FOLLOWS})", _bare),
)
PARTS: tuple[Form, ...] = (
    form(
        r"(?:\b(?:in|at|by)\ )?(?:\bthe\ )?\b(?P<word>early\ morning|morning|afternoon|evening|night|lunchtime|"
        r"first\ thing|end\ of\ (?:the\ )?day|eod|close\ of\ business|cob)\b",
        lambda found, _: _PARTS[found["word"]],
    ),
    form(
        r"(?P<word>凌晨|清晨|大?清早|(?<![周期拜])一大?早(?!饭|餐|[上晨])|早晨|早上|上午|中午|下午|傍晚|晚上|夜里|(?<=[号日天\d一二三四五六末])[早晚](?=\d|[一二两三四五六七八九十]{1,2}点))",
        lambda found, _: _PARTS[found["word"]],
    ),
)
LAPSES: tuple[Form, ...] = (
    form(rf"\b(?:in|after)\ {ABOUT}{EXPRESSION}(?:'s?\ time\b)?", lambda found, _: lapse_of(found)),
    form(rf"\b{EXPRESSION}\ (?:from\ now|later)\b", lambda found, _: lapse_of(found)),
    form(rf"(?:再?过)?{ABOUT_ZH}{EXPRESSION_ZH}(?:左右)?(?:之|以)?后", lambda found, _: lapse_of(found)),
    form(rf"再?过{ABOUT_ZH}{EXPRESSION_ZH}", lambda found, _: lapse_of(found)),
    form(
        rf"\bin\ {ABOUT}(?P<count>{COUNT})\ (?P<unit>weeks?|days?)\ and\ "
        rf"(?:(?P<half>a\ half)|(?P<more>{COUNT})\ days?)\b",
        _days_and_more,
    ),
    form(
        rf"(?:再?过)?{ABOUT_ZH}(?P<count>{NUMBER_ZH})个?(?P<unit>天|{WEEK_ZH})"
        rf"(?:(?P<half>半)|[零又]?(?P<more>{NUMBER_ZH})天)(?:之|以)?后",
        _days_and_more,
    ),
)
