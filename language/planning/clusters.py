"""Which words of a message say when: pieces that stand together, and the group of them that is meant.

"Remind me tomorrow at 9 to prepare the Friday meeting" names two days; what stands at "remind me" is meant.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise

from language.numbers.dates import WEEKDAY
from language.planning.days import DAYS
from language.planning.items import (
    MONTH,
    NTH,
    NUMBER_ZH,
    WEEK_ZH,
    DaySaid,
    Form,
    LapseSaid,
    OffsetSaid,
    PartSaid,
    RhythmSaid,
    SaidItem,
    TimeSaid,
    form,
    items_in,
)
from language.planning.offsets import OFFSETS, counted
from language.planning.plans import Unclear
from language.planning.rhythms import RHYTHMS
from language.planning.times import LAPSES, PARTS, TIMES, part_of

#: What may stand between two pieces that belong together; the bounds keep the search linear.
_BETWEEN = re.compile(
    r"[\s,，、的在起@&()（）]{0,3}(?:(?:开始|at|on(?:wards?)?|by|before|around|about|in|from|the|of|starting|beginning|as|and|or"
    r"|as\ well\ as|plus|和|跟|与|以?及|或者?|还是|为)[\s]{0,2}){0,2}[\s()（）]{0,2}"
)
_CUE_BEFORE = re.compile(
    r"(?:\b(?:remind|ping|tell|notify|nudge|wake|alert|message|warn)\ (?:me|us|them|him|her|everyone|everybody|"
    r"[@#]\S{1,40}|(?:the\ )?(?:team|channel|group|thread))"
    r"|(?:提醒|通知|叫|告诉|喊|催)(?:我们?|大家|一下|团队|群里){0,2})[\s,，:：]{0,3}$"
)
_CUE_AFTER = re.compile(
    r"[\s,，:：]{0,3}(?:(?:please|can you|请|麻烦|帮我|帮忙|记得|要)[\s,，]{0,2})?"
    r"(?:remind|ping|notify|nudge|提醒|通知|叫我|喊我)"
)

#: Whoever asks to be reminded; twice is for two things.
_CUES = re.compile(r"\b(?:remind|ping|notify|nudge)\ (?:me|us)\b|(?:提醒|通知)(?:我|大家)|[叫喊]我")
#: What stands between what is at a time and when to be reminded of it: "I leave at 4, remind me at 3:45".
_OWN_CUE = re.compile(
    r"[\s.,;]{1,3}(?:(?:please|pls|so|and|can you|could you) ){0,2}(?:remind|ping|notify|nudge) (?:me|us)"
    r" ?(?=at\b|by\b|around\b|\d|noon|$)"
    r"|[.,;] (?:please |so )?(?:remind|ping|notify|nudge)\b"
)


def _near_part(found: re.Match[str], today: date) -> DaySaid:
    """Return the day of "tonight", "this morning", 今晚, 明早."""
    ahead = {"明": 1, "昨": -1}.get(found["day"] or "", 0)
    return DaySaid((today + timedelta(days=ahead),), today=ahead == 0)


#: A day and a part of it in one word: two pieces.
_NEAR_PARTS: tuple[tuple[Form, str], ...] = (
    (form(r"\b(?P<day>this)\ (?P<part>morning|afternoon|evening)\b", _near_part), ""),
    (form(r"\b(?P<day>tonight|tonite|tnite|2nite|2night)(?P<part>\b)", _near_part), "晚上"),
    (form(r"(?P<day>[今明昨])(?P<part>[早晚])(?!上|晨)", _near_part), ""),
)
#: "Nightly" says how often beside a time or at an end; "the nightly build" does not.
_NIGHTLY = (
    r"(?<!the )(?<!our )\bnightly\b"
    r"(?=[\s,]{0,2}(?:$|[.;:!?\d]|(?:at|around|by|remind|ping|notify|please|from|to|that)\b))"
)
_EVERY_PARTS = re.compile(
    r"\b(?:every|each) (?P<part>morning|afternoon|evening|night)\b|每(?P<zh>[早晚])(?![上晨])|(?P<nightly>"
    + _NIGHTLY
    + ")"
)
#: Minutes before what is at a time within which somebody wants to be reminded of it, and those of half a day.
_SHORTLY, _HALF_DAY = 120, 720
#: What follows is what to be reminded of.
_CONTENT = re.compile(r"\b(?:to|about|that)\b|(?:提醒|通知|叫|告诉|喊)(?:我们?|大家)")
#: What joins days or times of which each is meant; a comma does so before the last of them.
_EACH = re.compile(r"\s?[,，]?\s?(?:and|&|plus|as well as|和|跟|与|以?及)\s?|、")
_COMMA = re.compile(r"\s?[,，]\s?")
#: From one time to another is a span, not two times.
_SPAN_BEFORE, _SPAN_AFTER = re.compile(r"\b(?:between|from)\s$"), re.compile(r"\s?之?间")
#: What is said of one of several days and means the others, too: the week, the month.
_SHARED: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"(?P<before>(?:on )?(?:this coming|the coming|coming|this|next|every|each) |"
        rf"(?:下下|下|本|这|每)个?(?={WEEK_ZH}))?"
        rf"(?P<own>(?:on )?{WEEKDAY}|{WEEK_ZH}[一二三四五六日天])(?P<after> (?:next|this) week)?"
    ),
    re.compile(
        rf"(?P<before>(?:on )?{MONTH} |(?:\d{{4}}年|今年|明年)?的?{NUMBER_ZH}月|(?:下|本|这)个?月的?)?"
        rf"(?P<own>(?:on )?(?:the )?{NTH}|(?:\d{{1,2}}|[一二三四五六七八九十廿卅]{{1,3}})[号日])"
        rf"(?P<after> (?:of )?(?:{MONTH}|next month|this month))?"
    ),
)
_FORMS: tuple[Form, ...] = (*RHYTHMS, *DAYS, *OFFSETS, *LAPSES, *TIMES, *PARTS)


@dataclass(frozen=True)
class Cluster:
    """Pieces that stand together."""

    items: tuple[SaidItem, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Return the characters from its first piece to its last."""
        return self.items[0].start, self.items[-1].end

    @cached_property
    def days(self) -> tuple[DaySaid, ...]:
        """Return its days; "Friday" beside the date of a Friday says nothing more."""
        found = tuple(item.what for item in self.items if isinstance(item.what, DaySaid))
        dates = {each.days[0].weekday() for each in found if not each.weekday and len(each.days) == 1}
        told = tuple(each for each in found if not (each.weekday and each.days[0].weekday() in dates))
        return tuple(each for each in told if not any({*other.days} < {*each.days} for other in told if other.days))

    @property
    def days_alone(self) -> tuple[SaidItem, ...]:
        """Return its pieces but for the hours."""
        return tuple(item for item in self.items if not isinstance(item.what, TimeSaid))

    @cached_property
    def rhythms(self) -> tuple[RhythmSaid, ...]:
        """Return how often."""
        return tuple(item.what for item in self.items if isinstance(item.what, RhythmSaid))

    @cached_property
    def times(self) -> tuple[TimeSaid, ...]:
        """Return its times of day."""
        return tuple(item.what for item in self.items if isinstance(item.what, TimeSaid))

    @cached_property
    def parts(self) -> tuple[PartSaid, ...]:
        """Return its parts of the day."""
        return tuple(item.what for item in self.items if isinstance(item.what, PartSaid))

    @cached_property
    def lapses(self) -> tuple[LapseSaid, ...]:
        """Return its spans of time."""
        return tuple(item.what for item in self.items if isinstance(item.what, LapseSaid))

    @property
    def offset(self) -> OffsetSaid | None:
        """Return how many days from something else it is, where it says nothing more."""
        return self.rhythms[0].offset if len(self.items) == 1 and self.rhythms else None

    @property
    def has_day(self) -> bool:
        """Return whether it says on which day."""
        return bool(self.days or self.rhythms)

    @property
    def has_time(self) -> bool:
        """Return whether it says at which time of day."""
        return bool(self.times or self.parts)

    @property
    def rank(self) -> int:
        """Return how much it says: a day and a time, a time, a day, or neither for sure."""
        if self.lapses or (self.has_day and self.has_time) or any(day.same_time for day in self.days):
            return 3
        if self.has_time:
            return 2 if self.times else 1
        vague = all(day.unclear is Unclear.NO_DAY for day in self.days)
        return 0 if vague and not self.rhythms else 1


