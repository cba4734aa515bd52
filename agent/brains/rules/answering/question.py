"""A question taken apart: which words must be found, how much each one proves, and what kind of answer is wanted."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from agent.brains.rules.answering.passages import YEAR
from agent.brains.rules.answering.shapes import exactly
from agent.brains.rules.answering.wanted import (
    Wanted,
    asks_for_all,
    asks_how_long,
    asks_leave,
    compared_in,
    has_parts,
    wanted_by,
    wants_one_fact,
)
from language.numbers.dates import MONTH, WEEKDAY
from language.numbers.ranges import Range, values_in
from language.spelling import hyphened, one_edit_apart
from language.word_tables import BEFORE_VERBS, LIGHT_CHINESE, LIGHT_ENGLISH, STOP_ENGLISH, WEAK_CHINESE
from language.words import (
    OFF_WORK,
    chinese_for,
    chinese_runs,
    chinese_synonyms,
    content_words,
    is_generic,
    is_identifier,
    normalise,
    stem,
    stems,
    synonyms,
)

#: What makes a word an exact name and not two words with a hyphen: a digit, or punctuation of paths and addresses.
_EXACT = re.compile(r"\d|[._/:@#]")
#: Words that name the kind of answer and not its subject.
_KIND_WORDS = frozenset(
    {
        *("command", "commands", "syntax", "snippet", "steps", "instructions", "guide", "procedure", "reason"),
        *("deadline", "list", "summarise", "summarize", "summary", "overview", "outline", "often"),
    }
)
#: How long or how often something of one's own is: it tells the story, and stands in no page.
_OWN_AMOUNT = re.compile(r"\b(?:an?|one|two|three|\d+) (day|week|month|year|hour|minute|night)s?\b")
#: By what something is measured that is asked for: who asks how late somebody may stay is not late.
_MEASURED_BY = re.compile(r"\bhow (late|early|soon|far|long|high|big|large|old|fast|heavy|hot|cold|deep|wide|tall)\b")
#: A clause that is asked for by its number: it is an exact name then.
_CLAUSE = re.compile(r"(?:\b(?:article|chapter|clause|paragraph|section) |§ ?)(\d+(?:\.\d+)+)")
_WORD = re.compile(r"[A-Za-z]+")
#: Where words are written together: `periodSeconds` is a period in seconds.
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: A verb with its particle, which many write as one word: "backing up" is a backup, "log in" a login.
_PARTICLE = re.compile(r"\b([a-z]{3,9})[ -](up|down|in|out|off|on|back|over)\b")
#: What was left somewhere was forgotten; it has nothing to do with leave, or with leaving.
_LEFT_BEHIND = re.compile(r"\bleft(?= (?:my|our|his|her|the|their|an?) (?!hand|side|arm|leg|eye|turn))", re.IGNORECASE)
#: Leave, for which "days off" stands.
_LEAVE = stem("leave")
#: Who leaves something goes away.
_GOES = re.compile(
    r"\bleaves?(?= (?:the|an?|it|your|my|our|this|that|them|him|her|us|home|early|at once|within|before)\b)"
    r"|\bleaving\b",
    re.IGNORECASE,
)
#: Days and months, which begin with a capital letter and name nothing: "I start on Monday".
_CALENDAR = re.compile(rf"{WEEKDAY}s?|{MONTH}")
_SPOKEN = re.compile(r"[a-z0-9][\w'/-]*")
#: What a range of a text holds by chance: a number without a unit, a time of day, a day of the week.
_NOT_MEASURED = frozenset(("", "clock", "weekday", "times"))
#: The weight of a character that is neither weak nor of a light word.
_WEIGHTY = 0.5
_LIGHT = re.compile("|".join(sorted(LIGHT_CHINESE, key=len, reverse=True)))


@dataclass(frozen=True)
class Term:
    """A word that an answer should speak of."""

    word: str
    stem: str
    alternatives: frozenset[str]
    weight: float
    exact: bool  # an identifier: nothing else will do
    does: bool = False  # it stands where a verb stands: other words say the same more often than with things
    renderings: tuple[str, ...] = ()  # what says it in the language of the pages, where that is another one


@dataclass(frozen=True)
class Text:
    """A text prepared for matching: its normalised form and the stems of its Latin words."""

    plain: str
    stems: frozenset[str]

    @staticmethod
    def of(*texts: str) -> "Text":
        """Prepare several texts as one."""
        return _prepared("\n".join(texts))

    def joined_with(self, *others: "Text") -> "Text":
        """Return this text and others as one, without preparing any of them again."""
        plain = " ".join(each.plain for each in (self, *others) if each.plain)
        return Text(plain=plain, stems=self.stems.union(*(each.stems for each in others)))


@lru_cache(maxsize=4_096)
def _prepared(joined: str) -> Text:
    apart = " ".join(_INNER_CAPITAL.sub(" ", word) for word in _WORD.findall(joined) if _INNER_CAPITAL.search(word))
    plain = normalise(joined)
    others = {*_in_one(plain).values(), *([_LEAVE] if OFF_WORK.search(plain) else [])}
    return Text(plain=plain, stems=stems(_GOES.sub("depart", joined)) | stems(apart) | frozenset(others))


def _in_one(plain: str) -> dict[str, str]:
    """Return verbs with their particles as one word, by the stem of the verb."""
    return {(verb := stem(word)): f"{verb}{particle}" for word, particle in _PARTICLE.findall(plain)}


@dataclass(frozen=True)
class Question:
    """The words of a question in matchable form."""

    text: str
    language: str
    terms: tuple[Term, ...]
    runs: tuple[str, ...]
    wording: str = ""  # the part that says what kind of answer is wanted; "" for the whole text

    @staticmethod
    def of(text: str, language: str, *, wording: str = "") -> "Question":
        """Take a question apart; in a thread, `wording` is the part of it that says what kind of answer is wanted."""
        return _taken_apart(text, language, wording)

    @cached_property
    def wanted(self) -> frozenset[Wanted]:
        """Return every kind of answer that the wording asks for; `ANY` alone when it does not say."""
        return wanted_by(normalise(self.wording or self.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the stems of all its Latin words, those that say nothing among them."""
        return stems(self.text)

    @cached_property
    def years(self) -> frozenset[str]:
        """Return the years that are named: "in 2023" is answered by the edition that held then."""
        return frozenset(YEAR.findall(self.text))

    @cached_property
    def measured(self) -> tuple[Range, ...]:
        """Return the amounts that are named with what they measure: 25 knots, 700 g, 三天."""
        return tuple(each for each in values_in(self.text) if each.kind not in _NOT_MEASURED)

    @cached_property
    def wants_one_fact(self) -> bool:
        """Return whether one sentence, row or item is the answer."""
        return wants_one_fact(normalise(self.wording or self.text))

    @cached_property
    def asks_how_long(self) -> bool:
        """Return whether a span of time is asked for."""
        return asks_how_long(normalise(self.wording or self.text))

    @cached_property
    def exactly(self) -> re.Pattern[str] | None:
        """Return what a count of the things looks like that are asked about, or a day; None where neither is asked."""
        return exactly(normalise(self.wording or self.text))

    @cached_property
    def asks_leave(self) -> bool:
        """Return whether it is asked whether something may be."""
        return asks_leave(normalise(self.text))

    @cached_property
    def asks_for_all(self) -> bool:
        """Return whether it is asked which there are of something."""
        return asks_for_all(normalise(self.wording or self.text))

    @cached_property
    def compared(self) -> tuple["Question", ...]:
        """Return the two things that are set side by side; none where nothing is."""
        found = compared_in(normalise(self.text))
        two = [Question.of(each, self.language) for each in found or ()]
        return tuple(two) if all(each.weight > 0 for each in two) else ()

    @cached_property
    def has_parts(self) -> bool:
        """Return whether two different things are asked for."""
        return has_parts(normalise(self.wording or self.text))

    @cached_property
    def _said(self) -> Counter[str]:
        return Counter(self.runs)

    @cached_property
    def weight(self) -> float:
        """Return the weight of all words together."""
        chinese = sum(times * _run_weight(run) for run, times in self._said.items())
        return sum(term.weight for term in self.terms) + chinese

    def found_weight(self, text: Text) -> float:
        """Return the weight of the words that `text` holds; a synonym counts a little less than the word."""
        latin = sum(term.weight * self.match(term, text) for term in self.terms)
        return latin + sum(times * _run_found(run, text.plain) for run, times in self._said.items())

    def coverage(self, text: Text) -> float:
        """Return the share (0..1) of the question's words that `text` holds, by weight."""
        return self.found_weight(text) / self.weight if self.weight else 0.0

    def names_code(self, text: Text) -> bool:
        """Tell whether `text` holds a code or an identifier that the question names."""
        return any(term.exact and self.match(term, text) > 0 for term in self.terms)

    def missing(self, text: Text) -> tuple[Term, ...]:
        """Return the Latin words that `text` holds in no form."""
        return tuple(term for term in self.terms if self.match(term, text) == 0.0)

    def lacking(self, text: Text) -> float:
        """Return the share (0..1), by weight, of the things that are asked about and that `text` does not hold."""
        lost = sum(term.weight for term in self.missing(text) if not term.does)
        return lost / self.weight if self.weight else 0.0

    def names(self, name: str) -> bool:
        """Tell whether the question says all words of a name, which may be written together (`periodSeconds`)."""
        named = Question.of(_INNER_CAPITAL.sub(" ", name), self.language)
        return named.weight > 0 and named.coverage(Text.of(self.text)) >= 1.0

    def halves(self, text: Text) -> bool:
        """Tell whether `text` holds only one word of a pair that makes one thing ("lunch break", "bike leasing")."""
        known = {term.stem: term for term in self.terms}
        for one, other in pairwise(_SPOKEN.findall(normalise(self.text))):
            left, right = known.get(stem(one)), known.get(stem(other))
            if left is None or right is None or left.does or {one, other} & STOP_ENGLISH:
                continue
            if (self.match(left, text) == 0.0) != (self.match(right, text) == 0.0):
                return True
        return False

    def unsaid(self, text: Text) -> tuple[str, ...]:
        """Return the things that are asked about and that `text` holds in no form, in the order of the question."""
        latin = (term.word for term in self.missing(text) if not term.does and term.weight >= 1.0)
        return (*latin, *(each for run in self.runs for each in _unsaid_of(run, text.plain)))

    def is_said_by(self, text: Text) -> bool:
        """Tell whether `text` holds all that is asked about, in some form; light words do not count."""
        return not self.missing(text) and not any(_left_of(run, text.plain).strip() for run in self.runs)

    @staticmethod
    def match(term: Term, text: Text) -> float:
        """Return how surely `text` holds the term: 1 for the word, less for a synonym or a slip, 0 for nothing."""
        if term.renderings:
            return 1.0 if any(_says(text, rendering) for rendering in term.renderings) else 0.0
        if term.stem in text.stems:
            return 1.0
        if term.exact or "-" in term.word:  # "on-call" is also written in two words
            found = any(form in text.plain for form in (term.word, term.word.replace("-", " "), hyphened(term.word)))
            if found or term.exact:
                return float(found)
        if term.alternatives & text.stems or _any_in(chinese_for(term.word), text.plain):
            return 0.8
        return 0.8 if len(term.stem) >= 5 and _slipped(term.stem, text.stems) else 0.0


