"""How long before something it is to come: "20 minutes before the 3pm meeting", 下午三点开会，提前20分钟提醒我."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from language.planning.plans import Again, Once, Plan, SaidPlan, Unclear
from language.planning.times import EXPRESSION, EXPRESSION_ZH, lapse_of

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
        unclear = said.unclear if said.unclear in (Unclear.PAST, Unclear.OTHER_ZONE) else Unclear.NO_DAY
        return SaidPlan(None, unclear, (), spans)
    earlier = tuple(_earlier(each, lead.lapse) for each in ((said.plan,) if said.plan else said.choices))
    upcoming = tuple(each for each in earlier if each and (isinstance(each, Again) or each.at > now))
    if len(upcoming) == len(earlier) == 1:
        return SaidPlan(upcoming[0], None, (), spans)
    if len(upcoming) > 1:
        return SaidPlan(None, Unclear.TWO_WAYS, upcoming, spans)
    return SaidPlan(None, Unclear.PAST, upcoming, spans)


def _earlier(plan: Plan, lapse: timedelta) -> Plan | None:
    """Return a plan so much earlier; None where each time of it would be on the day before."""
    if isinstance(plan, Once):
        return Once(plan.at - lapse)
    at = datetime.combine(date(2000, 1, 2), plan.at) - lapse
    return replace(plan, at=time(at.hour, at.minute)) if at.day == 2 else None
