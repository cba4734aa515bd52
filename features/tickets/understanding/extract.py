"""Ticket fields out of what somebody wrote: only what literally stands there, never a guess (C1)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from agent.brains.rules.understanding.message import beginning, strip_politeness
from agent.brains.rules.understanding.venting import without_venting
from features.tickets.understanding.drafts import tells_since, without_lead
from features.tickets.understanding.faults import COMPLAINT
from features.tickets.understanding.field_patterns import (
    CHINESE_MACHINE,
    DEADLINE,
    HIGH,
    IMPACT,
    INSTALL,
    LOW,
    NOT_A_SYSTEM,
    OF_THE_THING,
    PRIORITY_NAMES,
    PRODUCT,
    SHUTS_OUT,
    SUBJECT,
    URGENT,
    extractors,
)
from features.tickets.understanding.reporting import without_command
from features.tickets.understanding.statements import is_verb_form, states_of_thing
from language.stemming import stem
from language.word_tables import STOP_ENGLISH
from language.words import chinese_characters, normalise
from storage.ids import JsonObject
from tickets.config import FieldConfig, FieldKind, TicketsConfig

#: Longest title that is made; the description keeps everything.
TITLE_CHARS = 100


@dataclass(frozen=True)
class Fields:
    """What a text says about a ticket. Absent things are empty."""

    title: str
    description: str
    category: str
    priority: str
    fields: Mapping[str, str]

    def as_arguments(self) -> JsonObject:
        """Return them as a draft is called with."""
        return {
            "category": self.category,
            "title": self.title,
            "description": self.description,
            "priority": self.priority,
            "fields": dict(self.fields),
        }


class Extractor:
    """Reads ticket fields with the words of the configured categories and fields."""

    def __init__(self, config: TicketsConfig) -> None:
        self._config = config
        self._keywords = {name: tuple(_category_words(name, config)) for name in config.categories}

    def draft(self, text: str) -> Fields:
        """Return everything that a new draft can be told from the beginning of `text`, and all of it as description."""
        told = beginning(text)
        category = self.category(told) or self._fallback(told)
        fields = self._needed(told, category)
        asked = self._config.required_fields(category)
        if "system" in asked and "system" not in fields and (system := self._subject(told)):
            fields["system"] = system
        return Fields(
            title=title_of(told),
            description=text.strip(),
            category=category,
            priority=priority_of(told) or "normal",
            fields=fields,
        )

    def _subject(self, text: str) -> str:
        """Return the program that a report begins with: "casetrail keeps freezing", "CaseTrail 打不开"; "" for none."""
        found = SUBJECT.match(text.strip())
        said = found["it"] if found else ""
        return "" if said.lower() in STOP_ENGLISH | NOT_A_SYSTEM or self.category(said) else said

    def _needed(self, text: str, category: str, *, asked: tuple[str, ...] = ()) -> dict[str, str]:
        """Return the fields that a text gives; a date where it says when something shall be, not when it broke."""
        found = self.fields(text)
        asked = asked or self._config.required_fields(category)
        return {
            name: value
            for name, value in found.items()
            if name not in ("dates", "date") or name in asked or _is_planned(text, value)
        }

    def category(self, text: str) -> str:
        """Return the category whose words stand in the text most and earliest; "" for none, and for complaints."""
        plain = normalise(beginning(text))
        if COMPLAINT.search(strip_politeness(plain)):
            return ""
        best, best_score = "", 0.0
        forms = _forms(plain)
        for name, words in self._keywords.items():
            places = ((_found_at(plain, word, forms), word) for word in words)
            found = [(at, word) for at, word in places if at >= 0]
            if not found:
                continue
            first = min(at for at, _ in found)
            score = len(found) + max(len(word) for _, word in found) / 50 - first / 2_000
            if score > best_score:
                best, best_score = name, score
        return best

    def _fallback(self, text: str) -> str:
        """Return the category of a system, of something to install, or of a machine by its name's end; else "other"."""
        known = self._config.categories
        plain = normalise(text)
        shuts_out = SHUTS_OUT.search(plain) or INSTALL.search(plain)
        if "software" in known and (shuts_out or self.fields(text).get("system")):
            return "software"
        if "equipment" in known and CHINESE_MACHINE.search(plain):
            return "equipment"
        return "other" if "other" in known else ""

    def fields(self, text: str) -> dict[str, str]:
        """Return the configured fields that the text states, in its own words."""
        found: dict[str, str] = {}
        for name, field in self._config.fields.items():
            value = _labelled(text, name, field) or _by_kind(text, name, field)
            if value:
                found[name] = value[: field.max_length]
        return found

    def changes(self, text: str, *, missing: tuple[str, ...] = (), told: tuple[str, ...] = ()) -> dict[str, str]:
        """Return what a message changes in a draft.

        A bare value goes to the one thing that is missing; "no, 214" corrects the place, where one was `told`.
        """
        title = _TITLE.search(text)
        if title:
            return {"title": title["it"].strip(" \"'“”。.:：")}
        corrects = _CORRECTS.match(text) is not None
        kept = told if _ADDS.match(text.strip()) else ()
        text = _corrected(text)
        found = self._needed(text, "", asked=missing)
        changes = {name: value for name, value in found.items() if name not in kept}
        priority = _named_priority(text) or priority_of(text)
        if priority:
            changes["priority"] = priority
        category = self._named_category(text)
        if category:
            changes["category"] = category
        left = [name for name in missing if name not in changes]
        bare = _bare_value(text, changes) if len(left) == 1 else ""
        if bare and (left[0] in PLACES or set(PLACES).isdisjoint(self.fields(bare))):  # a place is no system
            changes[left[0]] = bare
        place = next((name for name in told if name in PLACES), "")
        if not missing and not changes and place and corrects:
            value = _bare_value(text, {})
            changes |= {place: value} if re.fullmatch(r"[A-Za-z]?-?\d[\w.-]{0,9}", value) else {}
        return changes

    def is_value(self, text: str, *, missing: tuple[str, ...]) -> bool:
        """Tell whether a message is nothing but a value that a draft still lacks: "floor 4"."""
        found = self.fields(text)
        return len(text) <= _LONGEST_VALUE and any(
            name in found and not _beside(text, {name: found[name]}) for name in missing
        )

    def _named_category(self, text: str) -> str:
        plain = normalise(text)
        if not re.search(r"category|类别|分类", plain):
            return ""
        for name, category in self._config.categories.items():
            labels = (name, category.labels.en, category.labels.zh)
            if any(label and normalise(label) in plain for label in labels):
                return name
        return ""


