"""Days and times counted from others: "the day before the 1st", 月底前一天, "20 minutes before the 3pm meeting"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import partial

from language.planning.items import (
    COUNT,
    NUMBER_ZH,
    WEEK_ZH,
    DaySaid,
    Form,
    OffsetSaid,
    RhythmSaid,
    SaidItem,
    count_of,
    form,
)
from language.planning.plans import RULE_DAYS, Again, Once, SaidPlan, Unclear, is_ahead, rule_parts, with_each
from language.planning.times import EXPRESSION, EXPRESSION_ZH, lapse_of

_SATURDAY = 5
#: The last day that every month has.
_LAST_SURE = 28
#: Days that no rule says.
_NO_DAY = RhythmSaid(unclear=Unclear.NO_DAY)


def _offset(found: re.Match[str], _: date) -> OffsetSaid:
    count, unit = count_of(found["count"]), found["unit"]
    if count != int(count):
        raise ValueError
    weeks = 7 if re.match(rf"week|{WEEK_ZH}", unit) else 1
    back = 1 if found["way"] in ("after", "后") else -1
    return OffsetSaid(back * int(count) * weeks, working=unit.startswith(("work", "business", "工作")))


OFFSETS: tuple[Form, ...] = (
    form(
        rf"(?:\bon\ )?\b(?P<count>the(?!\ week)|{COUNT})\ (?P<unit>(?:(?:working\ |business\ |work\ ?))?days?|weeks?)\ "
        r"(?P<way>before|after|(?:ahead|in\ advance)(?:\ of)?|prior\ to|beforehand)\b\ ?(?!tomorrow\b)",
        _offset,
    ),
    form(
        rf"(?:[的之以]?(?P<way>[前后])|提前)(?P<count>{NUMBER_ZH})个?(?P<unit>天|日|工作日|{WEEK_ZH})",
        _offset,
    ),
)


#: What may stand between a span and the day that it is counted from: "the day before it expires on 20 January".
_CLAUSE = re.compile(
    r"(?:(?:it|that|this|they|(?:the|my|our) \w{2,20}) "
    r"(?:expires?|ends?|starts?|begins?|runs? out|closes?|opens?|is due|is|are) )?"
)


def counted(items: Iterable[SaidItem], text: str) -> list[SaidItem]:
    """Return the pieces with each offset and the day beside it as one; an offset from nothing that is read is unclear.

    In English the day follows, in Chinese it stands before.
    """
    kept: list[SaidItem] = []
    for item in items:
        last = kept[-1] if kept else None
        if last is not None and last.end <= item.start and _CLAUSE.fullmatch(text, last.end, item.start):
            if isinstance(last.what, OffsetSaid) and isinstance(item.what, DaySaid | RhythmSaid):
                kept[-1] = SaidItem(_shifted(item.what, last.what), last.start, item.end)
                continue
            if (
                last.end == item.start
                and isinstance(item.what, OffsetSaid)
                and isinstance(last.what, DaySaid | RhythmSaid)
            ):
                kept[-1] = SaidItem(_shifted(last.what, item.what), last.start, item.end)
                continue
        kept.append(item)
    return [replace(each, what=_alone(each.what)) if isinstance(each.what, OffsetSaid) else each for each in kept]


def _alone(offset: OffsetSaid) -> RhythmSaid:
    return RhythmSaid(unclear=Unclear.NO_DAY, offset=offset)


def plan_moved(plan: Once | Again, offset: OffsetSaid) -> Once | Again | None:
    """Return a plan so many days from what was planned; None where nothing says its days."""
    if isinstance(plan, Once):
        return Once(datetime.combine(_moved(plan.at.date(), offset), plan.at.time()))
    rule = _rule_moved(plan.rule, offset)
    return Again(rule, plan.at) if rule and not plan.start else None


def _shifted(what: DaySaid | RhythmSaid, offset: OffsetSaid) -> DaySaid | RhythmSaid:
    if isinstance(what, DaySaid):
        days = tuple(_moved(day, offset) for day in what.days)
        spare = _moved(what.spare, offset) if what.spare else None
        return DaySaid(days, what.unclear, spare=spare)
    if what.once and not what.rules:
        return RhythmSaid(once=_moved(what.once, offset))
    rules = tuple(_rule_moved(rule, offset) for rule in what.rules)
    return RhythmSaid(rules) if rules and all(rules) and not what.once else _NO_DAY


def _moved(day: date, offset: OffsetSaid) -> date:
    step, left = timedelta(days=1 if offset.days > 0 else -1), abs(offset.days)
    while left:
        day += step
        left -= not offset.working or day.weekday() < _SATURDAY
    return day


def _rule_moved(rule: str, offset: OffsetSaid) -> str:
    """Return the rule of the days so many days from those of a rule; "" where no rule says them."""
    parts = dict(rule_parts(rule))
    if offset.working or "INTERVAL" in parts:
        return ""
    if parts["FREQ"] == "WEEKLY" and len(parts) == 2:
        moved = {(RULE_DAYS.index(day) + offset.days) % 7 for day in parts["BYDAY"].split(",")}
        return "FREQ=WEEKLY;BYDAY=" + ",".join(RULE_DAYS[day] for day in sorted(moved))
    nth = parts.get("BYMONTHDAY", "")
    if parts["FREQ"] != "MONTHLY" or not re.fullmatch(r"-?\d+", nth) or offset.days > 0:
        return ""
    day = int(nth) + offset.days - (int(nth) > 0 >= int(nth) + offset.days)
    return f"FREQ=MONTHLY;BYMONTHDAY={day}" if abs(day) <= _LAST_SURE else ""


_CUE_EN = r"\b(?:remind|ping|notify|nudge|tell|alert|warn|message)\ (?:me|us|everyone|everybody)\b"
_WAYS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (
        # What is between the cue and the span is no time of its own and nothing that is to be done.
        rf"""{_CUE_EN}(?:(?!\ to\b)[^.,;!?\d]){{0,40}}?(?:\ (?:about|of|for)\ (?:(?!\ to\b)[^.;!?]){{1,60}}?)?
        \ (?P<lead>{EXPRESSION}
        \ (?:before(?:hand)?|ahead(?:\ of(?:\ time)?)?|in\ advance(?:\ of)?|prior(?:\ to)?|early)\b)""",
        rf"\A(?P<lead>{EXPRESSION}\ before)\ (?=(?:at\ )?\d|noon\b|midnight\b)",
        rf"(?P<lead>提前{EXPRESSION_ZH})(?:给我|来|再)?(?:提醒|通知|叫|喊)",
        rf"(?:提醒|通知|叫|喊)(?:我们?|大家)(?P<lead>提前{EXPRESSION_ZH})(?=$|[\s，,。！!])",
        rf"(?P<lead>(?:开始|开会|出发|会议)?(?:之前|以前|前){EXPRESSION_ZH})(?:给我|来|再)?(?:提醒|通知|叫|喊)",
    )
)


@dataclass(frozen=True)
class Lead:
    """A span of time before what happens, and the characters that say so."""

    lapse: timedelta
    start: int
    end: int


def lead_in(text: str) -> Lead | None:
    """Return how long before it is to come by a text that is folded; None where nothing says so."""
    for way in _WAYS:
        if found := way.search(text):
            try:
                return Lead(lapse_of(found).lapse, *found.span("lead"))
            except ValueError:
                continue
    return None


def brought_forward(said: SaidPlan, lead: Lead, now: datetime) -> SaidPlan:
    """Return a plan of the thing itself as one so long before it; where its time is not clear, none."""
    spans = tuple(sorted({*said.spans, (lead.start, lead.end)}))
    if said.plan is None and said.unclear is not Unclear.TWO_WAYS:
        kept = (Unclear.PAST, Unclear.OTHER_ZONE, Unclear.NO_TIME)
        unclear = said.unclear if said.unclear in kept else Unclear.NO_DAY
        return SaidPlan(None, unclear, (), spans)
    earlier = tuple(with_each(each, partial(_earlier, lapse=lead.lapse)) for each in said.plans)
    upcoming = tuple(each for each in earlier if each and is_ahead(each, now))
    if len(upcoming) == len(earlier) == 1:
        return SaidPlan(upcoming[0], None, (), spans)
    if len(upcoming) > 1:
        return SaidPlan(None, Unclear.TWO_WAYS, upcoming, spans)
    return SaidPlan(None, Unclear.PAST, upcoming, spans)


def _earlier(plan: Once | Again, lapse: timedelta) -> Once | Again | None:
    """Return a plan so much earlier; None where each time of it would be on the day before."""
    if isinstance(plan, Once):
        return Once(plan.at - lapse)
    at = datetime.combine(date(2000, 1, 2), plan.at) - lapse
    return replace(plan, at=time(at.hour, at.minute)) if at.day == 2 else None
