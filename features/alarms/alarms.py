"""What counts as an alarm: the list that is shipped, and what a company changes in it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from features.anatomy.texts import read_yaml
from language.synonyms.short_forms import written_out
from language.words import normalise
from storage.files.reading import validated
from storage.files.text import FileInvalid, read_text

#: What a company writes is called this, in the desk's home.
FILE = "alarms.yaml"
_SHIPPED = Path(__file__).with_name(FILE)
#: Before what it sounds like, in the same clause: it has not happened, or somebody asks what holds in such a case.
_NOT_NOW = re.compile(
    r"\b(?:if|in case|whenever|what happens when|what to do (?:when|with|after|about|in)|"
    r"how (?:do|can|should|to|would|much|many|long)|what (?:does|do|will|would) .{1,30} (?:cost|charge)|"
    r"(?:price|cost|fee|charge)s? (?:of|for)|(?:meeting|assembly|muster|gathering) (?:points?|place|area)|"
    r"polic(?:y|ies)|procedure|"
    r"^(?:what|which)(?:'s| is| are| does| counts)|difference between|"
    r"drill|exercise|insur\w+|simulat\w+|where(?:'s| is| are)|when(?:'s| is) the|"
    r"who (?:is|do|handles|pays)|when (?:an?|some(?:one|body))|pretend\w* (?:that|there))\b[^.!?;:,]*+$|"
    r"(?<!oh )\b(?:no|not|never|without|isn't|wasn't) (?:\w{1,12} )?$|"
    r"(?:如果|万一|假如|要是|没有|没|不是|演习|演练|怎样|如何|怎么)[^。!?;,，]*+$|(?:多少|几)[次处起场例]$"
)
#: Within it: the same.
_NO = re.compile(r"\b(?:no|not|never) (?!breathing|real|respon|react|answer|getting up|mov|wak|conscious)")
#: After it: the same, or it was long ago.
_NOT_MEANT = re.compile(
    r"^[^.!?;]{0,30}\b(?:drill|exercise|training|insurance|policy|last (?:year|month)|"
    r"(?:19|20)\d\d)\b|"
    r"^ ?(?:detection|prevention|detector battery|training|course|plan|awareness|certificate|update|system|insurance|"
    r"department|bill|extinguishers?|doors?|exits?|drills?|blankets?|safety)\b|"
    r"^[^.!?;]{0,40}\b(?:how much (?:is|are|does|do|will|would|to)|what (?:does|do|will|would) .{1,20} cost|"
    r"(?:what|where)(?:'s| is| are)? (?:the |our )?(?:price|fee|cost|charge|meeting|assembly|muster|gathering))\b|"
    r"^[^。!?;]{0,16}(?:多少钱|什么价|要花多少|费用|收费|集合点|集合地点)|"
    r"^[^.!?;]{0,40}\b(?:only a scratch|company car|(?:care|sick) leave|days? off|time off)\b|"
    r"^(?!了|过|着|我|他|她)[^。!?;,，]{0,8}(?:应急预案|预案|在哪|怎么申报|课|演习|演练|培训|保险|政策|制度|流程|时(?:应该|怎么|如何|"
    r"要)|的(?:话|时候)|怎么(?:预防|避免|举报|投诉|认定|报告|申报))"
)


#: A message that asks something, and one that asks what to do now.
_ASKS = re.compile(
    r"^(?:how|what|when|where|who|which|why|is|are|do|does|did|can|could|may|should|will|would|has|have)\b|\?\s*$|"
    r"[,.!;:] ?(?:how|what|when|where|who|which|can|do|does|is|are|should|may) |"
    r"^(?:and|or) (?:for |with |about )?(?:the|our|your) (?:(?!is\b|are\b|was\b|has\b)\w{1,16} ){0,2}(?!\w{0,12}ing\b)"
    r"\w{1,16}\W*$|"
    r"怎么(?!办)|如何|怎样|什么(?!办)|哪|吗\W*$|多少|(?<!好)几[点天个]|是否|能不能|可以"
)
_ASKS_FOR_HELP = re.compile(
    r"\b(?:what (?:do|should|must|can|shall) (?:i|we) do|what now|now what|is that (?:bad|serious|dangerous)|help|"
    r"(?:who|whom) (?:do|should|can|must) (?:i|we) (?:call|tell)|"
    r"can (?:someone|somebody|you|anyone|anybody) (?:\w{1,10} )?(?:come|help|call|send))\b|怎么办|救命|快来|帮忙"
)


#: A message that only asks whether something may be done, and what tells that something has happened.
_ASKS_LEAVE = re.compile(
    r"(?:(?:and|so|but) )?(?:(?:can|may|could|should) (?:i|we|one|they|staff)|(?:am i|are we|is it|are staff) "
    r"(?:\w+ )?(?:allowed|ok|okay|permitted|fine|alright))\b[^.,;!]*+$"
    r"|(?=[^，,。;!]*+$)[^，,。;!]*?(?:能|可以|允许|准(?!备))"
)
_BEFELL = re.compile(
    r"\b(?:stolen|lost|clicked|was|were|has|have|had|got|gave|sent|back|undo|recall|block|lock|stop)\b|[了过被丢]|怎么"
)


#: Of a longer message its beginning and its end are looked at: reading takes up to 40 microseconds a character.
LONGEST, _HEAD, _TAIL = 2_000, 1_500, 500


#: Parts of one concept stand within so many letters; a Chinese character says as much as three.
NEAR, CHINESE = 110, 3


class AlarmsMisspelt(ValueError):
    """A company's list says something that cannot be followed; told when the desk starts."""