def title_of(text: str) -> str:
    """Return a short title in the person's own words: the first statement without politeness."""
    body = without_command(text) or text
    line = next((line.strip() for line in body.strip().splitlines() if line.strip()), "")
    first = _first_statement(_URGENCY_FIRST.sub("", without_venting(line)))
    core = without_lead(strip_politeness(normalise(first)))
    start = normalise(first).find(core)
    kept = first[start : start + len(core)] if start >= 0 and len(normalise(first)) == len(first) else first
    kept = _MANNERS_LAST.split(kept, maxsplit=1)[0]
    kept = kept.strip(" ,，.。:：!！;；-–—") or line or text.strip()
    if len(kept) > TITLE_CHARS:
        cut = kept[:TITLE_CHARS]
        kept = (cut.rsplit(" ", 1)[0] if " " in cut[20:] else cut).rstrip(" ,，") + "…"
    return kept[:1].upper() + kept[1:]


#: How soon, said before what it is about.
_URGENCY_FIRST = re.compile(
    r"^(?:urgent(?:ly)?|asap|important|whenever you (?:have|get) (?:time|a chance|a moment)|no rush|not urgent|"
    r"紧急|加急|特急|急|不着急|不急|有空的?时候?)[\s:：!！,，;；\-–]+",
    re.IGNORECASE,
)
#: Manners, and how soon, at the end.
_MANNERS_LAST = re.compile(
    r"[,，]\s*(?:not urgent|no rush|no hurry|whenever you|不急|不着急|快来人|"
    r"please|pls|can you|could you|(?:very )?urgent(?:ly)?$|asap|thanks|thx|"
    r"(?:my )?(?:ext(?:ension)?\.? ?\d|phone|mobile|e-?mail)|(?:you can )?(?:call|reach|mail|ring) me|"
    r"请|麻烦|帮我|帮忙|(?:很|挺|比较)?急$|急用|在线等|分机|电话|谢谢)",
    re.IGNORECASE,
)
#: A sentence that says nothing without the next one.
_POINTS_ON = re.compile(
    r"(?:(?:hi|hello|hey|dear \w{1,20})[\s,]{1,3}){0,2}(?:this is|i am|i'm|my name is|here is) \w{1,20}(?: \w{1,20})?"
    r"(?: (?:from|of|in|at) [\w ]{1,30})?|(?:hi|hello|hey|dear)[\w ,]{0,30}|"
    r"(?:it|this|that|they)(?:'s|'re| is| are| has| was)?(?: \w+){0,3}|又(?:坏|来)了?|还是不行",
    re.IGNORECASE,
)


