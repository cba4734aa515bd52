"""What somebody wants to be reminded of, when and where, out of their words and of what they answered to questions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from itertools import pairwise
from zoneinfo import ZoneInfo

from features.anatomy.moments import wall_time
from features.anatomy.planned import trigger_of
from features.reminders.reminder import LONGEST, Where
from language.moments import durations_in, folded, times_in
from language.planning.clusters import clusters_in
from language.planning.moving import moved, says_how_long_before, time_of
from language.planning.plans import Again, Once, Plan, SaidPlan, Unclear, at_time, each_of, is_ahead, together
from language.planning.reading import plan_in
from language.scripts import language_of
from language.spelling import one_edit_apart
from storage.queue.schedules import At

#: A wish, with whom it is for: "remind me", 提醒大家, "set a reminder".
LEAD = re.compile(
    r"""(?:\b(?:please|pls|plz|kindly|(?:can|could|would|will)\ (?:you|u))\ )?
    \b(?:remind|nudge|ping|bump)\ (?:me|us|everyone|everybody|all\ of\ us
    |(?:this|the)\ (?:channel|thread|group|team|room)|here)
    (?:\ (?:again|here))?(?:\ in\ (?:this|the)\ (?:channel|thread|group|room))?\b
    |\b(?:set(?:\ up)?|create|add|make|schedule)\ (?:me\ |us\ )?
     (?:a|an|another)\ (?:\w{1,12}\ )?reminder(?:\ for\ (?:me|us))?\b
    |\Areminder(?:\ (?:for|to)\ (?:me|us|myself))?\ ?[:–-]
    |\b(?:i\ need|i\ want|i'd\ like|i\ would\ like)\ (?:a|an|another)\ (?:\w{1,12}\ )?reminder(?:\ for\ (?:me|us))?\b
    |(?:请|麻烦|帮我|帮忙|记得|到时候?|能不能|可以){0,3}(?:在(?:这个|本)?(?:频道|群)里?)?
    (?:给我|替我)?(?:设置?|设定|创建|新建|添加|加|定|发|来|弄|建)一?[个条]?提醒
    |(?:请|麻烦|帮我|帮忙|给我){0,3}(?:设置?|设定|创建|新建|添加|加|定|发|来|弄|建)一?[个条]
     [^，。,.;；！!？?、\s]{0,24}?的提醒
    |\b(?:wake|alert|buzz|poke|rmd)\ (?:me|us)(?:\ up)?\b|\bremind\ ?我们?(?:一下)?
    |\bgive\ (?:me|us)\ a\ (?:shout|nudge|poke|ping|buzz|reminder)\b
    |(?:(?<=\d)|(?<=\d[ap]m)|(?<=noon)|(?<=night)|(?<=tomorrow)|(?<=day)|(?<=hour)|(?<=hours)|(?<=mins)|(?<=minutes))
     ,?\ (?:please\ |pls\ )?tell\ (?:me|us)(?=\ to\b)
    |\Atell\ (?:me|us)(?=\ (?:at\ \d|in\ (?:an?|half|\d+)\ |tomorrow|tonight|on\ \w{3,9}day)[^?]{0,30}\ to\ )
    |\b(?:do\ not|don't|don’t|dont)\ let\ (?:me|us)\ forget\b
    |\b(?:set|create|add|make)\ (?:me\ |us\ )?(?:a|an|another)\ alarm\b
    |(?:别|不要|可别)[让叫]我忘(?:了|记)?
    |(?:设置?|设定|加|定)一?个?闹钟
    |(?:(?<=[点分半时刻钟整后\d])|(?<=[今明后][早晚天儿])|(?<=[周期拜][一二三四五六日天])|(?<=[早晚]上)|(?<=[上下]午)|(?<=时候)|(?<=班前))
     (?:[叫喊]我(?:一下|一声)?|[踢戳敲]我一下)
    |(?<=[点分半时刻钟\d])通知我(?:一下|一声)?(?=去|要|记得|别|开会|参加)
    |(?:请|麻烦|帮我|帮忙|记得|到时候?|能不能|可以){0,3}(?:在(?:这个|本)?(?:频道|群)里?)?再?提醒(?:一下|下)?
    (?:我们|我|大家|所有人|各位|自己|本频道|这个频道|群里|团队)?(?:一下|下)?""",
    re.IGNORECASE | re.VERBOSE,
)
#: A word that may be "remind", mistyped, and words that are near it.
_MAY_BE_REMIND = re.compile(r"\b[A-Za-z]{4,7}(?= (?:me|us|everyone|everybody)\b)")
_OTHER_WORDS = frozenset({"reminds", "rewind", "remand", "remain"})
_VOWELS = re.compile("[aeiou]")
_CHANNEL = re.compile(
    r"\bremind (?:us|everyone|everybody|all of us|(?:this|the) (?:channel|group|team|room)|here)\b"
    r"|\bremind me (?:here\b|in (?:this|the) (?:channel|group|room)\b)"
    r"|提醒(?:一下|下)?(?:我们|大家|所有人|各位|本频道|这个频道|群里|团队)|在(?:这个|本)?(?:频道|群)里?",
    re.IGNORECASE,
)
_THREAD = re.compile(
    r"\b(?:in|about|abt|on|of) this (?:thread|conversation|discussion)\b|\bremind (?:this|the) thread\b"
    r"|(?:关于|在|看看?|跟进)?(?:这个|本)(?:话题|会话|讨论|帖子|对话)(?:里)?",
    re.IGNORECASE,
)
_DRAFT = re.compile(r"\b(?:this|that|the|my) draft\b|(?:这个|这份|该|我的)草稿", re.IGNORECASE)
#: What stands between a wish and its words, at either end of what is left.
_BEFORE = re.compile(
    r"^(?:(?:to|that|about|abt|bout|of|for|at|on|by|please|pls|and|or|then|is"
    r"|sharp(?=\s?(?:$|[,.:;]|to\b|that\b|about\b))"
    r"|thank you(?=\s?[,.!;:&])|thanks(?=\s?[,.!;:&]))(?![A-Za-z0-9'-])|关于|内容[是为]"
    r"|一下|记得|去|要|我们?|请(?!假|客|示|教|[\u4e00-\u9fff]{1,4}?[吃喝来帮签审看])|的"
    r"|[\s,，:：.。;；!！?？、&–—-]{1,20})",
    re.IGNORECASE,
)
_ABOUT_THAT = re.compile(r"\s*(?:about|of) (?:this|that|it)[\s,.!?]{0,3}", re.IGNORECASE)
_AFTER = re.compile(
    r"(?:(?<![A-Za-z0-9'-])(?:at|on|by|for|from|in|between|please|pls|plz|and|or|so|(?:many )?thanks|thx|ty|cheers|ta"
    r"|thank (?:you|u)|(?:would|will|could|can) (?:ya|you|u)|if you (?:can|could|would|don'?t mind)|is|are"
    r"|starts?|begins?)|(?:多?谢谢?|感谢|辛苦|拜托|麻烦)(?:你|您|大家)?[啦了]?|[好行可]以?[吗嘛么]|好不好|行不行"
    r"|(?<![酒网贴书水氧茶餐])吧|[哈哦啊呀呢啦哟嘛喔噢]|在|于|[\s,，:：.。;；!！?？、&–—-]{1,20})$",
    re.IGNORECASE,
)
#: Of "check in on the 15th" and "log on tomorrow" the first preposition is none of the day.
_PHRASAL = re.compile(r"(?<=[a-z] )(?:in|on)$", re.IGNORECASE)
_OWN_PREPOSITION = re.compile(
    r"\s*(?:on|in|at|by|from|every|each|next|this|today|tomorrow|tonight|tmrw?|daily|weekly|monthly)\b", re.IGNORECASE
)
_NUMBERS = ("first", "second", "third", "fourth", "fifth", "sixth")
_CHINESE_NUMBERS = "一二三四五六"
#: Which half of the day somebody means who was asked.
_MORNING = re.compile(r"\b(?:morning|am|a\.m\.)\b|上午|早上|早晨|凌晨")
#: Whether somebody means one time or all of them who was asked.
_EVERY = re.compile(r"\b(?:every|each|always|monthly|weekly|daily)\b|每|都")
_JUST_ONCE = re.compile(r"\b(?:once|only|just|this (?:month|week|time))\b|一次|这次|本月|这个月|本周|这周")
#: Whether somebody means all of them who was asked.
_EACH = re.compile(
    r"(?:both|all)(?: of (?:them|those))?(?: times)?(?:,? please)?|(?:两个|全部?|都)(?:都)?(?:要|提醒|可以)?"
)
#: Which of two somebody means who was asked.
_EARLIER = re.compile(r"\b(?:earlier|former)(?: one)?\b|早(?:的|一?点)(?:那个)?|前面?(?:的)?那个")
_LATER = re.compile(r"\b(?:later|latter)(?: one)?\b|晚(?:的|一?点)(?:那个)?|后面?(?:的)?那个")
_LATER_ON = re.compile(r"\b(?:afternoon|evening|night|pm|p\.m\.)\b|下午|晚上|傍晚|夜里")

#: Hours after which it is asked again when it is put off until "tomorrow".
_NINE = 9
_HOUR = timedelta(hours=1)
#: A span of time that is counted from now, not from the time of the reminder.
_FROM_NOW = re.compile(r"\bin\b|\bfrom now\b|后(?!推)")
#: A wish to remind somebody else, whom the desk does not write to for another.
OF_ANOTHER = re.compile(
    r"^(?:(?:please|pls|can you|could you|will you|would you)[ ,]{1,2}){0,2}(?P<wish>remind "
    r"(?:(?:the|my|our) (?!(?:channel|thread|group|team|room)\b)(?:[\w-]{2,20} ){1,2}?"
    r"|(?!(?:me|us|you|it|that|this|the|a|an|of|on|in|at|to|my|our|here|everyone|everybody|all)\b)[@#]?[\w-]{2,30} ))",
    re.IGNORECASE,
)
_OF_ANOTHER_ZH = re.compile(
    r"提醒(?=(?:一下|下)?(?!一?下)(?:[他她]们?|@\S{1,20}|小(?!组|队)[\u4e00-\u9fff]|[老阿][\u4e00-\u9fff]|[A-Za-z]{2,20}(?=\s?[\u4e00-\u9fff])"
    r"|[\u4e00-\u9fff]{1,2}(?:总|经理|主管|老师|工程师)"
    r"|(?![我大所各自本这群团检查打看开更提交准参续签发填处回给把去来买取拿带关换修订写寄做吃喝喂浇锁倒洗收上下领登退报申确核测])[\u4e00-\u9fff]{2,3}(?=[去来看交续参把给打发填准检处回更重签])))"
)
#: Whoever is asked whether to be reminded instead, and agrees.
_AGREED = re.compile(
    r"(?:(?:then|so|ok(?:ay)?|yes|yeah|yep|sure|fine|please|just|do|that|and|instead|thanks|well|no)[\s,.!]{0,3}){0,4}"
    r"(?:remind (?:me|myself)|me|myself|yes|yeah|yep|ok(?:ay)?|sure|fine|do|please|that works)?"
    r"(?: then| please| instead)?[\s.!]{0,3}"
    r"|(?:[好行可以是的对嗯吧那就\s，,。]{0,6})(?:提醒我(?:吧|好了)?|我)?[吧。！\s]{0,2}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReminderWish:
    """What was said. Where `plan` is None, `unclear` says why, and `choices` what may be meant."""

    text: str
    plan: Plan | None
    unclear: Unclear | None
    choices: tuple[Plan, ...]
    where: Where
    draft: bool  # it is about the draft that was spoken of
    another: bool = False  # somebody else is to be reminded


def plan_said(words: str, *, now: datetime, timezone: str) -> SaidPlan:
    """Return what words say of when, said at an instant by somebody in a zone."""
    return plan_in(words, now=wall_time(now, timezone), zone=ZoneInfo(timezone))


def wish_in(
    said: Sequence[str], *, now: datetime, labels: dict[str, Plan] | None = None, zone: ZoneInfo | None = None
) -> ReminderWish:
    """Return the wish of a message and of the answers that followed it; `now` is the time on the wall in their zone.

    `labels` are the choices that were offered in words, which an answer may repeat.
    """
    words = respelt(said[0])
    read = partial(plan_in, now=now, zone=zone)
    found = read(words)
    text = text_of(words, found.spans)
    joined = words
    for answer in said[1:]:
        if found.plan is not None:
            text = text or text_of(answer, ())
            continue
        chosen = (labels or {}).get(answer.strip()) or choice_of(found.choices, answer, now=now)
        together, alone = read(f"{joined}, {answer}"), read(answer)
        joined = f"{joined}, {answer}"
        timed = _timed(found.choices, alone, answer, now=now)
        if chosen is not None:
            times = {each.value for each in times_in(folded(answer))}
            found = SaidPlan(at_time(chosen, times.pop()) if len(times) == 1 else chosen, None, (), found.spans)
        elif len(timed) == 1:
            found = SaidPlan(timed[0], None, (), found.spans)
        elif timed:
            found = SaidPlan(None, Unclear.TWO_WAYS, timed, found.spans)
        elif (day := _on_day(found, alone, now=now)) is not None:
            found = SaidPlan(day, None, (), found.spans)
        elif found.unclear in (Unclear.PAST, Unclear.NO_SUCH_DAY):
            found = alone if alone.unclear is not Unclear.NOTHING else together
        elif together.plan is None and alone.unclear is not Unclear.NOTHING:
            found = alone
        else:
            found = together
    where = Where.CHANNEL if _CHANNEL.search(words) else Where.THREAD if _THREAD.search(words) else Where.ALONE
    draft = _DRAFT.search(words) is not None
    another = is_of_another(words)
    text = _with_whom(text) if another else text
    return ReminderWish(text[:LONGEST], found.plan, found.unclear, found.choices, where, draft, another)


def holds(text: str, wanted: str) -> bool:
    """Return whether a reminder's words hold all words of another text; of Chinese the text itself."""
    plain = text.casefold()
    words = [each for each in wanted.split() if each not in {"the", "a", "an", "my", "to", "about"}]
    return bool(words) and all(each in plain for each in words)


def respelt(words: str) -> str:
    """Return words with a mistyped "remind me" as it is meant."""
    return _MAY_BE_REMIND.sub(lambda found: "remind" if _is_mistyped(found[0].lower()) else found[0], words)


def _is_mistyped(word: str) -> bool:
    return word not in _OTHER_WORDS and (one_edit_apart(word, "remind") or _VOWELS.sub("", word) == "rmnd")


def is_of_another(words: str) -> bool:
    """Return whether words wish that somebody else is reminded: "remind Dora to …", 提醒小王…."""
    return OF_ANOTHER.match(words.strip()) is not None or _OF_ANOTHER_ZH.search(words) is not None


def is_agreed(answer: str) -> bool:
    """Return whether somebody agrees to be reminded instead of another."""
    return bool(answer.strip()) and _AGREED.fullmatch(answer.strip()) is not None


def _with_whom(text: str) -> str:
    """Return the words of a reminder of somebody else: of whom it is to remind its reader."""
    if found := OF_ANOTHER.match(text):
        return text[found.start("wish") :]
    return text if "提醒" in text or language_of(text) != "zh" else f"提醒{text}"


def _timed(choices: Sequence[Plan], said: SaidPlan, answer: str, *, now: datetime) -> tuple[Plan, ...]:
    """Return choices at the time, or the times, that an answer says without a day: a day was said already."""
    plain = folded(answer)
    if any(durations_in(plain)) or any(cluster.days for cluster in clusters_in(plain, now.date())):
        return ()
    times = [each.at.time() for each in said.plans if isinstance(each, Once)]
    meant = [at_time(each, at) for at in times for each in choices]
    meant = meant or [each for choice in choices for each in moved(choice, answer, now=now)]  # "make it 3"
    offered = [each for each in dict.fromkeys(meant) if each in choices]
    found = (offered[0],) if len(offered) == 1 else tuple(dict.fromkeys(meant))
    return found if all(is_ahead(each, now) for each in found) else ()


def _on_day(found: SaidPlan, said: SaidPlan, *, now: datetime) -> Plan | None:
    """Return the plan on the day that an answer says without a time, where only a time was said that can be."""
    times = {time_of(each) for each in found.choices}
    timed = found.unclear in (Unclear.PAST, Unclear.NO_DAY) and said.unclear is Unclear.NO_TIME
    if not (timed and len(times) == len(said.choices) == 1):
        return None
    plan = at_time(said.choices[0], times.pop())
    return plan if is_ahead(plan, now) else None


def text_of(words: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return what somebody is to be reminded of: the words without those that say when, and that it is a reminder."""
    lead = LEAD.search(words)
    if lead is not None and (behind := _between(words, spans, (lead.end(), len(words)))):
        return behind
    return _between(words, spans, (0, len(words) if lead is None else lead.start()))


def ends_with(words: str, lead: re.Match[str]) -> bool:
    """Return whether a wish ends a message: "in 45 minutes check the oven, remind me please"."""
    return not _stripped(_AFTER, words[lead.end() :])


def _between(words: str, spans: Sequence[tuple[int, int]], part: tuple[int, int]) -> str:
    """Return what a part of the words says beside when."""
    inside = [(max(one, part[0]), min(two, part[1])) for one, two in spans if one < part[1] and two > part[0]]
    edges = sorted({*part, *(edge for span in inside for edge in span)})
    kept = [(one, two) for one, two in pairwise(edges) if not any(a <= one and two <= b for a, b in inside)]
    parts = [_before_when(words[one:two], words[two:]) for one, two in kept]
    while parts and not (first := _stripped(_BEFORE, parts[0])):
        parts.pop(0)
    if not parts:
        return "that" if any(_ABOUT_THAT.fullmatch(words, one, two) for one, two in kept) else ""
    between = "" if language_of(words) == "zh" else " "
    return " ".join(between.join(filter(None, (first, *parts[1:]))).split())


def _before_when(part: str, rest: str) -> str:
    """Return a part of the words without what at its end belongs to the time that follows it."""
    part = part.strip()
    is_own = _PHRASAL.search(part) and _OWN_PREPOSITION.match(rest)
    return part if is_own else _stripped(_AFTER, part)


def choice_of(choices: Sequence[Plan], answer: str, *, now: datetime) -> Plan | None:
    """Return the choice that an answer names: "the first", 2, 下午, or its time of day; None for none or several."""
    plain = folded(answer).strip(" .。!！")
    if (counted := _counted(choices, plain)) is not None:
        return counted
    if len({type(each) for each in choices}) == 1 < len(choices) and _EACH.fullmatch(plain):
        return together(part for each in choices for part in each_of(each))
    for meant, kind in ((_EVERY, Again), (_JUST_ONCE, Once)):
        of_kind = [each for each in choices if isinstance(each, kind)]
        if len(choices) > len(of_kind) == 1 and meant.search(plain):
            return of_kind[0]
    half = [each for each in choices if _is_half(time_of(each), plain)]
    if len(half) == 1 and not any(times_in(plain)):
        return half[0]
    said = {each.value for each in times_in(plain)}
    same = [each for each in choices if time_of(each) in said]
    hour = [each for each in choices if plain.isdecimal() and (time_of(each).hour - int(plain)) % 12 == 0]
    if len(same or hour) == 1 and len(choices) > 1 and plan_in(answer, now=now).unclear is not None:
        return (same or hour)[0]
    yes = re.fullmatch(r"(?:yes|yeah|yep|ok|okay|sure|好的?|可以|是的?|对|行)(?:,? please)?", plain)
    return choices[0] if yes and len(choices) == 1 else None


def _counted(choices: Sequence[Plan], plain: str) -> Plan | None:
    """Return the choice that is named by its place: "the second", 2, "the last one", "the later one"."""
    for number, choice in enumerate(choices):
        names = {str(number + 1), f"第{_CHINESE_NUMBERS[number]}个", f"第{number + 1}个"}
        if plain in names or plain.removeprefix("the ").removesuffix(" one") == _NUMBERS[number]:
            return choice
    if re.fullmatch(r"(?:the )?last(?: one)?|最后一个|后一个", plain) and choices:
        return choices[-1]
    of_two = len(choices) == len((_EARLIER, _LATER)) and not any(times_in(plain))
    said = [each for each, way in zip(choices, (_EARLIER, _LATER), strict=False) if of_two and way.search(plain)]
    return said[0] if len(said) == 1 else None


def _is_half(at: time, plain: str) -> bool:
    return bool((at.hour < 12 and _MORNING.search(plain)) or (at.hour >= 12 and _LATER_ON.search(plain)))


def _stripped(edge: re.Pattern[str], part: str) -> str:
    part = part.strip()
    while (shorter := edge.sub("", part).strip()) != part:
        part = shorter
    return part


def put_off(words: str, *, now: datetime, zone: str, planned: datetime | None = None) -> datetime | None:
    """Return until when somebody puts a reminder off: "for an hour", "until 3 pm", 明天; None where it says nothing.

    `planned` is when it is to come: "by an hour" is counted from then, "in an hour" from now.
    """
    if says_how_long_before(words):
        return None
    said = plan_said(words, now=now, timezone=zone)
    for span in durations_in(words.casefold()):
        return (now if planned is None or _FROM_NOW.search(words.casefold()) else planned) + span.value
    usual = said.choices if said.unclear is Unclear.NO_TIME else ()
    plan = said.plan or (usual[0] if len(usual) == 1 else None)
    if isinstance(plan, Once):
        trigger = trigger_of(plan, zone)
        return trigger.instant if isinstance(trigger, At) else None
    return None


def tomorrow_morning(now: datetime, zone: str) -> datetime:
    """Return nine o'clock of the next day in a zone."""
    day = wall_time(now, zone) + timedelta(days=1)
    trigger = trigger_of(Once(day.replace(hour=_NINE, minute=0, second=0, microsecond=0)), zone)
    return trigger.instant if isinstance(trigger, At) else now + 24 * _HOUR
