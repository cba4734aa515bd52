"""A question taken apart: which words must be found, how much each one proves, and what kind of answer is wanted."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from agent.word_tables import LIGHT_CHINESE, LIGHT_ENGLISH, WEAK_CHINESE
from agent.words import (
    chinese_runs,
    chinese_synonyms,
    content_words,
    is_generic,
    is_identifier,
    nearly_equal,
    normalise,
    stem,
    stems,
    synonyms,
)


class Wanted(StrEnum):
    """What an answer to the question looks like."""

    COMMAND = "command"
    STEPS = "steps"
    TIME = "time"
    AMOUNT = "amount"
    PERSON = "person"
    CONTACT = "contact"
    PLACE = "place"
    REASON = "reason"
    PERMISSION = "permission"
    DEFINITION = "definition"
    ANY = "any"


_WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = tuple(
    (wanted, re.compile(pattern))
    for wanted, pattern in (
        (
            Wanted.COMMAND,
            (
                r"\b(command|commands|kubectl|cli|syntax|snippet|one-?liner|curl|yaml|manifest|script|query)\b|"
                r"命令|语法|脚本"
            ),
        ),
        (
            Wanted.TIME,
            (
                r"\b(when|how (long|soon|often|early|late|frequently)|what (time|day|date)|deadline|until when|by when|"
                r"how many (days|weeks|hours|minutes|months|years)|opening hours|retention)\b"
                r"|什么时[候间]|何时|几点|几号|多久|多长时间|多少(天|小时|分钟|个?月|年|周)|几(天|个?月|小时|年|"
                r"周)|截止|期限|频率|多快"
            ),
        ),
        (
            Wanted.AMOUNT,
            (
                r"\b(how (much|many|large|big|far|high)|what (is|are) the (limit|maximum|minimum|max|rate|price|"
                r"cost|budget|"
                r"allowance|amount|number|size|port|quota|threshold|percentage)|limit|maximum|minimum|allowance|cost)\b"
                r"|多少|几[个次人台份]|上限|下限|额度|标准|限额|金额|价格|最[多高少低大]"
            ),
        ),
        (
            Wanted.PERSON,
            r"\b(who|whom|whose|which (team|person|group|department))\b|谁|哪(个|位)?(人|部门|团队|小组)|找谁|联系谁",
        ),
        (
            Wanted.CONTACT,
            (
                r"\bwhom? (?:do|should|can|must|to) (?:i |we |you )?(?:\w+ )?(?:call|contact|tell|ask|inform|"
                r"report|turn|reach|ring|phone|notify|talk|speak|write)\b"
                r"|\b(?:phone|telephone|contact) (?:number|details)"
                r"|\b(?:what|which) (?:number|extension|e-?mail address)|找谁|联系谁|打(?:什么|哪个|谁的)?电话|"
                r"电话(?:是)?多少|怎么联系|联系方式"
            ),
        ),
        (
            Wanted.PLACE,
            (
                r"\b(where|which (room|floor|page|portal|address|folder|channel))\b|哪里|哪儿|在哪|什么地方|"
                r"哪个(房间|楼|门户)"
            ),
        ),
        (Wanted.REASON, r"\b(why|reason|what causes?|how come)\b|为什么|为何|原因|怎么回事"),
        (
            Wanted.STEPS,
            (
                r"\bhow (do|does|can|could|should|would|to|am|is|are)\b|\b(steps?|procedure|process|instructions?|"
                r"guide|what (should|do|can|must) (i|we) do|what to do|walk me through|set ?up)\b"
                r"|怎么|如何|怎样|步骤|流程|怎么办|办理|操作"
            ),
        ),
        (
            Wanted.PERMISSION,
            (
                r"^(can|may|could|am|are|is|do|does|must|should|will|has|have)\b|\b(allowed|permitted|forbidden|"
                r"required)\b"
                r"|能不能|可不可以|可以.*吗|能.*吗|是否|是不是|要不要|需要.*吗|允许|必须.*吗|吗[?？]?$"
            ),
        ),
        (
            Wanted.DEFINITION,
            r"^(what|which|define|explain|describe)\b|\bwhat (is|are|does)\b|什么是|是什么|是指|含义|介绍",
        ),
    )
)


#: What makes a word an exact name and not two words with a hyphen: a digit, or punctuation of paths and addresses.
_EXACT = re.compile(r"\d|[._/:@#]")
#: Words that name the kind of answer and not its subject.
_KIND_WORDS = frozenset(
    {"command", "commands", "syntax", "snippet", "steps", "instructions", "guide", "procedure", "reason", "deadline"}
)
_LIGHT = re.compile("|".join(sorted(LIGHT_CHINESE, key=len, reverse=True)))


@dataclass(frozen=True)
class Term:
    """A word that an answer should speak of."""

    word: str
    stem: str
    alternatives: frozenset[str]
    weight: float
    exact: bool  # an identifier: nothing else will do


@dataclass(frozen=True)
class Text:
    """A text prepared for matching: its normalised form and the stems of its Latin words."""

    plain: str
    stems: frozenset[str]

    @staticmethod
    def of(*texts: str) -> "Text":
        """Prepare several texts as one."""
        return _prepared("\n".join(texts))


@lru_cache(maxsize=4_096)
def _prepared(joined: str) -> Text:
    return Text(plain=normalise(joined), stems=stems(joined))


@dataclass(frozen=True)
class Question:
    """The words of a question in matchable form. `focus` weighs the part that was said last in a thread."""

    text: str
    language: str
    terms: tuple[Term, ...]
    runs: tuple[str, ...]

    @classmethod
    def of(cls, text: str, language: str) -> "Question":
        """Take a question apart."""
        plain = normalise(text)
        return cls(text=text, language=language, terms=_terms(text, language), runs=chinese_runs(plain))

    @cached_property
    def wanted(self) -> frozenset[Wanted]:
        """Return every kind of answer that the wording asks for; `ANY` alone when it does not say."""
        plain = normalise(self.text)
        found = {wanted for wanted, pattern in _WANTED if pattern.search(plain)}
        return frozenset(found or {Wanted.ANY})

    @cached_property
    def weight(self) -> float:
        """Return the weight of all words together."""
        return sum(term.weight for term in self.terms) + sum(_run_weight(run) for run in self.runs)

    def found_weight(self, text: Text) -> float:
        """Return the weight of the words that `text` holds; a synonym counts a little less than the word."""
        latin = sum(term.weight * self.match(term, text) for term in self.terms)
        return latin + sum(_run_found(run, text.plain) for run in self.runs)

    def coverage(self, text: Text) -> float:
        """Return the share (0..1) of the question's words that `text` holds, by weight."""
        return self.found_weight(text) / self.weight if self.weight else 0.0

    def missing(self, text: Text) -> tuple[Term, ...]:
        """Return the Latin words that `text` holds in no form."""
        return tuple(term for term in self.terms if self.match(term, text) == 0.0)

    @staticmethod
    def match(term: Term, text: Text) -> float:
        """Return how surely `text` holds the term: 1 for the word, less for a synonym or a slip, 0 for nothing."""
        if term.stem in text.stems:
            return 1.0
        if term.exact:
            return 1.0 if term.word in text.plain else 0.0
        if term.alternatives & text.stems:
            return 0.8
        return 0.8 if len(term.stem) >= 5 and _slipped(term.stem, text.stems) else 0.0