def _first_statement(line: str) -> str:
    """Return the first sentence of a line that says by itself what it is about."""
    said = [each.strip() for each in re.split(r"(?<=[a-z0-9)])[.!?]{1,4}\s|[。！？；]", line) if each.strip()]
    own = [each for each in said if not _POINTS_ON.fullmatch(each)]
    return next(iter(own or said), line)


def priority_of(text: str) -> str:
    """Return the priority that explicit words ask for; "" when none does."""
    plain = normalise(text)
    for priority, pattern in (("low", LOW), ("urgent", URGENT), ("high", HIGH)):
        if pattern.search(plain):
            return priority
    return "high" if deadline_in(text) else ""


def deadline_in(text: str) -> str:
    """Return the words that say that something has to be done soon: "demo at 2pm"; "" when none do."""
    found = DEADLINE.search(_SAID_AT.sub("", text))
    return found.group().strip(" ,，") if found else ""


#: When a message was said, as a draft's description has it before the message, and how it is known there.
SAID_AT = "%Y-%m-%d %H:%M"
_SAID_AT = re.compile(r"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d ")


#: A day that lies ahead, or that something is wanted for.
_PLANNED_BEFORE = re.compile(
    r"\b(?:on|by|until|till|before|for|from|starting|next)(?: the)?\s*$|(?:从|自|在|到|于|截至|截止)\s*$", re.IGNORECASE
)
_AHEAD = re.compile(r"^(?:next|tomorrow|明天|后天|大后天|下)", re.IGNORECASE)
#: What happened on a day: it began, it ended.
_HAPPENED = re.compile(
    r"\b(?:since|expired|ended|began|begun|started|stopped|happened|broke|last|yesterday|ago)\b|以来|过期|到期",
    re.IGNORECASE,
)
#: From a day on: what lies ahead, unless what follows tells what has come to pass.
_BEGINS = re.compile(r"开始|起|(?:之|以)?前")
_CAME_TO_PASS = re.compile(r"[了过被没不的]|一直|就|都")
_MONTH_AND_DAY = re.compile(r"月.{1,3}$|\A[^月]{0,200}月.+[日号]")


_ENDS = re.compile(r"[.!?。！？;；]")


