"""Words beside a time that alter it and that nothing reads: "the second Friday", 去年11月13号, "3pm Dora's time".

What is read without them would be another day, or another time of it.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from language.planning.clusters import Cluster
from language.planning.items import COUNT, WEEK_ZH, WEEKDAY, DaySaid, PartSaid, RhythmSaid, SaidItem, TimeSaid
from language.planning.plans import Unclear
from language.planning.times import DAY_MINUTES

_PERIOD = r"(?:day|week|fortnight|month|quarter|year)"
#: What stands before a day and makes it another one, or none.
_BEFORE_DAY = re.compile(
    rf"""(?:\b(?:(?:the\ )?(?:end|start|beginning|middle)\ of|mid|half\ ?way\ (?:to|through)
    |(?:the\ )?(?:following|previous|preceding|prior|second|third|fourth|fifth|first|last|same)|every\ other
    |alternate|another|a\ different|any|odd|even|not|never|nor|instead\ of|rather\ than
    |(?:all|any(?:thing|\ day)?|every(?:\ day)?|nothing)\ but|except|excluding|other\ than
    |(?:later|earlier|sooner)\ than|before|after|(?:remind|ping|nudge|notify)\ \w{{1,9}}\ (?:until|till)
    |since|within|during|throughout|between\ now\ and|up\ to
    |prior\ to|ahead\ of|from|preceding|eve\ of|anniversary\ of|twice|thrice|{COUNT}\ times
    |(?:once|twice)\ an?\ \w{{1,9}}|half\ hour|quarterly|lunar|(?:last|next|this|that)\ {_PERIOD}'s)
    (?:\ (?:on|in))?(?:\ the)?\ $
    |(?:(?:去年|大?前年|大?后年|上个?(?:月|季度?)|[上下]半年|上个?{WEEK_ZH})的?|农历|阴历|旧历|除了?|不是|[别不](?:要|能)?在|不在|非
    |每?隔(?:一|两|三)?个?|[上下]次|[上下再后前]{{1,3}}一个|第[一二三四五]个|最后一个|倒数第.个|那个|某一?个|任[何意]一?个|哪个
    |不?[早晚迟]于|截[止至]到?|直到|从|自从?|比|离|距离?|快到|临近|接近|连续[两二三四五六七八九十\d]个?|最近的?|以[后前]的?|只[有在]
    |除非|有时候?|偶尔|经常|平时|[双单奇偶]数?周?的?|每?(?:季度?|半年)的?|生日|周年|[同另]一个?|换个)$)""",
    re.VERBOSE,
)
#: What stands before a day and is counted from something that is not read: 发布后的周五.
_FROM_SOMETHING = re.compile(r"[^\s，,。;；:：、\d][前后]的?$")
#: What stands between a time and a day that are not said of one thing: 三点或者周六.
_OR = re.compile(r"\b(?:and|or|plus)\b|[和跟与及或、还]")
#: What stands before a part of the day, or before a day that no hour follows, and moves it.
_ROUGHLY_BEFORE = re.compile(r"\b(?:late|later|early|earlier)(?: on| in)?(?: the)? $")
_ROUGHLY_AFTER = re.compile(r",? (?:late|early|later|earlier)\b|深夜|[早晚]些|[早晚]一?点(?!\d)")
#: What stands before what comes again and again, and takes it back.
_BEFORE_RHYTHM = re.compile(r"(?:\b(?:not|never|almost|nearly)|不是|不要|别|并非) ?$")
_AFTER_RHYTHM = re.compile(r"(?:不[要用行]|别)(?!忘)")
#: What follows a day or a time of a single plan and makes it another one, or several.
_AFTER = re.compile(
    rf"""[\s,，]{{0,2}}(?:(?:(?:of|in)\ )?(?:the\ )?{_PERIOD}\ (?:after|before)\b(?!\ tomorrow)
    |(?:(?:of|in)\ )?(?:the\ )?(?:following|previous|last|preceding|same)\ {_PERIOD}\b|ago\b|excluded\b|excepted\b
    |(?:plus|minus)\ (?={COUNT}\ |the\b)|(?:but|and)\ (?:not|only|never)\b|only\ (?:on|in)\b|except\b|excluding\b
    |and\ (?:again|then\ (?:every|each|daily|weekly|monthly)|(?:on\ )?(?:the\ )?(?:next|following|same)\ {_PERIOD}
    |(?:on\ )?the\ {_PERIOD}\ after|every\b|each\b|weekly\b|daily\b|on\ {WEEKDAY}\b)
    |(?:annually|yearly|monthly|weekly|daily|bi-?weekly|fortnightly|quarterly|hourly|twice|thrice|{COUNT}\ times)
    (?=[\s,.!?]{{0,3}}(?:$|(?:to|that|about|remind|ping|at|from|please)\b))
    |(?:on|in|every|of)\ (?:the\ )?(?:odd|even|alternate|lunar)\b|b\.?c\b|in\ (?:19|20|21)\d\d\b
    |in\ the\ (?:first|second|third|fourth|last)\ (?:week|half|month|quarter)\b
    |{COUNT}\ (?:minutes?|mins?|hours?|days?|weeks?|months?|years?)\ (?:earl(?:y|ier)|later?|before|after|prior|ahead)\b
    |(?:until|till)\ (?!\d|noon|midnight|{COUNT}\b)|for\ (?:the\ )?(?:next|coming)\ |through\ {WEEKDAY}
    |的?[前后下上]一?(?:天|日|周|个月|年)|的?第[二三四]天|的?次日|(?:再|往后|往前|向后|向前)?(?:推迟?|延后|顺延|提早|[加减])(?=.{{1,3}}(?:天|小时|分|周|个?月))
    |除外|[以之]外|不[要用行算](?!忘)|起(?=提醒|通知|叫我)|为止|截止|[以之]内|那(?:周|年|一年|个月)|的?下一?(?:周|个?月)|去年|来年|前年
    |[两二三四五六\d]次|各一?次|连续[两二三四五六七八九十\d]|[两二三四五六七八九十]天(?![前后])|都(?=提醒)|或者?[早晚]|期间|遇(?=节|假|周末)|不含|除非
    |才(?=提醒)|[到至](?={WEEK_ZH}[一二三四五六日天末]|[月年]底|下{WEEK_ZH}|[明后]天))""",
    re.VERBOSE,
)
#: After a day it says that it is one of a thing: "next year's budget", 明年的预算.
_OF_THING = re.compile(r"['’]s\b|的(?!\d|[一二三四五六七八九十上下早晚中凌周星礼第最])")
#: What stands between two days, the first and the last of several.
_TO_DAY = re.compile(r"\s?(?:to|through|thru|till|until|-|–|到|至|直到)\s?(?:the\s)?")
_LOOK_BACK = 40


def unread_beside(cluster: Cluster, clusters: Iterable[Cluster], text: str, *, again: bool) -> Unclear | None:
    """Return why a plan that is read of a cluster is not what its text says; None where nothing alters it.

    `again`: the plan comes again and again.
    """
    if again:
        rhythms = (item for item in cluster.items if isinstance(item.what, RhythmSaid))
        taken_back = any(_before(_BEFORE_RHYTHM, text, item) for item in rhythms)
        return Unclear.LIMITED if taken_back or _AFTER_RHYTHM.match(text, cluster.span[1]) else None
    days = [item for item in cluster.items if isinstance(item.what, DaySaid)]
    first = (*days, cluster.items[0])
    if any(_before(_BEFORE_DAY, text, item) for item in first) or _is_of_vague_day(days, text):
        return Unclear.NO_DAY
    if any(_before(_FROM_SOMETHING, text, item) for item in days) or _are_apart(cluster, text):
        return Unclear.NO_DAY
    if any(_follows(item, cluster, text) for item in cluster.items) or _is_range(days, clusters, text):
        return Unclear.NO_DAY
    return Unclear.NO_TIME if _is_rough(cluster, text) or _is_against_part(cluster) else None


def _before(pattern: re.Pattern[str], text: str, item: SaidItem) -> bool:
    return pattern.search(text, max(0, item.start - _LOOK_BACK), item.start) is not None


def _follows(item: SaidItem, cluster: Cluster, text: str) -> bool:
    """Return whether words that are no piece themselves follow a piece and alter it."""
    found = _AFTER.match(text, item.end)
    return found is not None and not any(other.start < found.end() <= other.end for other in cluster.items)


def _is_of_vague_day(days: Iterable[SaidItem], text: str) -> bool:
    """Return whether a day stands beside another that cannot be told: "20 September, next year"."""
    said = [item.what for item in days if isinstance(item.what, DaySaid) and not _OF_THING.match(text, item.end)]
    return any(each.unclear for each in said) and any(each.days for each in said)


def _is_range(days: Iterable[SaidItem], clusters: Iterable[Cluster], text: str) -> bool:
    """Return whether a day is the last of several: "tomorrow to Sunday at 3pm"."""
    ends = [item.end for each in clusters for item in each.items if isinstance(item.what, DaySaid)]
    return any(_TO_DAY.fullmatch(text, end, day.start) for day in days for end in ends if end < day.start)


def _are_apart(cluster: Cluster, text: str) -> bool:
    """Return whether a time and the day after it are two things: "at 3pm and on Sunday"."""
    return any(
        isinstance(one.what, TimeSaid) and isinstance(two.what, DaySaid) and _OR.search(text, one.end, two.start)
        for one, two in pairwise(cluster.items)
    )


def _is_rough(cluster: Cluster, text: str) -> bool:
    """Return whether a part of the day, or a day, is said with "late" or "early" and no hour."""
    if cluster.times or cluster.lapses:
        return False
    said = (item for item in cluster.items if isinstance(item.what, DaySaid | PartSaid))
    return any(_before(_ROUGHLY_BEFORE, text, item) or _ROUGHLY_AFTER.match(text, item.end) for item in said)


def _is_against_part(cluster: Cluster) -> bool:
    """Return whether an hour lies outside the part of the day that is said beside it: "tonight at 10:00 am"."""
    if len(cluster.times) != 1 or not cluster.parts or cluster.lapses:
        return False
    said = cluster.times[0]
    if said.bare or said.midnight:
        return False
    part = cluster.parts[0]
    hours = ((part.first - 1) * 60, (part.last + 1) * 60)
    return not any(hours[0] <= minute <= hours[1] for minute in (said.minute, said.minute + DAY_MINUTES))