@dataclass(frozen=True)
class AlarmKind:
    """One kind of alarm: how it sounds, and what is looked up and offered then."""

    name: str
    patterns: tuple[tuple[re.Pattern[str], ...], ...]  # one of these, with all of its parts
    signs: tuple[tuple[re.Pattern[str], ...], ...]  # looser ones: they count where nothing else is asked
    headings: re.Pattern[str]  # of the page that tells what to do
    query: Mapping[str, str]  # by language, what that page is looked for with
    topics: tuple[re.Pattern[str], ...] = ()  # things that a message and a section may both speak of
    ticket: bool = False  # a ticket is offered
    private: bool = False  # where others read along, only the person sees the answer
    certain: bool = False  # whatever stands around it: better once too often
    general: bool = False  # a group: the page about emergencies as such tells what to do
    quiet: bool = False  # a hard moment and no siren: said softly, with nothing to hurry about
    unless: re.Pattern[str] | None = None  # what makes it something else: a phone that was found
    calls: str = "desk"  # who is called where the company named no number: a text `alarm.<calls>`
    phone: str = ""
    say: Mapping[str, str] = field(default_factory=dict)  # by language, the company's own words in place of ours

    def sounds(self, plain: str) -> bool:
        """Return whether the message speaks of it as of something that has happened or goes on now."""
        if self.calls == "desk" and _ASKS_LEAVE.match(plain) and not _BEFELL.search(plain):
            return False  # whether pictures of patients may be shown is a question, and nothing has leaked
        return any(self._meant(plain, parts) for parts in self.patterns)

    def may_be(self, plain: str) -> bool:
        """Return whether a message that asks for nothing else has a sign of it."""
        return any(self._meant(plain, parts) for parts in self.signs)

    def _meant(self, plain: str, parts: tuple[re.Pattern[str], ...]) -> bool:
        if self.unless is not None and self.unless.search(plain):
            return False
        found = _together(plain, parts)
        if found is None or self.certain:
            return found is not None
        first, last = found
        negated = len(parts) == 1 and _NO.search(plain[first:last])  # of several parts one may be what is not so
        return not (negated or _NOT_NOW.search(plain[:first]) or _NOT_MEANT.search(plain[last:]))


def _together(plain: str, parts: tuple[re.Pattern[str], ...]) -> tuple[int, int] | None:
    """Return the first of the parts where all stand near one another, in any order; None where they do not."""
    found = [[each.span() for each in part.finditer(plain)] for part in parts]
    if not all(found):
        return None
    for span in sorted(each for spans in found for each in spans):
        near = sorted(_nearest(span, spans) for spans in found)
        between = plain[near[0][0] : max(end for _, end in near)]
        if len(parts) == 1 or sum(1 if letter.isascii() else CHINESE for letter in between) <= NEAR:
            return near[0]
    return None


