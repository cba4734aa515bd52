"""Which words of a message say when: pieces that stand together, and the group of them that is meant.

"Remind me tomorrow at 9 to prepare the Friday meeting" names two days; what stands at "remind me" is meant.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from language.planning.days import DAYS
from language.planning.items import (
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
    return [item for item in group if not _is_weak(item) or (has_day if isinstance(item.what, TimeSaid) else has_time)]


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