def _is_planned(text: str, value: str) -> bool:
    """Tell whether a day is one that something is planned for, and not one on which it went wrong."""
    before, _, after = text.partition(value)
    clause = _ENDS.split(before)[-1]
    if _HAPPENED.search(clause[-24:]) or _HAPPENED.search(after[:6]) or _HAPPENED.search(value):
        return False
    follows = re.split(r"[,，。！？;；]", after)[0]
    if _BEGINS.match(follows):
        return _CAME_TO_PASS.search(follows) is None
    if _PLANNED_BEFORE.search(before) or _AHEAD.match(value):
        return True
    return _MONTH_AND_DAY.search(value) is not None and _CAME_TO_PASS.search(follows) is None


def _named_priority(text: str) -> str:
    plain = normalise(text)
    if not re.search(r"priority|优先级", plain):
        return ""
    for priority, names in PRIORITY_NAMES.items():
        pattern = rf"(?:priority|优先级).{{0,16}}(?:{names})|(?:{names}).{{0,4}}(?:priority|优先级)"
        if re.search(pattern, plain):
            return priority
    return ""


def _category_words(name: str, config: TicketsConfig) -> Iterator[str]:
    category = config.categories[name]
    if name == "other":
        return
    for word in (*category.keywords.en, *category.keywords.zh, name, category.labels.en, category.labels.zh):
        if word:
            yield normalise(word)


def _forms(plain: str) -> dict[str, int]:
    """Return where each inflected English word of a text stands first, by its stem: "freezing", "crashed"."""
    forms: dict[str, int] = {}
    for found in re.finditer(r"\b[a-z]{4,}(?:s|ed|ing)\b", plain):
        forms.setdefault(stem(found[0]), found.start())
    return forms


def _found_at(plain: str, word: str, forms: Mapping[str, int]) -> int:
    """Return where a word of a category stands in a text, in whatever form; -1 where it does not."""
    inflected = forms.get(stem(word), -1) if word.isascii() and word.isalpha() else -1
    return plain.find(word) if _holds(plain, word) else inflected


def _holds(plain: str, word: str) -> bool:
    if word.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?:s|es)?(?![a-z0-9]){OF_THE_THING}", plain) is not None
    return word in plain


def _labelled(text: str, name: str, field: FieldConfig) -> str:
    """Return what stands behind "location: …", "地点是…" or the field's own name."""
    labels = [label for label in (name, field.labels.en, field.labels.zh) if label]
    marks = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    found = re.search(
        (
            rf"(?:\b|(?<=[\u4e00-\u9fff]))(?:{marks})\s*(?:[:：=]|\bis\b|\bto\b|should be|是|为|改为|改成|"
            rf"在)\s*(?P<it>[^,，;；。\n]+?)(?=\s+and\b|[,，;；。\n.]|$)"
        ),
        text,
        re.IGNORECASE,
    )
    found = found or re.search(rf"(?:^|[,.;，。]\s?)(?i:{marks}) (?P<it>[A-Z0-9][^,，;；。\n]{{0,60}})", text)
    return found["it"].strip(" .") if found else ""


def _by_kind(text: str, name: str, field: FieldConfig) -> str:
    if field.kind is FieldKind.CHOICE:
        return _choice(text, name, field)
    places = [found for pattern in extractors(name) for found in pattern.finditer(text)]
    if name in ("contact", "phone"):
        places.sort(key=lambda found: found.start("it"))
    for found in places:
        value = re.sub(r"\s+", " ", found["it"]).strip(" ,，.。;；的")
        first = value.split()[0] if value else ""
        is_system = name != "system" or not (
            first.lower() in NOT_A_SYSTEM or is_verb_form(first) or _is_cut(text, found)
        )
        aside = _is_aside(text, found) if name in _DEVICES else name == "system" and _is_past(text, found)
        if value and is_system and not aside:
            return _whole(value, found, places) if name in PLACES else value
    return ""


def _is_cut(text: str, found: re.Match[str]) -> bool:
    """Tell whether a word is no name, but belongs to the thing behind it: "controlled" of "controlled drugs"."""
    follows = _NEXT_WORD.match(text, found.end("it"))
    lower = found["it"].islower() and " " not in found["it"] and not PRODUCT.fullmatch(found["it"])
    return lower and follows is not None and follows[1] not in STOP_ENGLISH