@lru_cache(maxsize=2_048)
def _taken_apart(text: str, language: str, wording: str) -> Question:
    """Take a question, or a heading that is asked as one, apart; the same headings come with every question."""
    runs = chinese_runs(normalise(text))
    return Question(text=text, language=language, terms=_terms(text, language), runs=runs, wording=wording)


def _says(text: Text, rendering: str) -> bool:
    """Tell whether `text` holds a rendering: Chinese as it stands, every word of an English one in any form."""
    return stems(rendering) <= text.stems if rendering.isascii() else rendering in text.plain


@lru_cache(maxsize=8_192)
def _slipped(word: str, others: frozenset[str]) -> bool:
    """Tell whether a word is another one with one slip of the finger; the first letter is mostly right."""
    return any(other[0] == word[0] and len(other) >= 4 and one_edit_apart(word, other) for other in others)


def _terms(text: str, language: str) -> tuple[Term, ...]:
    found: dict[str, Term] = {}
    text = OFF_WORK.sub("leave", _LEFT_BEHIND.sub("forgot", _GOES.sub("depart", text)))
    named, doing, in_one = _named(text), _doing(text), _in_one(normalise(text))
    clauses = frozenset(_CLAUSE.findall(normalise(text)))
    light = {stem(word) for each in (_OWN_AMOUNT, _MEASURED_BY) for word in each.findall(normalise(text))}
    for word in content_words(text):
        base = stem(word)
        exact = word in clauses or (is_identifier(word) and bool(_EXACT.search(word)) and not _is_number(word))
        weight = _weight(word, exact=exact, named=word in named or language == "zh")
        weight = min(weight, 0.3) if base in light else weight
        others = frozenset() if exact else synonyms(word) | ({in_one[base]} if base in in_one else set())
        found.setdefault(base, Term(word, base, others, weight, exact, does=base in doing))
    return tuple(found.values())