@lru_cache(maxsize=8_192)
def _slipped(word: str, others: frozenset[str]) -> bool:
    """Tell whether a word is another one with one slip of the finger; the first letter is mostly right."""
    return any(other[0] == word[0] and len(other) >= 4 and nearly_equal(word, other) for other in others)


def _terms(text: str, language: str) -> tuple[Term, ...]:
    found: dict[str, Term] = {}
    named = _named(text)
    for word in content_words(text):
        base = stem(word)
        exact = is_identifier(word) and _EXACT.search(word) is not None and not _is_number(word)
        weight = _weight(word, exact=exact, named=word in named or language == "zh")
        found.setdefault(base, Term(word, base, frozenset() if exact else synonyms(word), weight, exact))
    return tuple(found.values())


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[\d.,:%+-]+", word) is not None


def _weight(word: str, *, exact: bool, named: bool) -> float:
    """Return how much a word proves: a name much, "stay" little, an amount in the story next to nothing."""
    if _is_number(word) or word in _KIND_WORDS:
        return 0.3
    if exact or named:
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
    weights = [0.08 if character in WEAK_CHINESE else 0.5 for character in run]
    for found in _LIGHT.finditer(run):
        for at in range(found.start(), found.end()):
            weights[at] = min(weights[at], 0.15)
    return tuple(weights)


def _run_weight(run: str) -> float:
    return sum(_weights_of(run))


def _run_found(run: str, plain: str) -> float:
    """Return the weight of the characters of a run that stand in the text, alone or in a pair with their neighbour."""
    if len(run) == 1:
        return _run_weight(run) if run in plain else 0.0
    covered: set[int] = set()
    for at in range(len(run) - 1):
        if run[at : at + 2] in plain:
            covered.update((at, at + 1))
    for start, end, others in chinese_synonyms(run):
        if _any_in(others, plain):
            covered.update(range(start, end))
    weights = _weights_of(run)
    return sum(weights[at] for at in covered)


def _any_in(words: Iterable[str], plain: str) -> bool:
    return any(word in plain for word in words)