_NEXT_WORD = re.compile(r" ([a-z][a-z'-]{2,})\b(?! (?:is|says)\b)")


#: What stands before the event that something came with: "since the Windows update".
_SINCE_EVENT = re.compile(r"\b(?:since|after) (?:(?:the|an?|last|this|new) ){0,2}$", re.IGNORECASE)


def _is_past(text: str, found: re.Match[str]) -> bool:
    """Tell whether a system only names the change that something came with."""
    return _SINCE_EVENT.search(text[: found.start("it")]) is not None


def _whole(value: str, found: re.Match[str], places: Iterable[re.Match[str]]) -> str:
    """Return the longest place that holds the one that was found: "room B2.14" for B2.14."""
    start, end = found.span("it")
    wider = [each["it"] for each in places if each.start("it") <= start and end <= each.end("it")]
    longest = max(wider, key=len, default=value)
    return re.sub(r"\s+", " ", longest).strip(" ,，.。;；的")


#: How somebody begins who tells of a second place or thing: what was said first stays.
_ADDS = re.compile(
    r"(?:and |it'?s |it is |they'?re )?(?:also|as well|too)\b|(?:还有|另外|同样)|[^，,。]{1,12}也", re.IGNORECASE
)
#: How somebody begins, or ends, who corrects what they said; "it's B-2291" alone may name the thing.
_CORRECTS = re.compile(
    r"(?:no|nope|sorry|actually|i mean|i meant|not|wrong|correction|不是|不对|应该是|抱歉)\b"
    r"|(?:it's|it is)\b.{1,60}\b(?:sorry|not|actually|i mean|i meant)\b",
    re.IGNORECASE,
)
PLACES = ("location", "place", "site", "room")
_DEVICES = ("device", "asset", "equipment")
#: A thing that is spoken of as the new one is not the one that is broken.
_EXCHANGED = re.compile(
    r"\b(?:changed|switched|swapped|got a|have a|bought a)(?: my| the| to a)?(?: new)?\s*$|"
    r"换了(?:一?[台个部])?(?:新)?$",
    re.IGNORECASE,
)


#: A thing that only says where another one is: "next to the copier", 复印机旁边.
_BESIDE = re.compile(
    r"\b(?:next to|beside|near|behind|opposite|by|across from|in front of|under|above|left of|right of|close to)"
    r"(?: (?:the|our|my|a|an|that))?\s*$",
    re.IGNORECASE,
)
_BESIDE_CHINESE = re.compile(r"(?:的)?(?:旁边?|附近|后面|前面|对面|上面|下面|那边|边上)")


def _is_aside(text: str, found: re.Match[str]) -> bool:
    """Tell whether a thing is not the one that is reported: the new one, or one that says where it is."""
    before, after = text[: found.start("it")], text[found.end("it") : found.end("it") + 4]
    return bool(_EXCHANGED.search(before) or _BESIDE.search(before[-24:]) or _BESIDE_CHINESE.match(after))


def _choice(text: str, name: str, field: FieldConfig) -> str:
    plain = normalise(text)
    for choice in field.choices:
        pattern = IMPACT.get(choice.value) if name == "impact" else None
        if pattern is not None and pattern.search(plain):
            return choice.value
        labels = [
            normalise(label) for label in (choice.labels.en, choice.labels.zh) if len(label) > 3 or not label.isascii()
        ]
        if any(_holds(plain, label) for label in labels):
            return choice.value
    return ""


