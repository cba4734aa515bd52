"""When something comes again and again, as people say it: "every Monday at 9", 每周一上午9点."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from typing import Literal

from features.anatomy.texts import say
from language.moments import Spotted, folded, times_in
from language.numbers import whole
from language.scripts import Language

Rhythm = Literal["daily", "weekdays", "weekly", "monthly"]

#: The last day that every month has.
LAST_DAY = 28
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_RHYTHMS = re.compile(
    rf"""(?P<daily>\b(?:every\ ?day|each\ day|daily|(?:every|each)\ (?:morning|evening))\b|每天|每日)
    |(?P<weekdays>\b(?:(?:every|each|on)\ )?(?:week|work|working\ |business\ )days?\b
     |每个?工作日|(?:周|星期)一(?:到|至)(?:周|星期)?五)
    |\b(?:(?:every|each|weekly\ on|on)\ )(?P<weekday>{_WEEKDAY})\b|\b(?P<plural>{_WEEKDAY}(?<=days))\b
    |每?个?(?:周|星期|礼拜)(?P<weekday_zh>[一二三四五六日天])
    |\b(?:(?:every|each)\ month\ on\ the|monthly\ on\ the|every|each|on\ the)\ (?P<nth>\d{{1,2}}(?:st|nd|rd|th)|first)
     \b(?:\ day)?(?:\ of\ (?:the|each|every|a)\ month)?
    |每个?月的?(?P<nth_zh>\d{{1,2}}|[一二三十]{{1,3}})[号日]""",
    re.VERBOSE,
)
#: What tells which half of the day is meant, or is written by the clock of 24 hours.
_SURE = re.compile(
    r"[ap]\.?m|noon|midday|midnight|past|凌晨|早|上午|中午|下午|傍晚|晚|午|\d:\d|(?<!\d)(?:1[2-9]|2[0-3])"
)
_BARE = re.compile(r"\bat (?P<hour>\d{1,2})(?![\d:])")


@dataclass(frozen=True)
class Recurrence:
    """A rhythm with its time of day. `day`: 1 (Monday) to 7 of a week, 1 to 28 of a month, else 0."""

    rhythm: Rhythm
    at: time
    day: int = 0

    @property
    def line(self) -> str:
        """Return it as a line of a crontab."""
        days = {"daily": "* * *", "weekdays": "* * 1-5", "weekly": f"* * {self.day}", "monthly": f"{self.day} * *"}
        return f"{self.at.minute} {self.at.hour} {days[self.rhythm]}"

    def in_words(self, language: Language, timezone: str) -> str:
        """Return it as people read it, with the zone of its time."""
        weekday = say(language, f"data.weekday.{self.day}") if self.rhythm == "weekly" else ""
        values = {"time": f"{self.at:%H:%M}", "zone": timezone, "weekday": weekday, "day": self.day}
        return say(language, f"data.every.{self.rhythm}", **values)


@dataclass(frozen=True)
class SaidRecurrence:
    """What of a message is about when: `what` is None where the rhythm or its time is missing."""

    what: Recurrence | None
    spans: tuple[tuple[int, int], ...]  # the characters that say it


def recurrence_of(line: str) -> Recurrence:
    """Return the recurrence behind a line that `Recurrence.line` made."""
    minute, hour, of_month, _, of_week = line.split()
    at = time(int(hour), int(minute))
    if of_month != "*":
        return Recurrence("monthly", at, int(of_month))
    if of_week == "1-5":
        return Recurrence("weekdays", at)
    return Recurrence("daily", at) if of_week == "*" else Recurrence("weekly", at, int(of_week))


def recurrence_in(text: str) -> SaidRecurrence:
    """Return how often and when a message says that something comes; a day that some months lack is none."""
    plain = folded(text)
    rhythm, at = _RHYTHMS.search(plain), next(_times(plain), None)
    spans = tuple(each for each in (rhythm and rhythm.span(), at and (at.start, at.end)) if each)
    said = _rhythm(rhythm.groupdict()) if rhythm else None
    if said is None or at is None:
        return SaidRecurrence(None, spans)
    return SaidRecurrence(Recurrence(said[0], at.value, said[1]), spans)


def _rhythm(said: Mapping[str, str | None]) -> tuple[Rhythm, int] | None:
    if said["daily"]:
        return "daily", 0
    if said["weekdays"]:
        return "weekdays", 0
    if named := said["weekday"] or said["plural"]:
        return "weekly", _WEEKDAYS.index(named[:3]) + 1
    if named := said["weekday_zh"]:
        return "weekly", "一二三四五六日".index(named.replace("天", "日")) + 1
    nth = said["nth"]
    day = 1 if nth == "first" else whole(re.sub(r"\D", "", nth) if nth else str(said["nth_zh"]))
    return ("monthly", day) if 1 <= day <= LAST_DAY else None


def _times(text: str) -> Iterator[Spotted[time]]:
    """Yield times of day. A bare hour is that of the morning: what comes again and again is confirmed by a button."""
    for each in times_in(text):
        said = text[each.start : each.end]
        early = each.value.hour >= 12 and not _SURE.search(said)
        yield Spotted(each.value.replace(hour=each.value.hour - 12), each.start, each.end) if early else each
    for found in _BARE.finditer(text):
        if int(found["hour"]) < 24:
            yield Spotted(time(int(found["hour"])), *found.span())