@dataclass(frozen=True)
class EachAlone:
    """A text that names several days or times, as texts that name one of them each; `span` is where they stand."""

    texts: tuple[str, ...]
    span: tuple[int, int]


def each_alone(text: str, today: date) -> EachAlone | None:
    """Return a text that is folded with each of its several days or times alone; None where it names no several.

    What is said of one and belongs to all stays: "next Tuesday and Thursday at 9" names two days, each next week at 9.
    """
    clusters = clusters_in(text, today)
    listed = [each for each in clusters if len(_listed(each, text)) > 1]
    meant = chosen(clusters, text) if listed else ()
    if len(listed) != 1 or len(meant) != 1 or meant[0].items[0] not in listed[0].items:
        return None
    start, end = listed[0].span
    groups = _completed_each(_listed(listed[0], text))
    if not groups or _SPAN_BEFORE.search(text, 0, start) or _SPAN_AFTER.match(text, end):
        return None
    words = _with_shared([[_alone(item, text) for item in group] for group in groups])
    between = "" if any("\u4e00" <= each <= "\u9fff" for each in text[start:end]) else " "
    return EachAlone(tuple(text[:start] + between.join(each) + text[end:] for each in words), (start, end))


def _alone(item: SaidItem, text: str) -> str:
    """Return the words of a piece as they say the same without the others: the 17 of "at 9 and 17" is at 17."""
    words = text[item.start : item.end]
    return f"at {words}" if isinstance(item.what, TimeSaid) and words.isdecimal() and len(words) < 3 else words