#: What may stand before and after a value that somebody gives: "no, it's the one in …", "…, sorry".
_BEFORE_VALUE = re.compile(
    r"^(?:[\s,.:;!-]|(?:no|nope|sorry|actually|oh|ah|well|hm|ok|and|but|i meant?|it's|its|it is|that's|this is|"
    r"i'm|i am|i sit|we're|we are|we sit|the one|the ones|on|in|at|near|from|is|are|to|for|for the)(?=[\s,.:;!])|"
    r"不是|不对|不好意思|抱歉|应该是|其实是|是|在|我在|我们在|，|。|：)+",
    re.IGNORECASE,
)
_AFTER_VALUE = ("sorry", "please", "thanks", "thank you", "and", "instead", "then", "谢谢", "吧", "啊", "哦")
_MARKS = " \t\n,.:;!，。！：；"
#: Words of a sentence; a value has none of them.
_SENTENCE = re.compile(
    r"\b(?:i|you|we|he|she|it|they|me|us|this|that|please|make|can|can't|could|don't|doesn't|not|is|are|was|"
    r"were|have|has|had|"
    r"do|does|did|need|want|try|tried|know|idea|sure|add|works?|working|hurry|urgent|asap|now|soon|yes|no|ok|why|what|"
    r"how|when|where|who|one|ones|also|because|still|again|already|nothing|anything|nobody|"
    r"noone|somebody|someone|everybody|everyone|max|min)\b|"
    r"[我你您他她它们]|不|没|请|快|急|什么|怎|为|已经|还|也|了$|吗|呢|谢",
    re.IGNORECASE,
)
_VALUE_WORDS, _VALUE_CHARACTERS, _LONGEST_VALUE = 5, 12, 200


#: "not room 12 but 14", "room 14, not 12", 不是三楼，是五楼: what holds.
_NOT_BUT = re.compile(
    r"\bnot (?:in |on |at )?[^,.;]{1,30}?[,.;]?\s{1,3}(?:but|it's|it is) (?P<it>\S.*)$|(?:不是|"
    r"不在)[^，,。]{1,15}?[，,]?\s?(?:而)?[是在](?P<zh>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_BUT_NOT = re.compile(
    r"^(?P<it>[^,，]{1,60})[,，]\s?(?:and )?(?:not|不是) [^,，]{1,40}$|^(?P<zh>[^,，]{1,30})[,，]不是[^,，]{1,20}$",
    re.IGNORECASE,
)


def _corrected(text: str) -> str:
    """Return a message without what it says is not so."""
    found = _BUT_NOT.match(text.strip()) or _NOT_BUT.search(text[:_LONGEST_VALUE])
    return (found["it"] or found["zh"]) if found else text


def _without_tail(said: str) -> str:
    """Return a value without manners at its end."""
    said = said.strip(_MARKS)
    tail = next((each for each in _AFTER_VALUE if said.lower().endswith(each)), "")
    return _without_tail(said[: -len(tail)]) if tail and said != tail else "" if tail else said


def _beside(text: str, values: Mapping[str, str]) -> str:
    """Return what a message holds beside values that were taken from it, and manners."""
    rest = text
    for value in values.values():
        rest = rest.replace(value, " ")
    return _without_tail(_BEFORE_VALUE.sub("", rest[:_LONGEST_VALUE]))


def _bare_value(text: str, changes: Mapping[str, str]) -> str:
    """Return the value that a message consists of beside what was taken from it; "" for a sentence."""
    rest = _beside(text, changes)
    long = len(rest.split()) > _VALUE_WORDS or chinese_characters(rest) > _VALUE_CHARACTERS
    long = long or re.match(r"an? ", rest, re.IGNORECASE) is not None
    says = re.search(r"\w", re.sub(r"^(?:the|a|an|my|our)\b", "", rest, flags=re.IGNORECASE))
    told = rest not in text or tells_since(rest) or states_of_thing(normalise(rest))
    return "" if long or told or _SENTENCE.search(rest) or not says else rest


_TITLE = re.compile(
    r"(?:title|标题)[^:：\n]{0,16}?(?:to|is|should be|:|：|改成|改为|是|为)\s*(?P<it>\S.*)$", re.IGNORECASE
)
