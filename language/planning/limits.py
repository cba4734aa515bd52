"""What alters a plan and is not read: an end, days to leave out, another zone, "half an hour before the meeting".

A plan beside such words is not what was meant, so it is asked for instead of being set.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import available_timezones

from language.numbers.amounts import whole
from language.planning.clusters import Cluster
from language.planning.items import COUNT, MONTH, NTH, NUMBER_ZH, WEEK_ZH, DaySaid, PartSaid, TimeSaid
from language.planning.plans import (
    RULE_DAYS,
    Again,
    Once,
    Plan,
    SaidPlan,
    Unclear,
    at_time,
    is_ahead,
    rule_parts,
    with_each,
)
from language.planning.rhythms import LIST, LIST_ZH, days_of
from language.planning.times import DAY_MINUTES
from language.planning.unread import unread_among, unread_beside

_GAP = r"[\s,，]{0,3}"
#: What follows a rhythm and limits it.
_LIMIT_AFTER = re.compile(
    rf"""{_GAP}(?:(?:but|and|only)\ )?(?:until|till|unless|except|excluding|other\ than|apart\ from|not\ (?:on|in)\b
    |(?:in|during)\ (?:{MONTH}|(?:the\ )?(?:summer|winter|spring|autumn|fall)\b)|starting|beginning|as\ of|from\b
    |only\ in\b|(?:for\ )?(?:the\ )?(?:next\ )?{COUNT}\ (?:times|days|weeks|months)\b
    |直到|到(?=\d|[一二三四五六七八九十明后下]|周|星期|礼拜|月底|年底)|截止|(?:连续|共|持续)(?=\d|[一二两三四五六七八九十]))""",
    re.VERBOSE,
)
#: What stands before a rhythm and limits it; "except Sundays every day" has the day between.
_LIMIT_BEFORE = re.compile(
    rf"(?:(?<![每个])月(?:的|份|里)?|除了?|不包括|除去|从|自|until|till|except|starting|beginning|from){_GAP}$"
)
#: What leaves days out, wherever it stands.
#: Weekdays that are left out of a rhythm, wherever that stands: "except Sundays", 除了周三, 周末除外.
_LEFT_OUT: tuple[re.Pattern[str], ...] = (
    re.compile(
        rf"[\s,]{{0,2}}\b(?:(?:but )?(?:not|skip(?:ping)?|without)|"
        rf"(?:(?<=every day )|(?<=weekday )|(?<=weekdays )|(?<=working day )|(?<=daily ))but|"
        rf"(?:all )?(?:except|excluding|other than|apart from)(?: for)?)(?: on)? (?:the )?"
        rf"(?:(?P<weekend>weekends?)|{LIST})\b"
        r"(?! (?:this|next|in|of|when|if|morning|afternoon|evening)\b| \d{1,2}(?:st|nd|rd|th)\b)"
    ),
    re.compile(
        rf"[\s,，]{{0,2}}除了?每?个?(?:(?P<weekend>周末)|{WEEK_ZH}{LIST_ZH})(?:[之以]?外)?[，,的]?"
        rf"(?=[每，,]|工作日|提醒|都|$)"
    ),
    re.compile(
        rf"(?:(?<=每[天日])|(?<=工作日))[，,]?除了?(?:(?P<weekend>周末)|{WEEK_ZH}{LIST_ZH})(?:[之以]?外)?[，,的]?"
    ),
    re.compile(
        rf"[\s,，（(]{{0,2}}(?:(?P<weekend>周末)|{WEEK_ZH}{LIST_ZH})(?:就|都)?(?:除外|不用|不要|不算|不需要|不提醒|不发|休息)[)）]?"
    ),
)
_EXCEPT = re.compile(
    r"\b(?:except|excluding)\b|除外|除了|不包括|为止|节假日|除.{1,8}?[外开]"
    r"|(?:接下来|未来|之后|往后|今后|持续|连续|为期)(?:的|这)?(?:\d|[一二两三四五六七八九十几]|半)|这几天|这段时间|期间"
)
#: What makes a day one before which it is to come: "before Thursday", 周四之前.
_BEFORE_IT, _BEFORE_IT_AFTER = (
    re.compile(r"\bbefore\ (?:the\ )?$"),
    re.compile(r"(?:之前|以前|前)(?![\d一二两三四五六七八九十半])"),
)
_WORK_BEGINS_AND_ENDS = (9, 17)
#: A bound of a time, not the time: "before noon", "between 2 and 3pm", "not before 10".
_BOUND = re.compile(r"(?:before|until|till)\ ")
_BOUND_AFTER = re.compile(r"(?:之|以)?前(?!后)|之间")
_BOUND_BEFORE = re.compile(
    r"\b(?:between \S{1,8}(?: ?[ap]m)? (?:and|to) |not? (?:before|earlier than|later than|after) )(?:at )?$"
)
#: A day that is not read, beside a time: "on release day at 3pm", 节后第一天晚上9点. Today is not meant.
_DAY_WORD = r"(?:day|eve|date|weekend|morning|afternoon|evening|night|week|month|birthday|anniversary)"
_OTHER_DAY = (
    rf"(?:on|at) (?:the |my |our )?(?:[\w'-]+ ){{0,3}}?{_DAY_WORD}"
    rf"|the {_DAY_WORD} (?:of|that|when|after|before|we|i|it|they|he|she)"
)
_OTHER_DAY_BEFORE = re.compile(
    rf"(?:\b{_OTHER_DAY}(?: [\w'-]+){{0,4}}|\bremind (?:me|us) on (?!this|that|it\b|the\b)[\w' -]{{2,30}}"
    r"|\d[./-]\d{1,2}\.?|[当那][天日晚]的?|[节假]日?期?[前后]的?.{0,8}|第[一二三四五\d]{1,2}个?[天日周].{0,6}"
    r"|初[一二三四五六七八九十])[\s,，]{0,2}$"
)
_OTHER_DAY_AFTER = re.compile(rf"[\s,，]{{0,2}}(?:{_OTHER_DAY}\b)")
#: Another time that may be meant as well: "at 9 or 10", "from 9 to 10".
_OR = re.compile(
    r"\s?(?:or|and|to|till|until|-|–|或者?|还是|到|至|和)\s?(?:at\s)?"
    r"(?P<hour>\d{1,2}(?![\d/-])|[一二两三四五六七八九十]{1,3}(?=点))"
)
#: Another day that may be meant as well.
_OR_DAY = re.compile(
    rf"\s?(?:or|and|to|till|-|–|/|、|或者?|还是|到|至|和)\s?(?:the\s)?(?:{NTH}\b|[\d一二三十]{{1,3}}[号日])"
)
#: A rhythm after a single time: "on Friday at 9, then every Friday".
_THEN = re.compile(r"[\s,，]{0,3}(?:and\ then|and|then|然后|之后|以后)[\s]?(?:again\ )?(?:every|each|每)")
#: A second time beside the first: "at 10 and again at 16:00", 下午3点再提醒一次.
_TWICE = re.compile(
    r"\b(?:and|then|and then|once)[, ]{1,2}(?:again|once more|another)\b|\bagain at\b"
    r"|再(?:提醒|通知|叫|喊|发)|各(?:提醒|一次)|分别"
)
#: A day from which a rhythm is said to begin.
_START_BEFORE = re.compile(r"(?:\b(?:from|starting|beginning|as of)(?: (?:on|from|with))? (?:the )?|从|自)$")
_START_AFTER = re.compile(r"\s?(?:起(?![床来飞身草诉])|开始)")
#: A day from which something is to come again and again, where nothing else says how often: "from Monday on", 从周一起.
_ON_FROM_BEFORE = re.compile(r"\b(?:starting|beginning|as of)(?: (?:on|from|with))? (?:the )?$")
_ON_FROM_AFTER = re.compile(r"\s?(?:on(?:wards?)?\b(?=,? ?(?:$|at\b|by\b|remind|\d))|and after\b|forward\b)")
#: It is to come some time before what happens then, and nothing says how long.
_IN_ADVANCE = re.compile(
    r"\b(?:remind|ping|notify|tell|alert|warn|nudge) (?:[@#\w]{1,20} ){1,2}?"
    r"(?:in advance|ahead of time|beforehand|early)\b"
    r"|\b(?:advance|early) (?:reminder|notice|warning)\b"
    r"|提前(?:一点儿?|点儿?|一下)?(?:给我|来)?(?:提醒|通知|叫|喊|告诉|发)"
    r"|(?:提醒|通知|叫|喊)(?:我们?|大家)提前(?=$|[，,。！!])"
)
#: What is offered then.
_BEFOREHAND = (timedelta(minutes=15), timedelta(hours=1), timedelta(days=1))
#: A day at which a rhythm is said to end, wherever it stands.
_END_BEFORE = re.compile(r"(?:\b(?:until|till|through)(?: (?:on|the))? ?|直到)$")
_END_AFTER = re.compile(r"\s?(?:为止|截止|结束)")
_CITIES = "|".join(
    sorted({name.rpartition("/")[2].replace("_", " ").lower() for name in available_timezones() if "/" in name})
)
_PLACES_ZH = "北京|上海|香港|台北|东京|首尔|新加坡|悉尼|伦敦|巴黎|柏林|阿姆斯特丹|莫斯科|纽约|芝加哥|洛杉矶|旧金山|硅谷"
_COUNTRIES_ZH = "中国|日本|英国|美国|欧洲|中欧|德国|印度|澳洲|美东|美西|太平洋|格林尼治|格林威治"
_ZONE_AFTER = re.compile(
    r"\s?\(?(?:(?:utc|gmt|bst|cet|cest|eet|wet|est|edt|cst|cdt|mst|mdt|pst|pdt|ist|jst|sgt|hkt|kst|msk|aest|aedt|nzst|nzdt|[ep]t|z|tz)"
    r"(?![a-z'])"
    rf"|(?:(?:eastern|pacific|uk|us)\b|(?:(?:central|mountain|local|their|his|her|your|[a-z]{{1,20}}'s|{_CITIES}|german|dutch|"
    r"british|indian|chinese) time)\b(?! ?(?:sheet|card|off|slot|line|table)))|in [^,.;]{1,40}? time ?zone\b"
    rf"|\S{{0,6}}?(?:{_PLACES_ZH}|{_COUNTRIES_ZH}|当地|对方|那[边里]|本地|[东西]部|世界|标准|协调)的?(?:标准)?时间?(?!候|不|会))"
)
#: A place in which it may be another time.
_IN_CITY = re.compile(rf"\ in\ (?:{_CITIES})\b")
_ZONE_BEFORE = re.compile(rf"(?:(?:{_PLACES_ZH}|{_COUNTRIES_ZH})时间的?|\b(?:utc|gmt)) ?$")
#: What happens before or after something that is no day: the time of it is not known.
_BEFORE_SOMETHING = re.compile(
    rf"\b(?:half an hour|{COUNT} (?:minutes?|mins?|hours?)) (?:before|after|ahead of|prior to)\b"
    rf"|(?:之前|以前|前|之后|以后|后)(?:{NUMBER_ZH}个?半?(?:小时|分钟|刻钟?)|半个?(?:小时|钟头))"
)
#: It is to come once something happens, and the time is that of what happens: "when Bob is back at 3pm".
_CONDITION_BEFORE = re.compile(
    r"""\b(?P<word>when(?:ever)?|once|if|as\ soon\ as|the\ (?:moment|minute)|after|before|until|unless|in\ case)
    \ (?!(?:more|again|a|per|every|possible|you\ can)\b)(?P<words>(?:[\w'’-]{1,20}\ ){1,8})$""",
    re.VERBOSE,
)
#: What may stand between such a word and a day, which is no clause then: "until the day after tomorrow at 9".
_THE = ("", "the")
_CONDITION_ZH = re.compile(
    r"(?:如果|要是|万一|假如|倘若)(?!可以|方便|行|能)[^，,。；;]{1,20}$"
    r"|(?:^|[\s，,请])(?:等(?!一?下|会|等|我|到$)到?|只要|一旦)[^\s，,。；;]{1,10}$"
)
_CONDITION_AFTER_ZH = re.compile(
    r"(?!之?以?后)(?P<words>[^\s，,。；;！!？?]{1,12}?)(?:之后|以后|后|了|完.{0,2})(?:就|再|请|麻烦|记得|帮我|[，,]){0,2}"
    r"(?:提醒|通知|叫|喊)|[^\s，,。；;]{0,10}?(?:如果|要是|万一|假如)"
)
#: A time that is part of the name of what it is after: "after the 3pm call".
_OF_SOMETHING = re.compile(r"\b(?P<word>after|before) (?:the|my|our|his|her|their|this|that|today's) $")
_NAMED_AFTER = re.compile(r" (?!(?:to|that|about|and|or|please|on|at|in|today|tomorrow|remind|ping)\b)[a-z]{3,}")
#: How long before it is said: "the day before the release", "two weeks after the audit".
_SO_LONG = re.compile(r"\b(?:minutes?|hours?|days?|nights?|evenings?|mornings?|weeks?|fortnight|months?|years?) $")
#: Whoever asks or looks whether something is so names no condition: "check if it is back at 3pm".
_ASKS_WHETHER = re.compile(r"\b(?:ask|check|see|look|find out|know|tell|verify|confirm|test|sure|watch|note|whether) $")
#: Of what people do themselves they know when it is; words that no clause begins with are a place, or say when.
_OWN_DOING = re.compile(r"(?:i|we|i'm|we're|i’m|we’re)\b")
_CUE_WITHIN = re.compile(r"\b(?:remind|ping|nudge|notify|tell|alert|wake)\b")
_PLACE_WORDS = re.compile(r"(?:at|by|on|around|about|from|in|for|until|till) ")
_DETERMINED = re.compile(
    r"(?:the|my|our|his|her|their|this|that|today's|a)\b(?! (?:week|weekend|month|year|holidays?|break|end)\b)"
)
_OF_CUE_ZH = re.compile(r"提醒|通知|叫我|喊我")
_LOOK_FAR_BACK = 90
_LOOK_BACK = 40
_WEEKEND = ("SA", "SU")
Spans = tuple[tuple[int, int], ...]
_HALF_DAY = 720


def checked(said: SaidPlan, cluster: Cluster, clusters: Iterable[Cluster], text: str, *, now: datetime) -> SaidPlan:
    """Return what was said, or that it is not clear where words beside it alter it."""
    zones = tuple(_zones(cluster, text))
    unread = said.unclear in (None, Unclear.TWO_WAYS) and _is_counted_from_unread(cluster, clusters)
    if zones or unread:
        unclear = Unclear.OTHER_ZONE if zones else Unclear.NO_DAY
        return SaidPlan(None, unclear, (), (*said.spans, *zones))
    if said.plan is None:
        return _day_before(said, cluster, text, now=now)
    if others := tuple(_other_minutes(cluster, text)):
        return _several(said, said.plan, others, (*said.spans, *_matched(_OR, cluster, text)), now=now)
    if _IN_ADVANCE.search(text):
        return _in_advance(said, said.plan, now)
    limited = isinstance(said.plan, Again) and _is_limited(cluster, clusters, text)
    if limited or _is_twice(clusters, text):
        plan = Again(said.plan.rule, said.plan.at) if limited and isinstance(said.plan, Again) else said.plan
        return SaidPlan(None, Unclear.LIMITED, (plan,), (*said.spans, *(_ends(clusters, text) if limited else ())))
    if isinstance(said.plan, Once):
        said = _of_once(said, said.plan, cluster, clusters, text, now=now)
    elif _is_bound(cluster, text):
        said = SaidPlan(None, Unclear.NO_TIME, (said.plan,), said.spans)
    return _read_whole(said, cluster, clusters, text)


def _day_before(said: SaidPlan, cluster: Cluster, text: str, *, now: datetime) -> SaidPlan:
    """Return what is to come before a day and has no time with times of the day before it: that day is too late."""
    days = [item for item in cluster.items if isinstance(item.what, DaySaid)]
    early = (_before(_BEFORE_IT, text, item.start) or _BEFORE_IT_AFTER.match(text, item.end) for item in days)
    if said.unclear is not Unclear.NO_TIME or cluster.rhythms or not any(early):
        return said
    ends = {plan.at.date() for plan in said.choices if isinstance(plan, Once)}
    eve = datetime.combine(min(ends), time()) - timedelta(days=1) if ends else now
    offered = (Once(at) for hour in _WORK_BEGINS_AND_ENDS if (at := eve + timedelta(hours=hour)) > now)
    return SaidPlan(None, Unclear.NO_TIME, tuple(offered) if ends else (), said.spans)


def _read_whole(said: SaidPlan, cluster: Cluster, clusters: Iterable[Cluster], text: str) -> SaidPlan:
    """Return what was said, or that words beside it are not read."""
    if said.plan is None:
        return said
    altered = unread_beside(cluster, clusters, text, again=isinstance(said.plan, Again))
    if altered:
        return SaidPlan(None, altered, (said.plan,), said.spans)
    if unread := unread_among(said.plan, cluster, clusters, text):
        return SaidPlan(None, unread.why, (said.plan,), (*said.spans, *unread.spans))
    in_city = tuple(_matched(_IN_CITY, cluster, text))
    return SaidPlan(None, Unclear.UNREAD, (said.plan,), (*said.spans, *in_city)) if in_city else said


@dataclass(frozen=True)
class DaysLeftOut:
    """Weekdays that something does not come on, and the characters that say so."""

    days: frozenset[str]
    start: int
    end: int


def left_out_in(text: str) -> DaysLeftOut | None:
    """Return the weekdays that a text leaves out; None where it leaves out nothing, or something else."""
    for way in _LEFT_OUT:
        if found := way.search(text):
            days = _WEEKEND if found["weekend"] else days_of(found["days"]).split(",")
            return DaysLeftOut(frozenset(days), *found.span())
    return None


def without(said: SaidPlan, left_out: DaysLeftOut) -> SaidPlan:
    """Return what comes on days of the week without those that are left out; of anything else, that it is limited."""
    spans = tuple(sorted({*said.spans, (left_out.start, left_out.end)}))
    rest = tuple(with_each(each, partial(_without_days, days=left_out.days)) for each in said.plans)
    if not rest or not all(rest):
        return SaidPlan(None, Unclear.LIMITED, tuple(each for each in said.plans if isinstance(each, Again)), spans)
    kept = tuple(each for each in rest if each)
    return SaidPlan(kept[0] if said.plan else None, said.unclear, () if said.plan else kept, spans)


def _without_days(plan: Once | Again, *, days: frozenset[str]) -> Again | None:
    parts = rule_parts(plan.rule) if isinstance(plan, Again) else {}
    if not isinstance(plan, Again) or parts.keys() - {"FREQ", "BYDAY"} or parts["FREQ"] not in ("DAILY", "WEEKLY"):
        return None
    kept = [day for day in parts.get("BYDAY", ",".join(RULE_DAYS)).split(",") if day not in days]
    return replace(plan, rule=f"FREQ=WEEKLY;BYDAY={','.join(kept)}") if kept else None


def _is_counted_from_unread(cluster: Cluster, clusters: Iterable[Cluster]) -> bool:
    """Return whether a time without a day stands beside a span from something that is not read."""
    return not cluster.has_day and any(each.offset for other in clusters for each in other.rhythms)


def _in_advance(said: SaidPlan, plan: Plan, now: datetime) -> SaidPlan:
    """Return that it is not said how long before, with what is usual."""
    earlier = (plan.at - each for each in _BEFOREHAND) if isinstance(plan, Once) else ()
    choices = tuple(Once(at) for at in earlier if at > now)
    return SaidPlan(None, Unclear.HOW_LONG_BEFORE, choices, said.spans)


def _goes_on(cluster: Cluster, text: str) -> bool:
    """Return whether a day is said to be the first of many: "from Monday on", 从周一起."""
    return any(
        _before(_ON_FROM_BEFORE, text, item.start)
        or _START_AFTER.match(text, item.end)
        or (_before(_START_BEFORE, text, item.start) and _ON_FROM_AFTER.match(text, item.end))
        for item in cluster.items
        if isinstance(item.what, DaySaid)
    )


def _is_bound(cluster: Cluster, text: str) -> bool:
    """Return whether what is said is before or after which it is to come, not when."""
    times = [item for item in cluster.items if isinstance(item.what, TimeSaid | PartSaid)]
    return any(
        _BOUND.match(text, item.start) or _BOUND_AFTER.match(text, item.end) or _before(_BOUND_BEFORE, text, item.start)
        for item in times
    )


def _is_of_another_day(cluster: Cluster, text: str) -> bool:
    """Return whether a time that has no day stands beside words that name one that is not read."""
    if cluster.has_day or cluster.lapses:
        return False
    start, end = cluster.span
    return _before(_OTHER_DAY_BEFORE, text, start) is not None or _OTHER_DAY_AFTER.match(text, end) is not None


def _is_one_of_days(cluster: Cluster, text: str) -> bool:
    """Return whether another day of the month follows a day: "on the 21st or 22nd"."""
    days = [item for item in cluster.items if isinstance(item.what, DaySaid)]
    return any(_OR_DAY.match(text, item.end) for item in days)


def _is_twice(clusters: Iterable[Cluster], text: str) -> bool:
    """Return whether several times are said, and that it is to come at each."""
    times = sum(len(each.times or each.parts) + len(each.lapses) for each in clusters)
    return times > 1 and _TWICE.search(text) is not None


def _of_once(
    said: SaidPlan, plan: Once, cluster: Cluster, clusters: Iterable[Cluster], text: str, *, now: datetime
) -> SaidPlan:
    """Return a single time, or that it is not clear: it is to come again, or is counted from something else."""
    if rules := tuple(_rules_without_it(clusters)) if _EXCEPT.search(text) else ():
        return SaidPlan(None, Unclear.LIMITED, tuple(Again(rule, plan.at.time()) for rule in rules), said.spans)
    if any(_matched(_THEN, cluster, text)):
        return SaidPlan(None, Unclear.LIMITED, (plan,), said.spans)
    if condition := _condition_of(cluster, text):
        unclear = SaidPlan(None, Unclear.CONDITION, (plan,), said.spans)
        return _in_advance(said, plan, now) if condition == "before" else unclear
    if _goes_on(cluster, text):
        daily = Again("FREQ=DAILY", plan.at.time(), plan.at.date())
        return SaidPlan(None, Unclear.TWO_WAYS, (plan, daily), said.spans)
    roughly = len({part.usual for part in cluster.parts}) > 1 or _is_bound(cluster, text)
    before = not cluster.times and not cluster.lapses and cluster.parts and _BEFORE_SOMETHING.search(text)
    if roughly or before or _is_of_another_day(cluster, text) or _is_one_of_days(cluster, text):
        return SaidPlan(None, Unclear.NO_TIME if roughly or before else Unclear.NO_DAY, (plan,), said.spans)
    return said


def _condition_of(cluster: Cluster, text: str) -> str:
    """Return the word that makes the time that of something else, "before" or another; "" where nothing does."""
    start, end = cluster.span
    for at in sorted({start, *(item.start for item in cluster.items if isinstance(item.what, TimeSaid))}):
        back = max(0, at - _LOOK_FAR_BACK)
        named = _OF_SOMETHING.search(text, back, at) if _NAMED_AFTER.match(text, end) else None
        told = _CONDITION_BEFORE.search(text, back, at)
        own = told is not None and told.start("words") <= start and text[told.start("words") : start].strip() in _THE
        found = named or (told if told and not own and _is_clause(told, text) else None)
        if found and not _SO_LONG.search(text, max(0, found.start() - _LOOK_BACK), found.start()):
            return found["word"]
        if _CONDITION_ZH.search(text, back, at):
            return "when"
    after = None if _OF_CUE_ZH.search(text, 0, start) else _CONDITION_AFTER_ZH.match(text, end)
    if after is None or (after["words"] == "到" and text[:start].strip("请等到麻烦帮我 ") == ""):
        return ""
    return "when"


def _is_clause(found: re.Match[str], text: str) -> bool:
    """Return whether words after "when" tell of something that happens, or after "before" name it."""
    words = _PLACE_WORDS.sub("", found["words"])
    if _CUE_WITHIN.search(words) or _ASKS_WHETHER.search(text, max(0, found.start() - _LOOK_BACK), found.start()):
        return False
    if found["word"] in ("after", "before") and _DETERMINED.match(words):
        return True
    if found["word"] in ("when", "whenever", "if", "unless") and _OWN_DOING.match(words):
        return False
    return len(words.split()) > 1


def _rules_without_it(clusters: Iterable[Cluster]) -> Iterator[str]:
    """Yield the rules of a rhythm that a single day is left out of: "every weekday except the 1st at 9"."""
    for rhythm in (rhythm for each in clusters for rhythm in each.rhythms):
        yield from (rule for rule in rhythm.rules if "INTERVAL" not in rule)


def _several(said: SaidPlan, plan: Plan, others: Iterable[int], spans: Spans, *, now: datetime) -> SaidPlan:
    """Return that any of several times of day may be meant, those that are still to come."""
    choices = tuple(dict.fromkeys((plan, *(at_time(plan, time(minute // 60, minute % 60)) for minute in others))))
    upcoming = tuple(each for each in choices if is_ahead(each, now))
    return replace(
        said,
        plan=None,
        unclear=Unclear.TWO_WAYS if len(upcoming) > 1 else Unclear.NO_TIME,
        choices=upcoming,
        spans=spans,
    )


def _other_minutes(cluster: Cluster, text: str) -> Iterator[int]:
    """Yield the other times of day that may be meant: "at 9 or 10", "the meeting of 9:00 tomorrow at 8"."""
    times = [item for item in cluster.items if isinstance(item.what, TimeSaid)]
    first = cluster.times[0].minute if times else 0
    for each in cluster.times[1:]:
        if each.minute % _HALF_DAY != first % _HALF_DAY:
            yield each.minute % DAY_MINUTES
    for item in times:
        if (found := _OR.match(text, item.end)) and (hour := whole(found["hour"])) < 24:
            later = hour * 60 + _HALF_DAY * (hour * 60 < first and hour < 12)
            if later != first:
                yield later


def _zones(cluster: Cluster, text: str) -> Iterator[tuple[int, int]]:
    """Yield where another zone is said beside a time: "9am UTC", 北京时间9点."""
    for item in cluster.items:
        if isinstance(item.what, TimeSaid | PartSaid | DaySaid):
            found = _before(_ZONE_BEFORE, text, item.start) or _ZONE_AFTER.match(text, item.end)
            if found is not None:
                yield found.span()


def _matched(pattern: re.Pattern[str], cluster: Cluster, text: str) -> Iterator[tuple[int, int]]:
    for item in cluster.items:
        if found := pattern.match(text, item.end):
            yield found.span()


def _ends(clusters: Iterable[Cluster], text: str) -> Iterator[tuple[int, int]]:
    """Yield where a day is said at which a rhythm ends, with the word before it."""
    for day in (item for each in clusters for item in each.items if isinstance(item.what, DaySaid)):
        if found := _before(_END_BEFORE, text, day.start):
            yield found.start(), day.end
        elif after := _END_AFTER.match(text, day.end):
            yield day.start, after.end()


def _is_limited(cluster: Cluster, clusters: Iterable[Cluster], text: str) -> bool:
    if _EXCEPT.search(text):
        return True
    if any(_LIMIT_AFTER.match(text, item.end) or _before(_LIMIT_BEFORE, text, item.start) for item in cluster.items):
        return not _starts_well(cluster, text)
    if any(True for _ in _ends(clusters, text)):
        return True
    return any(isinstance(item.what, DaySaid) for item in cluster.items) and not _starts_well(cluster, text)


def _starts_well(cluster: Cluster, text: str) -> bool:
    """Return whether the one day beside a rhythm is that of its beginning, and can be read."""
    days = [item for item in cluster.items if isinstance(item.what, DaySaid)]
    if len(days) != 1 or not isinstance(days[0].what, DaySaid) or len(days[0].what.days) != 1:
        return False
    return bool(_before(_START_BEFORE, text, days[0].start) or _START_AFTER.match(text, days[0].end))


def _before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    return pattern.search(text, max(0, end - _LOOK_BACK), end)