def _listed(cluster: Cluster, text: str) -> list[list[SaidItem]]:
    """Return the pieces of a group by what joins them: those of each day or time."""
    groups, commas = [[cluster.items[0]]], 0
    for last, item in pairwise(cluster.items):
        joint = text[last.end : item.start]
        days = isinstance(last.what, DaySaid) and isinstance(item.what, DaySaid)
        times = isinstance(last.what, TimeSaid) and isinstance(item.what, TimeSaid)
        comma = (days or times) and _COMMA.fullmatch(joint) is not None
        beside = days and not joint and all(_SHARED[0].fullmatch(text, it.start, it.end) for it in (last, item))
        if comma or beside or _EACH.fullmatch(joint):
            groups.append([item])
            commas += comma
        else:
            groups[-1].append(item)
    return groups if len(groups) - 1 > commas else [list(cluster.items)]


def _completed_each(groups: list[list[SaidItem]]) -> list[list[SaidItem]]:
    """Return each group of pieces with what one of them says for all; none where that cannot be told."""
    said = [item.what for group in groups for item in group]
    if any(
        isinstance(each, LapseSaid | OffsetSaid) or (isinstance(each, RhythmSaid) and each.unclear) for each in said
    ):
        return []
    days = [[item for item in group if isinstance(item.what, DaySaid | RhythmSaid)] for group in groups]
    parts = [[item for item in group if isinstance(item.what, PartSaid)] for group in groups]
    times = [[item for item in group if isinstance(item.what, TimeSaid)] for group in groups]
    # A part is said of the others, too, but for one that says its day ("tonight"), or that comes only then: 和下午3点.
    for_all = [
        [part for part in half if not _says_day(part, on) and (not number or not _stands_before(part, at))]
        for number, (half, on, at) in enumerate(zip(parts, days, times, strict=True))
    ]
    timed = [at or part for at, part in zip(times, parts, strict=True)]
    all_days, all_timed = all(days), all(timed)
    if all_timed and any(times) and not all(times):
        return []  # of "in the morning and the evening at 8" the hour may be said of both
    day = days[0] if any(days) and not any(days[1:]) else days[-1] if any(days) and not any(days[:-1]) else []
    if not (all_timed and (all_days or day or not any(days))) and not (all_days and not any(timed[:-1])):
        return []
    part = for_all[0] if not any(parts[1:]) else for_all[-1] if not any(parts[:-1]) else []
    return [
        [*(on or day), *(half or (part if all_timed else parts[-1])), *(at or ([] if all_timed else times[-1]))]
        for on, half, at in zip(days, parts, times, strict=True)
    ]


