"""A tool's arguments out of somebody's words, as a feature declares them: kinds of values, and places in examples.

"Put {colleague} on call for {team}" tells where a name stands; "tomorrow", 下周五 or one of a team's names are found
wherever they stand. The newest words of the thread go before the earlier ones, which fill what is left unsaid.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from agent.brains.rules.understanding.phrases import SALUTATION
from language.moments import Spotted, days_in, durations_in, folded, numbers_in, times_in
from language.words import chinese_runs, content_words, normalise
from storage.ids import JsonValue

#: Stands for a character that belongs to another argument.
_TAKEN = "\x00"
#: Where an argument stands in an example.
PLACE = re.compile(r"\{(\w+)\}")
_NAME = (
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|@[\w.-]+|(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]+)?|\b(?:me|myself)\b|我自己|自己|我"
)
_NAMED = re.compile(rf"(?<=\s)(?:{_NAME})|@[\w.-]+")
_CHINESE_NAME = r"[\u4e00-\u9fff]{2,4}?"
_TEXT = rf"[^{_TAKEN},;!?，。；！？\n]+?"
_ENDS = r"(?=\s*(?:$|[,.;:!?，。；：！？\x00\n]))"
#: Small words that belong to what stands next to a value and not to the value.
_EDGES = re.compile(
    r"^(?:\s|[,，:：\"“”])+"
    r"|(?:\s|[,，:：。.!！?？\"“”]|\b(?:at|on|in|by|for|from|to|the|of|and|please|around)\b|[在于到从请吧的]){1,100}$",
    re.IGNORECASE,
)
#: A whole answer to "who?" or "what?": what stands around it in a sentence of its own.
_ANSWERING = re.compile(
    r"^(?:(?:it'?s|it is|that'?s|for|to|with|about|let'?s (?:say|take)|make it|put|take|use|call it|"
    r"就|是|给|让|和|跟|叫|关于|用|选)\s*)+",
    re.IGNORECASE,
)


class SlotKind(StrEnum):
    """How a value is recognised."""

    CHOICE = "choice"  # one of a list, each with the words for it
    PERSON = "person"  # a name, an e-mail, @somebody, "me"
    DATE = "date"  # → 2026-11-24
    TIME = "time"  # → 15:30
    DURATION = "duration"  # → minutes
    NUMBER = "number"
    TEXT = "text"  # where the examples have its place


#: Kinds that the examples have a place for.
_PLACED = (SlotKind.PERSON, SlotKind.TEXT)


@dataclass(frozen=True)
class ArgumentSlot:
    """One argument of a tool."""

    name: str
    kind: SlotKind = SlotKind.TEXT
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of a choice: value → what people call it
    ask: str = ""  # the code of the question for it (`asked_back.<code>`); "": it may be left out


@dataclass(frozen=True)
class Utterance:
    """What somebody said, newest first, and when."""

    texts: tuple[str, ...]
    now: datetime

    @property
    def text(self) -> str:
        """Return all of it in the order in which it was said."""
        return " ".join(reversed(self.texts))

    @property
    def earlier(self) -> "Utterance":
        """Return what was said before the newest words."""
        return Utterance(self.texts[1:], self.now)


@dataclass(frozen=True)
class Lacks:
    """What a tool cannot be called without: the code of the question (`asked_back.<code>`) that asks for it."""

    code: str


@dataclass(frozen=True)
class SlotReader:
    """Reads the declared arguments of one tool; the examples hold the places of names and free text."""

    slots: tuple[ArgumentSlot, ...]
    examples: tuple[str, ...] = ()

    def __call__(self, said: Utterance) -> Mapping[str, JsonValue] | Lacks:
        """Return the arguments, or the first that is missing; each message may answer what the ones before lack."""
        values: dict[str, JsonValue] = {}
        for number, text in enumerate(reversed(said.texts)):
            found = self.found_in(text, said.now.date())
            lacked = self._missing(values) if number else None
            if lacked is not None and lacked.name not in found and (answer := _whole_answer(lacked, text)):
                found[lacked.name] = answer
            values |= found
        missing = self._missing(values)
        return values if missing is None else Lacks(missing.ask)

    def _missing(self, values: Mapping[str, JsonValue]) -> ArgumentSlot | None:
        return next((slot for slot in self.slots if slot.ask and slot.name not in values), None)

    def found_in(self, text: str, today: date) -> dict[str, JsonValue]:
        """Return the values that one message states by itself."""
        return {name: found.value for name, found in self._found(text, today).items()}

    def without_values(self, text: str, today: date) -> tuple[str, str]:
        """Return a message without the values that are recognised wherever they stand, and without all values."""
        kinds = {slot.name: slot.kind for slot in self.slots}
        found = self._found(text, today).items()
        known = _cut(text, [each for name, each in found if kinds[name] not in _PLACED])
        return known, _cut(known, [each for _, each in found])

    def is_only_values(self, text: str, today: date) -> bool:
        """Tell whether a message says nothing but values: "after 6 pm?", 明天下午呢."""
        left = normalise(self.without_values(text, today)[0])
        return not content_words(left) and not chinese_runs(left) and left != normalise(text)

    def _found(self, text: str, today: date) -> dict[str, Spotted[JsonValue]]:
        found: dict[str, Spotted[JsonValue]] = {}
        left = text
        for kind in (SlotKind.CHOICE, SlotKind.DATE, SlotKind.TIME, SlotKind.DURATION, SlotKind.NUMBER):
            slots = [slot for slot in self.slots if slot.kind is kind]
            places = list(self._values(kind, slots, left, today)) if slots else []
            for slot, place in places:
                found[slot.name] = place
                left = left[: place.start] + _TAKEN * (place.end - place.start) + left[place.end :]
        for slot in self.slots:
            named = self._placed(slot, left) if slot.kind in _PLACED else None
            if named is not None:
                found[slot.name] = named
                left = left[: named.start] + _TAKEN * (named.end - named.start) + left[named.end :]
        return found

    def _values(
        self, kind: SlotKind, slots: Sequence[ArgumentSlot], text: str, today: date
    ) -> Iterator[tuple[ArgumentSlot, Spotted[JsonValue]]]:
        """Yield the values of a kind for the slots of that kind, in the order in which both stand."""
        if kind is SlotKind.CHOICE:
            for slot in slots:
                if (chosen := _chosen(slot, text)) is not None:
                    yield slot, chosen
            return
        places = _of_kind(kind, text, today)
        if kind is SlotKind.NUMBER and len(slots) > 1:
            places = sorted(places, key=lambda each: each.start)
        yield from zip(slots, places, strict=False)

    def _placed(self, slot: ArgumentSlot, text: str) -> Spotted[JsonValue] | None:
        """Return what stands where an example has the slot; of several, what the most words lead to."""
        best: tuple[int, Spotted[JsonValue]] | None = None
        for example in self.examples:
            for pattern, strength in _places(example, slot):
                found = pattern.search(text)
                value = _trimmed(found, slot.kind) if found else None
                if value is not None and (best is None or strength > best[0]):
                    best = (strength, value)
        if best is not None:
            return best[1]
        named = _NAMED.search(text) if slot.kind is SlotKind.PERSON and slot.ask else None
        return Spotted(_person(named.group()), *named.span()) if named else None


def _cut(text: str, places: Iterable[Spotted[JsonValue]]) -> str:
    for place in places:
        text = text[: place.start] + " " * (place.end - place.start) + text[place.end :]
    return text


def _of_kind(kind: SlotKind, text: str, today: date) -> Iterable[Spotted[JsonValue]]:
    match kind:
        case SlotKind.DATE:
            return [Spotted(found.value.isoformat(), found.start, found.end) for found in days_in(text, today)]
        case SlotKind.TIME:
            return [Spotted(f"{found.value:%H:%M}", found.start, found.end) for found in times_in(text)]
        case SlotKind.DURATION:
            minutes = [(int(found.value.total_seconds() // 60), found) for found in durations_in(text)]
            return [Spotted(value, found.start, found.end) for value, found in minutes]
        case _:
            return [Spotted(found.value, found.start, found.end) for found in numbers_in(text)]


def _chosen(slot: ArgumentSlot, text: str) -> Spotted[JsonValue] | None:
    """Return the choice whose longest name stands in the text."""
    plain = folded(text)
    named = sorted(
        ((word, value) for value, words in slot.words.items() for word in (*words, value)),
        key=lambda pair: -len(pair[0]),
    )
    for word, value in named:
        name = re.escape(folded(word)).replace(r"\ ", r"\s+")
        found = re.search(rf"(?<![a-z0-9]){name}(?:s|es)?(?![a-z0-9])" if word.isascii() else name, plain)
        if found:
            return Spotted(value, *found.span())
    return None


def _places(example: str, slot: ArgumentSlot) -> Iterator[tuple[re.Pattern[str], int]]:
    """Yield patterns for a slot's value in an example, by the words before and after it."""
    is_person = slot.kind is SlotKind.PERSON
    value = f"(?:{_NAME}|{_CHINESE_NAME})" if is_person else _TEXT
    ends = rf"(?:{_ENDS}|(?<=[A-Za-z])(?![\w'-]))" if is_person else _ENDS
    for place in PLACE.finditer(example):
        if place[1] != slot.name:
            continue
        before = PLACE.split(example[: place.start()])[-1].strip(" ,，")
        after = PLACE.split(example[place.end() :])[0].strip(" ,，.?!。？！")
        opening = r"^\s*" if place.start() == 0 else rf"{_TAKEN}\s*"
        for lead, trail in _contexts(before, after):
            start = rf"{lead}\s*" if lead else opening
            end = rf"(?=\s*{trail})" if trail else ends
            yield re.compile(rf"{start}(?P<value>{value}){end}", re.IGNORECASE), len(lead) + len(trail)


