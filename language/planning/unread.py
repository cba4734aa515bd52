"""Words beside a time that alter it and that nothing reads: "the second Friday", 去年11月13号, "3pm Dora's time".

What is read without them would be another day, or another time of it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from language.numbers.dates import WEEKDAY, WHOLE_WEEKDAYS
from language.planning.clusters import Cluster
from language.planning.items import COUNT, MONTH, WEEK_ZH, DaySaid, PartSaid, RhythmSaid, SaidItem, TimeSaid
from language.planning.plans import Once, Plan, Unclear
from language.planning.times import DAY_MINUTES
from language.spelling import respelt

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
#: Characters between two pieces that may be of one time.
_NEAR = 20
#: Whoever asks to be reminded, before or after when.
_CUE = re.compile(
    r"""\b(?:remind|ping|nudge|notify|wake|alert|poke|buzz|tell|message|warn)
    \ (?:me|us|everyone|everybody|them|him|her|here|@\S{1,30}|(?:the|this|my|our)\ \w{1,20})\b(?:\ (?:again|here|up))?
    |\breminder\b|\balarm\b|\bforget\b
    |(?:提醒|通知|告诉)(?:一下)?(?:我们?|大家|所有人|各位|群里|团队)?(?:一下|一声)?|[叫喊](?:我们?|大家|醒我)(?:一下|一声)?|闹钟|忘了?""",
    re.VERBOSE,
)
#: From here on stands what to be reminded of.
TASK = re.compile(r"\b(?:to|about|that|of|for|regarding|re)\b|:\ ")
_STOP = re.compile(r"[.;!?。；！？](?!\d)|(?<!\d)[,，、]|\n")
#: Words that say how often, which or about when, and stand beside a time without being read.
_ALTERS = (
    r"every|evry|each|all|some|most|many|few|several|various|other|others|alternate|either|next|nxt|last|past|prev(?:ious)?|following"
    r"|first|second|third|fourth|fifth|sixth|penultimate|odd|even"
    r"|early|late|later|earlier|mid|middle|end|start|beginning|half|daily|weekly|fortnightly|biweekly|bi-weekly|monthly|bimonthly"
    r"|quarterly|yearly|annually|hourly|nightly|shortly|just|right|soon|immediately|directly|straight|sometime|usual|normal|roughly-?"
    r"|minutes?|mins?|hours?|hrs?|days?|weeks?|weekends?|weekdays?|fortnights?|months?|years?|within|between"
    r"|since|through|thru|throughout|except|excluding|never|less|over|under|than|only|twice|thrice|times|during"
    r"|morning|afternoon|evening|night|noonish|ish|odd|something|somethin|thereabouts|either|neither|nor"
    r"|or(?!\ so|\ there)|plus|minus"
    r"|\d{1,2}-?(?:x|ish|h)|x\d{1,2}|(?:[12]?\d|3[01])(?:st|nd|rd|th)"
)
_WORD_BEFORE = re.compile(
    rf"\b(?:minutes?|mins?|hours?|moments?|bit) (?:to|past|of|before|after|from) $"
    rf"|(?:^|[\s(/,&+-])(?:{_ALTERS}|{MONTH})[\s/&+-]{{0,3}}"
    r"(?:(?:on|at|in|by|of|around|about|the)\ )?$"
)
#: The same with one word that nobody knows between: "every oter Wednesday".
_WORD_BEFORE_THAT = re.compile(
    r"\b(?:every|each|alternate|next|last|first|second|third|fourth|some|most|all)\ [\w'-]{2,12}\ $"
)
_WORD_AFTER = re.compile(
    rf"""[\s,(/&+-]{{0,3}}(?:(?:{_ALTERS})\b
    (?!\ (?:remind|ping|please|thing|one|call|day\ of|draft|version|round|time|floor|step|part|half))
    |(?:ish|for\ (?:a|an|the|one|two|three|four|five|\d{{1,2}})\ (?:next\ )?\w*\ ?(?:day|week|month|year)s?\b
    |unless|but\b|instead|before\ last|after\ next|when\b|whenever)\b)""",
    re.VERBOSE,
)
#: Whoever takes back what was said, before another time.
_CORRECTS = re.compile(
    r"(?:[\s,.;–-]|^)(?:no|nah|wait|actually|sorry|oops|hang on|hold on|scratch that|strike that|correction"
    r"|i mean|i meant|rather|or rather|on second thoughts?|better|make (?:it|that)|change that|instead)\b"
    r"|不对|说错|错了|哦不|噢不|算了|改成|改到|改为|我是说|还是[^，,。]{0,8}吧|不不"
)
_SAYS_WHEN = re.compile(
    rf"\b(?:\d{{1,2}}(?::\d\d)?\ ?(?:[ap]m)?|{WEEKDAY}|tomorrow|today|tonight|noon|midnight|day|week|month"
    r"|morning|afternoon|evening)\b"
    rf"|[\d一二两三四五六七八九十][点号日月]|{WEEK_ZH}[一二三四五六日天]|[今明后][天早晚]|[上下]午"
)
#: Two times of which each may be meant.
_LISTS = re.compile(r"\s?[/&+]\s?")
#: In Chinese: what touches a time and is of it, though nothing reads it. Things that are counted are none.
_THINGS = r"(?:[人位份件台张封篇本条间家场道项名组款盒瓶袋箱套次轮版期批笔]|个(?!小时|钟|月|半|星期|礼拜|工作|多))"
_TOUCHES_BEFORE = re.compile(
    r"(?:[零一二两三四五六七八九十百几数多每隔第大下上半差约末底中各双单]|星期|礼拜|周|月|年|季度?|[前后]|那?天|日|号|次|(?<!最)[早晚]"
    r"|刚过|不到|未到|将近|不过|之类|生日|节|假|倒数.{1,4}|其[一二三四五六日天]|几)的?$"
)
_TOUCHES_AFTER = re.compile(
    rf"(?:[零一二两三四五六七八九十百几半\d]{{1,3}}(?<!一)(?!{_THINGS})[点时半分刻钟典]{{0,3}}|一(?=[点典刻])|[多来余许]|前后|上下|出头|不到|开外|零|来钟|过(?![来去期节户会程敏关滤])|之类|差)"
)

#: Words that say when and are often misspelt, and words that are none of them though they look so.
_OFTEN_MISSPELT = (
    *WHOLE_WEEKDAYS, "tomorrow", "tonight", "today",
    "every", "other", "first", "second", "third", "morning", "afternoon", "evening", "midnight", "midday", "weekday",
    "weekend", "working", "fortnight", "month", "minutes", "minute", "hours", "daily", "weekly", "monthly", "quarter",
    "before", "after", "until", "except", "january", "february", "march", "april", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_NOT_MISSPELT = frozenset((
    "moth", "mouth", "moths", "months", "mothers", "house", "hour", "hourly", "ever", "very", "over", "otter",
    "others", "thirds", "marsh", "match", "mars", "afters", "alter", "unlit", "worming", "wording", "works",
    "workings", "quarters", "quartet", "mourning", "moaning", "minuet", "minuets", "seconds", "secondo", "firs",
    "fist", "dairy", "evenings", "exempt", "excepts", "expect", "accept", "weakly", "toddy", "toady", "sundry",
    "sundae", "money", "monthlies", "fridge", "frida", "friar", "augusta", "augustus",
))  # fmt: skip


def respelling(text: str) -> Mapping[tuple[int, int], str]:
    """Return where words stand that are probably misspelt and say when, each with the word that is meant."""
    return respelt(text, _OFTEN_MISSPELT, real=_NOT_MISSPELT)


@dataclass(frozen=True)
class Alteration:
    """Why a plan is not what was said, and the characters that were not read."""

    why: Unclear
    spans: tuple[tuple[int, int], ...]


def unread_among(plan: Plan, cluster: Cluster, clusters: Iterable[Cluster], text: str) -> Alteration | None:
    """Return what nothing reads beside the pieces of a plan, and may alter it; None for nothing.

    What to be reminded of may hold any words, so there only what touches the time counts.
    """
    groups = tuple(clusters)
    pieces = [item for each in groups for item in each.items]
    runs = [_span(mine) for each in groups if (mine := [item for item in each.items if item in cluster.items])]
    for other in pieces:
        if other in cluster.items or not isinstance(other.what, RhythmSaid | DaySaid) or _is_of(plan, other.what):
            continue
        if any(_is_beside(run, other, text) for run in runs):
            return Alteration(other.what.unclear or Unclear.UNREAD, ((other.start, other.end),))
    touching = tuple(span for run in runs for span in _touching(*run, text, pieces))
    taken_back = any(_is_taken_back(end, text) for _, end in runs[-1:])
    return Alteration(Unclear.UNREAD, touching) if touching or taken_back else None


def _span(pieces: list[SaidItem]) -> tuple[int, int]:
    return min(item.start for item in pieces), max(item.end for item in pieces)


def _is_of(plan: Plan, other: DaySaid | RhythmSaid) -> bool:
    """Return whether a day is that of the plan."""
    return isinstance(plan, Once) and isinstance(other, DaySaid) and plan.at.date() in other.days


def _is_beside(run: tuple[int, int], other: SaidItem, text: str) -> bool:
    """Return whether another day or rhythm stands near a time, and not in what to be reminded of."""
    one, two = sorted((run, (other.start, other.end)))
    between = text[one[1] : two[0]]
    is_corrected = isinstance(other.what, DaySaid) and between.strip() == "but"  # not today but tomorrow
    if len(between) > _NEAR or is_corrected or any(each.search(between) for each in (TASK, _CUE, _STOP)):
        return False
    cues = [found.end() for found in _CUE.finditer(text, 0, one[0])]
    return one == run or not TASK.search(text, cues[-1] if cues else 0, one[0])


def _is_taken_back(end: int, text: str) -> bool:
    """Return whether another time follows with words that take back the first: "at 9, no, 10"."""
    found = _CORRECTS.search(text, end)
    if found is None or TASK.search(text, end, found.start()):
        return False
    return _SAYS_WHEN.search(text, found.end(), found.end() + _LOOK_BACK) is not None


def _touching(start: int, end: int, text: str, pieces: Iterable[SaidItem]) -> Iterator[tuple[int, int]]:
    """Yield where words that alter a time stand right before or after it, in none of the pieces."""
    before = max((item.end for item in pieces if item.end <= start), default=0)
    after = min((item.start for item in pieces if item.start >= end), default=len(text))
    for gap in ((before, start), (end, after)):
        if _LISTS.fullmatch(text, *gap):
            yield gap
    begin = max(before, start - _LOOK_BACK)
    left, right = text[begin:start], text[end : min(after, end + _LOOK_BACK)]
    cut = max((found.end() for found in _STOP.finditer(left)), default=0)
    cut = max((found.end() for found in _CUE.finditer(left)), default=cut)
    said = left[cut:]
    ways = [_WORD_BEFORE, _TOUCHES_BEFORE, *([] if TASK.search(said) else [_WORD_BEFORE_THAT])]
    for way in ways:
        if found := way.search(said):
            yield begin + cut + found.start(), start
    for way in (_TOUCHES_AFTER, _WORD_AFTER):
        if found := way.match(right):
            yield end, end + found.end()


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