def _says_day(part: SaidItem, days: Iterable[SaidItem]) -> bool:
    return any(part.start == day.start and part.end == day.end for day in days)


def _stands_before(part: SaidItem, times: Iterable[SaidItem]) -> bool:
    return any(part.end <= time.start for time in times)


def _with_shared(words: list[list[str]]) -> list[list[str]]:
    """Return the words of each day with the week, or the month, that is said of one of them for all."""
    for pattern in _SHARED:
        found = [pattern.fullmatch(each[0]) for each in words]
        matched = [each for each in found if each is not None]
        if len(matched) < len(words):
            continue
        before = matched[0]["before"] if not any(each["before"] for each in matched[1:]) else None
        after = matched[-1]["after"] if not any(each["after"] for each in matched[:-1]) else None
        days = []
        for number, each in enumerate(matched):
            own = each["own"].removeprefix("on ") if before and number else each["own"]
            days.append(f"{each['before'] or before or ''}{own}{each['after'] or after or ''}")
        return [[day, *each[1:]] for day, each in zip(days, words, strict=True)]
    return words


def clusters_in(text: str, today: date) -> tuple[Cluster, ...]:
    """Return the groups of pieces of a text that is folded."""
    groups: list[list[SaidItem]] = []
    for item in _pieces(text, today):
        end = groups[-1][-1].end if groups else 0
        if groups and (item.start < end or _BETWEEN.fullmatch(text, end, item.start)):
            groups[-1].append(item)
        else:
            groups.append([item])
    found = (_without_weak(group) for group in groups)
    return tuple(Cluster(tuple(group)) for group in found if group)


def _pieces(text: str, today: date) -> list[SaidItem]:
    """Return the pieces of a text; a day with its part, as "tonight", is two that stand at the same place."""
    pieces: list[SaidItem] = []
    taken: list[tuple[int, int]] = []
    for (pattern, make), word in _NEAR_PARTS:
        for found in pattern.finditer(text):
            part = part_of(word or found["part"])
            pieces += [SaidItem(make(found, today), *found.span()), SaidItem(part, *found.span())]
            taken.append(found.span())
    for found in _EVERY_PARTS.finditer(text):
        daily, part = (
            RhythmSaid(("FREQ=DAILY",)),
            part_of("night" if found["nightly"] else found["part"] or found["zh"]),
        )
        pieces += [SaidItem(daily, *found.span()), SaidItem(part, *found.span())]
        taken.append(found.span())
    for item in counted(items_in(text, today, _FORMS), text):
        if all(item.end <= start or end <= item.start for start, end in taken):
            pieces.append(item)
    return sorted(pieces, key=lambda item: (item.start, item.end))