def _nearest(one: tuple[int, int], spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(spans, key=lambda each: max(each[0] - one[1], one[0] - each[1]))


class _Changes(BaseModel):
    """What a company says of one alarm."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    phone: str = Field("", max_length=60)
    say: dict[str, str] = Field(default_factory=dict)
    words: list[str] = Field(default_factory=list)
    query: dict[str, str] = Field(default_factory=dict)
    ticket: bool | None = None
    enabled: bool = True


class _Changed(RootModel[dict[str, _Changes]]):
    """What its whole file says, by alarm."""


class Alarms:
    """The alarms of one company, and the groups of those that are told where nothing is certain."""

    def __init__(self, alarms: Mapping[str, AlarmKind]) -> None:
        self._alarms = alarms
        self.names = tuple(alarms)
        self.groups = {name: group for name, each in shipped_groups().items() if (group := self._group(each))}

    def of(self, text: str) -> str:
        """Return the name of the alarm that a message raises; "" for none."""
        plain = _plain(text)
        found = next((name for name, alarm in self._alarms.items() if alarm.sounds(plain)), "")
        if found or _asks_only(plain):
            return found
        return next((name for name, alarm in self._alarms.items() if alarm.may_be(plain)), "")

    def called(self, name: str) -> AlarmKind:
        """Return an alarm, or a group of alarms, by its name."""
        return self._alarms[name] if name in self._alarms else self.groups[name]

    def sure_of(self, group: str) -> str:
        """Return what is raised for a message that belongs to a group: its only alarm, or the group itself."""
        kinds = shipped_groups()[group].kinds
        return kinds[0] if len(kinds) == 1 else group

    def may_belong(self, text: str, group: str) -> bool:
        """Return whether a message may belong to a group: it is watched for, and nothing makes the words harmless."""
        told = self.groups.get(group)
        return told is not None and not (told.unless and told.unless.search(_plain(text)))

    def _group(self, group: "AlarmGroup") -> AlarmKind | None:
        """Return what is looked up and told of a group, with the first number that the company named for one of it."""
        kept = [self._alarms[name] for name in group.kinds if name in self._alarms]
        phone = next((each.phone for each in kept if each.phone), "")
        return replace(group.told, phone=phone) if kept else None


@dataclass(frozen=True)
class AlarmGroup:
    """Alarms that one line is enough for, where nothing is certain."""

    kinds: tuple[str, ...]
    told: AlarmKind  # without patterns


def asks_only(text: str) -> bool:
    """Tell whether a message asks something, and not what to do now."""
    return _asks_only(_plain(text))


def _plain(text: str) -> str:
    return written_out(normalise(text if len(text) <= LONGEST else f"{text[:_HEAD]}\n{text[-_TAIL:]}")).lower()


def _asks_only(plain: str) -> bool:
    return _ASKS.search(plain) is not None and _ASKS_FOR_HELP.search(plain) is None


@cache
def shipped() -> Mapping[str, AlarmKind]:
    """Return the list as it is shipped."""
    said: dict[str, Any] = dict(_read())
    words: Mapping[str, str] = said.pop("words")
    said.pop("maybe")
    topics = tuple(map(re.compile, said.pop("topics")))
    alarms = {name: _alarm(name, one, words) for name, one in said.items()}
    return {
        name: replace(each, topics=topics if said[name].get("topical", True) else ()) for name, each in alarms.items()
    }


@cache
def shipped_groups() -> Mapping[str, AlarmGroup]:
    """Return the groups as they are shipped."""
    said, kinds = _read(), shipped()
    made: dict[str, AlarmGroup] = {}
    for name, each in said["maybe"].items():
        alarm = _alarm(name, each, said["words"])
        headings = "|".join((alarm.headings.pattern, *(kinds[kind].headings.pattern for kind in each["kinds"])))
        topics = tuple(map(re.compile, said["topics"]))
        made[name] = AlarmGroup(
            tuple(each["kinds"]), replace(alarm, general=True, topics=topics, headings=re.compile(headings))
        )
    return made


@cache
def _read() -> Mapping[str, Any]:
    said: Mapping[str, Any] = read_yaml(_SHIPPED)
    return said


def alarms_of(home: Path) -> Alarms:
    """Return the alarms of the company whose home this is; raise `AlarmsMisspelt` for what is wrong in its file."""
    file = home / FILE
    if not file.exists():
        return Alarms(shipped())
    try:
        changes = validated(_Changed, read_text(file)).root
    except FileInvalid as error:
        raise AlarmsMisspelt(str(error)) from error
    if unknown := sorted(changes.keys() - shipped().keys()):
        raise AlarmsMisspelt(f"{file}: no alarm is called {', '.join(unknown)}; there are {', '.join(shipped())}")
    kept = {name: alarm for name, alarm in shipped().items() if name not in changes or changes[name].enabled}
    return Alarms({name: _changed(alarm, changes.get(name)) for name, alarm in kept.items()})


def _changed(alarm: AlarmKind, changes: _Changes | None) -> AlarmKind:
    if changes is None:
        return alarm
    own = tuple((re.compile(rf"(?<!\w){re.escape(normalise(words))}(?!\w)"),) for words in changes.words)
    return replace(
        alarm,
        patterns=(*alarm.patterns, *own),
        phone=changes.phone,
        say=changes.say,
        query={**alarm.query, **changes.query},
        ticket=alarm.ticket if changes.ticket is None else changes.ticket,
    )


def _alarm(name: str, said: Mapping[str, Any], words: Mapping[str, str]) -> AlarmKind:
    def pattern(written: str) -> re.Pattern[str]:
        for word, meant in reversed(tuple(words.items())):  # a word may name those above it
            written = written.replace(f"<{word}>", meant)
        return re.compile(written)

    def together(key: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
        written = ([each] if isinstance(each, str) else each for each in said.get(key, ()))
        return tuple(tuple(pattern(part) for part in parts) for parts in written)

    return AlarmKind(
        name=name,
        patterns=together("patterns"),
        signs=together("signs"),
        headings=pattern(said["headings"]),
        query=said["query"],
        ticket=bool(said.get("ticket")),
        private=bool(said.get("private")),
        certain=bool(said.get("certain")),
        quiet=bool(said.get("quiet")),
        unless=pattern(said["unless"]) if "unless" in said else None,
        calls=said.get("calls", "desk"),
    )