def _doing(text: str) -> frozenset[str]:
    """Return the stems of the words that follow a pronoun, "to" or "can": what is done, not what it is done to."""
    return frozenset(
        stem(word) for before, word in pairwise(_SPOKEN.findall(normalise(text))) if before in BEFORE_VERBS
    )


def _is_number(word: str) -> bool:
    """Tell whether a word is a number, or one with what it counts: "3am", "18th", "40kg"."""
    return re.fullmatch(r"[\d.,:%+-]+(?:am|pm|hrs?|mins?|st|nd|rd|th|kg|km|yrs?)?", word) is not None


def _weight(word: str, *, exact: bool, named: bool) -> float:
    """Return how much a word proves: a name much, "stay" little, an amount in the story next to nothing."""
    if exact:
        return 1.5
    if _is_number(word) or word in _KIND_WORDS:
        return 0.3
    if _CALENDAR.fullmatch(word):
        return 0.5
    if named:
        return 1.5
    return 0.3 if is_generic(word) else 0.5 if word in LIGHT_ENGLISH else 1.0


def _named(text: str) -> frozenset[str]:
    """Return the words that are written as names: a capital letter inside the sentence, or all capitals."""
    words = re.findall(r"[A-Za-z][\w-]*", text)
    shouted = text.upper() == text
    return frozenset(
        word.lower()
        for at, word in enumerate(words)
        if not shouted and len(word) > 1 and (word.isupper() or (at > 0 and word[0].isupper()))
    )