def _without_weak(group: list[SaidItem]) -> list[SaidItem]:
    """Return the pieces without those that are one only beside others: "at 3" of "look at 3 servers"."""
    has_day = any(isinstance(item.what, DaySaid | RhythmSaid) and not _is_weak(item) for item in group)
    has_time = any(isinstance(item.what, TimeSaid | PartSaid) for item in group)
    kept: list[SaidItem] = []
    for item in group:
        listed = isinstance(item.what, TimeSaid) and item.what.listed
        if listed and not (kept and isinstance(kept[-1].what, TimeSaid)):
            continue
        if not _is_weak(item) or (has_day if isinstance(item.what, TimeSaid) else has_time):
            kept.append(item)
    return kept


def _is_weak(item: SaidItem) -> bool:
    return isinstance(item.what, TimeSaid | DaySaid) and item.what.weak


def is_at_cue(cluster: Cluster, text: str) -> bool:
    """Return whether a group stands at "remind me" or 提醒我."""
    start, end = cluster.span
    return _CUE_BEFORE.search(text, max(0, start - 80), start) is not None or _CUE_AFTER.match(text, end) is not None


def chosen(clusters: Iterable[Cluster], text: str) -> tuple[Cluster, ...]:
    """Return the group that is meant; several where each may be."""
    known = tuple(clusters)
    at_cues = [each for each in known if each.rank and is_at_cue(each, text)]
    timed = [each for each in at_cues if each.times]
    if len(timed) > 1 and (len(_CUES.findall(text)) > 1 or _OWN_CUE.match(text, timed[0].span[1])):
        return tuple(timed) if len(_CUES.findall(text)) > 1 else _completed(timed[1], (timed[0],))
    main = at_cues[0] if at_cues else None
    if main is None:
        most = max(each.rank for each in known)
        ranked = tuple(each for each in known if each.rank == most)
        if len(ranked) > 1 and ranked[0].span[0] == 0:
            ranked = ranked[:1]
        if len(ranked) > 1:
            return ranked
        main = ranked[0]
    others = tuple(each for each in known if each is not main and not _is_of_content(each, main, text))
    if text.startswith("的", main.span[1]):  # 四点的会三点五十进会议室: the first is of the meeting, perhaps
        day = tuple(item for item in main.items if isinstance(item.what, DaySaid))
        later = tuple(each for each in others if each.times and not each.has_day)
        if later:
            return (main, *(Cluster((*day, *each.items)) for each in later))
    return _completed(main, others)


def _is_of_content(vague: Cluster, main: Cluster, text: str) -> bool:
    """Return whether a day that cannot be told is in what to be reminded of: "at 3pm to plan the Christmas party"."""
    return bool(main.times and not vague.rank and _CONTENT.search(text, main.span[1], vague.span[0]))


def _is_shortly_before(main: Cluster, other: Cluster) -> bool:
    """Return whether a time can only be of the other's day: "the call is on Friday at 3pm, ping me at 2:45pm"."""
    if len(main.times) != 1 or len(other.times) != 1:
        return False
    ahead = (other.times[0].minute - main.times[0].minute) % _HALF_DAY
    sure = main.times[0].bare or main.times[0].minute < other.times[0].minute
    return sure and 0 < ahead <= _SHORTLY


def _completed(main: Cluster, others: tuple[Cluster, ...]) -> tuple[Cluster, ...]:
    """Return a group with what it lacks and one other group alone says: "on Friday call Bob at 10"."""
    other_days = tuple(each for each in others if each.has_day)
    times = tuple(each for each in others if each.times and not each.has_day)
    if main.rank == 3:
        return (main,)
    if main.has_day and len(times) == 1 and not other_days:
        return (Cluster((*main.items, *times[0].items)),)
    if main.has_time and not main.has_day and other_days:
        # "The call is on Friday at 3pm, ping me at 2:45" may be on that day, too.
        meant = tuple(each for each in other_days if not each.has_time or each.span[0] < main.span[0])
        if len(meant) == 1 and _is_shortly_before(main, meant[0]):
            return (Cluster((*main.items, *meant[0].days_alone)),)
        return (main, *(Cluster((*main.items, *each.days_alone)) for each in meant))
    return (main,)