def _contexts(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield how much of the words around a place is looked for: two on both sides, down to one on one side."""
    for near in (2, 1):
        lead, trail = _edge(before, near, last=True), _edge(after, near, last=False)
        yield from ((one, other) for one, other in ((lead, trail), (lead, ""), ("", trail)) if one or other)


def _edge(words: str, near: int, *, last: bool) -> str:
    """Return a pattern of the words (or Chinese characters) that stand next to a place; "" when none does."""
    if not words:
        return ""
    if words[-1 if last else 0].isascii():
        chosen = words.split()[-near:] if last else words.split()[:near]
        return r"\b" + r"\s+".join(map(re.escape, chosen)) + r"\b"
    return re.escape(words[-near:] if last else words[:near])


def _trimmed(found: re.Match[str], kind: SlotKind) -> Spotted[JsonValue] | None:
    """Return a value without the small words at its edges; None when nothing is left."""
    value = _EDGES.sub("", found["value"])
    while (shorter := _EDGES.sub("", value)) != value:
        value = shorter
    start = found.start("value") + found["value"].index(value)
    if not re.search(r"\w", value):
        return None
    return Spotted(_person(value) if kind is SlotKind.PERSON else value, start, start + len(value))


def _person(named: str) -> str:
    return "me" if named.casefold() in {"me", "myself", "我", "我自己", "自己"} else named


def _whole_answer(slot: ArgumentSlot, text: str) -> JsonValue:
    """Return a message as the answer to the question for a name or for free text; None for other kinds."""
    if slot.kind not in _PLACED:
        return None
    core = _ANSWERING.sub("", SALUTATION.sub("", text.strip(), count=1)).strip(' .!?。！？"“”')
    return (_person(core) if slot.kind is SlotKind.PERSON else core[:1_000]) or None
