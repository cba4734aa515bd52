"""Reads when something is to happen out of what people write, in English and Chinese.

Where two times may be meant, it says so: it never picks a day in silence.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from language.moments import folded
from language.planning.clusters import Cluster, chosen, clusters_in, each_alone, is_at_cue
from language.planning.instants import later
from language.planning.items import DaySaid, RhythmSaid, TimeSaid
from language.planning.limits import DaysLeftOut, checked, left_out_in, without
from language.planning.offsets import brought_forward, lead_in, plan_moved
from language.planning.plans import (
    RULE_DAYS,
    Again,
    Once,
    Plan,
    SaidPlan,
    Unclear,
    each_of,
    is_ahead,
    rule_parts,
    together,
    with_each,
)
from language.planning.times import DAY_MINUTES
from language.planning.unread import TASK, respelling

#: A span from which on the clock on the wall counts: "in a week" is at the same time of day.
_DAY = timedelta(days=1)
#: The time that is usual where none is said.
_USUAL = 9 * 60
_NOON = 12 * 60
#: A bare hour from this one on is of the morning; an earlier one is of either half of the day.
_MORNING, _WORK_BEGINS = 8 * 60, 7 * 60
#: Characters of a message that are read.
LONGEST = 2_000
#: A time that has passed today and lies before this one is of the coming night.
_NIGHT_ENDS = 6 * 60
#: Why one of several times may not be clear, and still tell of what each is.
_MAY_BE_EACH = frozenset({None, Unclear.TWO_WAYS, Unclear.PAST, Unclear.NO_TIME})
_HOUR_FOLLOWS = re.compile(r"\ \d")
#: Days in which a rule that leaves some out comes first.
_FIRST_WITHIN = 62


def plan_in(text: str, *, now: datetime, zone: ZoneInfo | None = None) -> SaidPlan:
    """Return what a message says of when; `now` is the time on the wall of the person, without tzinfo.

    A span ("in ten minutes") is counted as time passes in the zone, across a change of its clocks, where that is given.
    """
    plain = folded(text[:LONGEST])
    said = _plan_without_days(plain, now, zone)
    if not (typos := respelling(plain)):
        return said
    meant = _plan_without_days(_respelt(plain, typos), now, zone)
    # In what to be reminded of it may be a name: "to call Tuesa at 4".
    may_be_name = any(TASK.search(plain, 0, start) for start, _ in typos)
    plans = tuple(dict.fromkeys((*meant.plans, *(said.plans if may_be_name else ()))))
    if meant.plan == said.plan or not (plans or said.plan):
        return said
    return SaidPlan(None, Unclear.UNREAD, plans, tuple(sorted({*said.spans, *typos})))


def _respelt(plain: str, typos: Mapping[tuple[int, int], str]) -> str:
    edges = [0, *(edge for span in typos for edge in span), len(plain)]
    kept = [plain[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return "".join(part + word for part, word in zip(kept, (*typos.values(), ""), strict=True))


def _plan_without_days(plain: str, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    if left_out := left_out_in(plain):
        before, after = plain[: left_out.start], plain[left_out.end :]
        # What stood around them stands together, as it does where nothing is left out.
        gap = "" if after[:1] == " " or "\u4e00" <= before[-1:] <= "\u9fff" else " "
        said = _plan_brought_forward(f"{before}{gap}{after}", now, zone)
        return without(_back(said, left_out, len(gap)), left_out)
    return _plan_brought_forward(plain, now, zone)


def _back(said: SaidPlan, cut: DaysLeftOut, gap: int) -> SaidPlan:
    """Return what was said with its spans where they stood before a gap of so many characters took the words' place."""
    more = cut.end - cut.start - gap
    spans = tuple((start + more * (start > cut.start), end + more * (end > cut.start)) for start, end in said.spans)
    return replace(said, spans=spans)