@lru_cache(maxsize=4_096)
def _weights_of(run: str) -> tuple[float, ...]:
    """Return the weight of each character of a run; two characters make about one word."""
    weights = [0.08 if character in WEAK_CHINESE else _WEIGHTY for character in run]
    for found in _LIGHT.finditer(run):
        for at in range(found.start(), found.end()):
            weights[at] = min(weights[at], 0.15)
    return tuple(weights)


def _run_weight(run: str) -> float:
    return sum(_weights_of(run))


def _run_found(run: str, plain: str) -> float:
    """Return the weight of the characters of a run that stand in the text, alone or in a pair with their neighbour."""
    weights = _weights_of(run)
    return sum(weights[at] for at in _found_in(run, plain))


def _unsaid_of(run: str, plain: str) -> Iterator[str]:
    """Yield what is left of a run, two characters or more, where what the text holds and what is light is taken out."""
    yield from (each for each in _left_of(run, plain).split() if len(each) > 1)


def _left_of(run: str, plain: str) -> str:
    """Return a run with a blank for each character that the text holds or that is light."""
    found, weights = _found_in(run, plain), _weights_of(run)
    return "".join(
        character if at not in found and weights[at] >= _WEIGHTY else " " for at, character in enumerate(run)
    )


def _found_in(run: str, plain: str) -> set[int]:
    """Return the places of the characters of a run that stand in the text."""
    if len(run) == 1:
        return {0} if run in plain else set()
    covered: set[int] = set()
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if pair in plain or (pair[0] == "没" and f"没有{pair[1]}" in plain):
            covered.update((at, at + 1))
        elif at == 0 and len(run) == 2 and run[::-1] in plain:
            covered.update((0, 1))  # what a verb is done to may go before it: 车停哪里
    for start, end, others in chinese_synonyms(run):
        if _any_in(others, plain):
            covered.update(range(start, end))
    return covered


def _any_in(words: Iterable[str], plain: str) -> bool:
    return any(word in plain for word in words)
