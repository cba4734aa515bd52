"""Reads when something is to happen out of what people write, in English and Chinese."""

import re
from datetime import date, datetime, time, timedelta

from language.moments import Spotted, days_in, durations_in, folded, times_in
from language.numbers import whole
from language.planning.plans import RULE_DAYS, WORKING_DAYS, Again, Once, Plan, SaidPlan, Unclear

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_RHYTHMS = re.compile(
    rf"""(?P<daily>\b(?:every\ ?day|each\ day|daily|(?:every|each)\ (?:morning|evening))\b|每天|每日)
    |(?P<weekdays>\b(?:(?:every|each|on)\ )?(?:week|work|working\ |business\ )days?\b
     |每个?工作日|(?:周|星期)一(?:到|至)(?:周|星期)?五)
    |\b(?:(?:every|each|weekly\ on)\ )(?P<weekday>{_WEEKDAY})\b|\b(?P<plural>{_WEEKDAY}(?<=days))\b
    |每个?(?:周|星期|礼拜)(?P<weekday_zh>[一二三四五六日天])
    |\b(?:(?:every|each)\ month\ on\ the|monthly\ on\ the|every|each)\ (?P<nth>\d{{1,2}}(?:st|nd|rd|th)|first)
     \b(?:\ day)?(?:\ of\ (?:the|each|every|a)\ month)?
    |每个?月的?(?P<nth_zh>\d{{1,2}}|[一二三十]{{1,3}})[号日]""",
    re.VERBOSE,
)
_IN = re.compile(r"\b(?:in|after) $")
_LATER = re.compile(r"(?:之|以)?后| (?:later|from now)\b")
#: The last day that every month has.
_LAST_SURE = 28
_USUAL = time(9)


def plan_in(text: str, *, now: datetime) -> SaidPlan:
    """Return what a message says of when; `now` is the time on the wall of the person, without tzinfo."""
    plain = folded(text)
    at = next(times_in(plain), None)
    if rhythm := _RHYTHMS.search(plain):
        return _again(rhythm, at)
    for span in durations_in(plain):
        before, after = _IN.search(plain[: span.start]), _LATER.match(plain[span.end :])
        if before or after:
            begin, end = before.start() if before else span.start, span.end + (after.end() if after else 0)
            return SaidPlan(Once(now + span.value), None, (), ((begin, end),))
    day = next(days_in(plain, now.date()), None)
    return _once(day, at, now)


def _once(day: Spotted[date] | None, at: Spotted[time] | None, now: datetime) -> SaidPlan:
    spans = _spans(day, at)
    if day is None and at is None:
        return SaidPlan(None, Unclear.NOTHING, (), ())
    if at is None:
        usual = datetime.combine(day.value if day else now.date(), _USUAL)
        return SaidPlan(None, Unclear.NO_TIME, (Once(usual),) if usual > now else (), spans)
    meant = datetime.combine(day.value if day else now.date(), at.value)
    if meant > now:
        return SaidPlan(Once(meant), None, (), spans)
    choices: tuple[Plan, ...] = () if day else (Once(meant + timedelta(days=1)),)
    return SaidPlan(None, Unclear.PAST, choices, spans)


def _again(rhythm: re.Match[str], at: Spotted[time] | None) -> SaidPlan:
    spans = (rhythm.span(), *_spans(at))
    rule = _rule(rhythm.groupdict())
    if rule is None:
        return SaidPlan(None, Unclear.NO_SUCH_DAY, (), spans)
    if at is None:
        return SaidPlan(None, Unclear.NO_TIME, (Again(rule, _USUAL),), spans)
    return SaidPlan(Again(rule, at.value), None, (), spans)


def _rule(said: dict[str, str | None]) -> str | None:
    if said["daily"]:
        return "FREQ=DAILY"
    if said["weekdays"]:
        return f"FREQ=WEEKLY;BYDAY={WORKING_DAYS}"
    if named := said["weekday"] or said["plural"]:
        return f"FREQ=WEEKLY;BYDAY={RULE_DAYS[_WEEKDAYS.index(named[:3])]}"
    if named := said["weekday_zh"]:
        return f"FREQ=WEEKLY;BYDAY={RULE_DAYS['一二三四五六日'.index(named.replace('天', '日'))]}"
    nth = said["nth"]
    day = 1 if nth == "first" else whole(re.sub(r"\D", "", nth) if nth else str(said["nth_zh"]))
    return f"FREQ=MONTHLY;BYMONTHDAY={day}" if 1 <= day <= _LAST_SURE else None


def _spans(*spotted: Spotted[date] | Spotted[time] | None) -> tuple[tuple[int, int], ...]:
    return tuple((each.start, each.end) for each in spotted if each is not None)