def _plan_brought_forward(plain: str, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    lead = lead_in(plain)
    if lead is None:
        return _plan_of_each(plain, now, zone)
    # "15 min before 10 and 14:30": what is brought forward is said as a time.
    at = " at" if _HOUR_FOLLOWS.match(plain, lead.end) else ""
    rest = plain[: lead.start] + at.rjust(lead.end - lead.start) + plain[lead.end :]
    said = _plan_of_each(rest, now, zone)
    if said.plan and not any(each.times or each.lapses for each in clusters_in(rest, now.date())):
        said = SaidPlan(None, Unclear.NO_TIME, (), said.spans)  # "ten minutes before the meeting in the afternoon"
    return brought_forward(said, lead, now)


def _plan_of_each(plain: str, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    """Return what is said of each of several days or times, as if it was said of that one alone."""
    said = _plan_in(plain, now, zone)
    alone = each_alone(plain, now.date())
    found = [_plan_in(each, now, zone) for each in alone.texts] if alone else []
    counts = {len(each.plans) for each in found}
    alike = not counts - {1, max(counts, default=0)} and _MAY_BE_EACH.issuperset(each.unclear for each in found)
    if alone is None or not alike or 0 in counts:
        return said
    spans = tuple(sorted({*said.spans, alone.span}))
    columns = [each.plans if len(each.plans) > 1 else each.plans * max(counts) for each in found]
    plans = tuple(together(part for each in row for part in each_of(each)) for row in zip(*columns, strict=True))
    if len(plans) == 1 and all(each.plan for each in found):
        return SaidPlan(plans[0], None, (), spans)
    return SaidPlan(None, next(each.unclear for each in found if each.unclear), plans, spans)


def _plan_in(plain: str, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    clusters = clusters_in(plain, now.date())
    alone = next((each for each in clusters if each.offset and is_at_cue(each, plain)), None)
    rest = tuple(each for each in clusters if each is not alone)
    if alone is None or alone.offset is None or not any(each.days or each.rhythms for each in rest):
        return _plan_among(clusters, plain, now, zone)
    said = _plan_among(rest, plain, now, zone)
    moved = tuple(with_each(each, partial(plan_moved, offset=alone.offset)) for each in said.plans)
    plans = tuple(each for each in moved if each and is_ahead(each, now))
    spans = tuple(sorted({*said.spans, alone.span}))
    if not plans or len(plans) < len(moved):
        return SaidPlan(None, Unclear.NO_DAY if not moved or None in moved else Unclear.PAST, plans, spans)
    return SaidPlan(plans[0] if said.plan else None, said.unclear, () if said.plan else plans, spans)


def _plan_among(clusters: tuple[Cluster, ...], plain: str, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    if not clusters:
        return SaidPlan(None, Unclear.NOTHING, (), ())
    meant = chosen(clusters, plain)
    said = [checked(_plan_of(each, now, zone), each, clusters, plain, now=now) for each in meant]
    said = [each for each in said if each.unclear is not Unclear.PAST or each.choices] or said
    if len(said) == 1:
        return said[0]
    spans = tuple(dict.fromkeys(span for each in said for span in each.spans))
    choices = tuple(dict.fromkeys(plan for each in said for plan in each.plans))
    if len(choices) == 1 and all(each.plan for each in said):
        return SaidPlan(choices[0], None, (), spans)
    unclear = next((each.unclear for each in said if each.unclear), None)
    return SaidPlan(None, Unclear.TWO_WAYS if len(choices) > 1 or unclear is None else unclear, choices, spans)


def _plan_of(cluster: Cluster, now: datetime, zone: ZoneInfo | None) -> SaidPlan:
    spans = _spans(cluster)
    rhythm = _most_special(cluster.rhythms)
    if cluster.lapses and rhythm is None:
        lapse = sum((each.lapse for each in cluster.lapses), timedelta())
        at = (later(now, lapse, zone) if zone and lapse < _DAY else now + lapse).replace(microsecond=0)
        return _after_lapse(Once.on_wall(at), cluster, now, spans)
    if rhythm is not None and rhythm.unclear is not None and not rhythm.spare:
        return SaidPlan(None, rhythm.unclear, (), spans)
    if rhythm is not None and (rhythm.rules or rhythm.spare):
        return _recurring(cluster, rhythm, now, spans)
    days = (DaySaid((rhythm.once,)),) if rhythm is not None and rhythm.once else cluster.days
    return _single(cluster, days, now, spans)


def _after_lapse(plan: Once, cluster: Cluster, now: datetime, spans: tuple[tuple[int, int], ...]) -> SaidPlan:
    """Return what a span means beside a time of day: of "in 48 hours at 9" nobody knows which of both counts."""
    said = [at for at in _moments(cluster, plan.at.date(), now) if at > now] if cluster.times else []
    if not said or plan.at.replace(second=0) in said:
        return SaidPlan(plan, None, (), spans)
    return SaidPlan(None, Unclear.TWO_WAYS, (*map(Once, said), plan), spans)


def _spans(cluster: Cluster) -> tuple[tuple[int, int], ...]:
    """Return where a group stands: pieces that follow one another as one span."""
    return tuple(dict.fromkeys((item.start, item.end) for item in cluster.items))


def _most_special(rhythms: Iterable[RhythmSaid]) -> RhythmSaid | None:
    """Return the rhythm that says most: of 周一至周五每天 the days."""
    found = sorted(rhythms, key=lambda each: (each.unclear is not None, each.rules == ("FREQ=DAILY",)))
    return found[0] if found else None


def _recurring(cluster: Cluster, rhythm: RhythmSaid, now: datetime, spans: tuple[tuple[int, int], ...]) -> SaidPlan:
    minutes = tuple(_minutes_again(cluster))
    rules = rhythm.rules or (rhythm.spare,)
    found: list[Plan] = []
    for minute in minutes or (_USUAL,):
        if rhythm.once is not None:
            found.append(Once(_at(rhythm.once, minute)))
        found += [again(rule, minute, now, first=_first(cluster, now) or rhythm.first) for rule in rules]
    if rhythm.unclear is not None:
        return SaidPlan(None, rhythm.unclear, tuple(found), spans)
    if not minutes:
        return SaidPlan(None, Unclear.NO_TIME, tuple(found), spans)
    upcoming = tuple(plan for plan in found if is_ahead(plan, now))
    if len(upcoming) == 1 and len(found) == 1:
        return SaidPlan(upcoming[0], None, (), spans)
    return SaidPlan(None, Unclear.TWO_WAYS, upcoming, spans)


def _first(cluster: Cluster, now: datetime) -> date | None:
    """Return the day from which something comes again and again, where one is said: "every Monday from 7 December"."""
    days = [day for each in cluster.days for day in each.days if day > now.date()]
    return days[0] if len(days) == 1 else None


def again(rule: str, minute: int, now: datetime, *, first: date | None) -> Again:
    """Return the rule with its time; one that leaves days out begins with the first that is still to come."""
    at = _time(minute)
    parts = rule_parts(rule)
    if int(parts.get("INTERVAL", "1")) == 1:
        return Again(rule, at, first)
    begin = first or now.date() + timedelta(days=datetime.combine(now.date(), at) <= now)
    days = (begin + timedelta(days=ahead) for ahead in range(_FIRST_WITHIN))
    return Again(rule, at, next((day for day in days if _is_on(parts, day)), begin))


def _is_on(parts: Mapping[str, str], day: date) -> bool:
    """Return whether a rule may come on a day, whatever it leaves out."""
    if "BYMONTHDAY" in parts:
        return int(parts["BYMONTHDAY"]) == day.day
    return "BYDAY" not in parts or RULE_DAYS[day.weekday()] in parts["BYDAY"]


def _minutes_again(cluster: Cluster) -> Iterator[int]:
    """Yield the times of day that may be meant of what comes again and again: a bare hour from 7 is of the morning."""
    for said in cluster.times:
        yield from _halves(said, cluster, early=_WORK_BEGINS)
    if not cluster.times and cluster.parts:
        yield cluster.parts[0].usual


def _halves(said: TimeSaid, cluster: Cluster, *, early: int = _MORNING) -> tuple[int, ...]:
    """Return the minutes of the day that a time may be, with the part of the day that is said beside it."""
    if not said.bare:
        return (said.minute,)
    minute = said.minute % _NOON
    both = (minute, minute + _NOON, minute + DAY_MINUTES)
    if cluster.parts:
        part = cluster.parts[0]
        fitting = tuple(each for each in both if part.first * 60 <= each < part.last * 60)
        return fitting[:1] or (minute, minute + _NOON)
    if said.minute >= _NOON:
        return (said.minute,)
    return (minute,) if minute >= early else (minute, minute + _NOON)


def _is_either(said: TimeSaid) -> bool:
    """Return whether an hour may be of either half of the day, once that of the morning has passed."""
    return said.bare and not said.digits


def _single(cluster: Cluster, days: tuple[DaySaid, ...], now: datetime, spans: tuple[tuple[int, int], ...]) -> SaidPlan:
    if not days:
        return _today_or_next(cluster, now, spans)
    clear = [each for each in days if each.unclear is None]
    if not clear:  # of "the 31st" said in November, that of December is offered
        spare = [_moments(cluster, day, now)[0] if cluster.has_time else _at(day, _USUAL) for day in _spares(days)]
        return SaidPlan(None, days[0].unclear, tuple(map(Once, spare)), spans)
    if not cluster.has_time:
        return _without_time(clear, now, spans)
    found: list[datetime] = []
    for said in clear:
        found += [at for day in said.days for at in _moments(cluster, day, now, spoken_today=said.today)]
    upcoming = tuple(sorted({at for at in found if at > now}))
    passed = any(at <= now for at in found) and not (len(clear) == 1 and len(clear[0].days) == 1 and upcoming)
    if passed or not upcoming:
        spare = [_moments(cluster, each.spare, now)[0] for each in clear if each.spare and each.spare > now.date()]
        return SaidPlan(None, Unclear.PAST, tuple(Once(at) for at in sorted({*upcoming, *spare})), spans)
    if len(upcoming) > 1:
        return SaidPlan(None, Unclear.TWO_WAYS, tuple(Once(at) for at in upcoming), spans)
    return SaidPlan(Once(upcoming[0]), None, (), spans)


def _spares(days: Iterable[DaySaid]) -> list[date]:
    return [each.spare for each in days if each.spare is not None]


def _moments(cluster: Cluster, day: date, now: datetime, *, spoken_today: bool = False) -> list[datetime]:
    """Return the times on a day that may be meant."""
    if not cluster.times:
        return [_at(day, cluster.parts[0].usual)]
    said = cluster.times[0]
    if said.midnight:  # at the beginning of the day or at its end
        return [_at(day, said.minute), _at(day, said.minute + DAY_MINUTES)]
    minutes = _halves(said, cluster)
    if spoken_today and _is_either(said) and not cluster.parts:
        both = [_at(day, said.minute % _NOON), _at(day, said.minute % _NOON + _NOON)]
        upcoming = [at for at in both if at > now]
        return upcoming if len(upcoming) == 1 else [_at(day, minute) for minute in minutes]
    return [_at(day, minute) for minute in minutes]


def _today_or_next(cluster: Cluster, now: datetime, spans: tuple[tuple[int, int], ...]) -> SaidPlan:
    """Return what a time without a day means: today, where it is still to come and no other one may be meant."""
    today, tomorrow = now.date(), now.date() + timedelta(days=1)
    if cluster.times and cluster.times[0].midnight:
        minute = cluster.times[0].minute
        at = _at(today, minute)
        return SaidPlan(Once(at if at > now else _at(tomorrow, minute)), None, (), spans)
    said = cluster.times[0] if cluster.times else None
    meant = _moments(cluster, today, now)
    next_day = [at + timedelta(days=1) for at in meant]
    is_night = len(meant) == 1 and meant[0] < _at(today, _NIGHT_ENDS)
    upcoming = [at for at in meant if at > now] or (next_day if is_night else [])
    if len(upcoming) > 1:
        return SaidPlan(None, Unclear.TWO_WAYS, tuple(map(Once, upcoming)), spans)
    if upcoming:
        return SaidPlan(Once(upcoming[0]), None, (), spans)
    if said is None or not _is_either(said) or cluster.parts:
        return SaidPlan(None, Unclear.PAST, tuple(map(Once, next_day)), spans)
    later = [at for at in (_at(today, said.minute % _NOON + _NOON),) if at > now]
    choices = tuple(map(Once, sorted({*later, *next_day})))
    if len(choices) > 1:
        return SaidPlan(None, Unclear.TWO_WAYS, choices, spans)
    return SaidPlan(None, Unclear.PAST, choices, spans)


def _without_time(days: list[DaySaid], now: datetime, spans: tuple[tuple[int, int], ...]) -> SaidPlan:
    """Return what a day alone means: "in three days" at the time of now; of any other, it is to be asked for."""
    if len(days) == 1 and days[0].same_time:
        return SaidPlan(Once(datetime.combine(days[0].days[0], now.time().replace(microsecond=0))), None, (), spans)
    usual = [_at(day, _USUAL) for said in days for day in said.days]
    upcoming = tuple(Once(at) for at in sorted(set(usual)) if at > now)
    if not upcoming and all(day < now.date() for said in days for day in said.days):
        spare = tuple(Once(_at(said.spare, _USUAL)) for said in days if said.spare)
        return SaidPlan(None, Unclear.PAST, spare, spans)
    return SaidPlan(None, Unclear.NO_TIME, upcoming, spans)


def _at(day: date, minute: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minute)


def _time(minute: int) -> time:
    return time(minute // 60 % 24, minute % 60)
