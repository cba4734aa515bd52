"""The words of one catalogue and of questions to it, and a text cut into pieces by them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from math import prod
from typing import Literal

from features.data.understanding.words.periods import DaySpan, periods_in
from features.data.understanding.words.signs import CLASSIFIERS, Sign, phrases
from language.moments import folded
from language.numbers import SPELLED, whole
from language.spelling import may_be_misspelt, one_edit_apart
from queries.sql.catalog.catalog import Catalog, CatalogColumn, Words

_TOKEN = re.compile(
    r"(?P<number>\d++(?:,\d{3})*+(?:\.\d++)?+)"
    r"(?P<scale>[km](?![a-z])|[百千]?[万亿]|[千百]|\ (?:thousand|million|billion)\b)?"
    r"|(?P<word>[a-z]++(?:'[a-z]++)?+)|(?P<han>[\u3400-\u9fff]|、)|(?P<mark>[%&,;])"
)
_SCALES = {
    "k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "百": 100,
    "千": 1_000, "万": 10_000, "亿": 100_000_000,
}  # fmt: skip
#: Words that have another singular than by rule, or none.
_KEPT = frozenset({"is", "was", "has", "does", "this", "us", "as", "status", "business", "always"})
#: What may stand behind the name of a place or a part of a company, where its column is called by it: 部 of 部门.
_KINDS = ("部", "区", "市", "省", "州", "县", "店", "组", "科", "院", "馆")
_GOES_ON = re.compile(r"([a-z]{2,15}?)([bdgklmnprt]?)ing")

#: The name of a column of days: `started_on`, `left_on`.
_DONE_ON = re.compile(r"([a-z]{3,20})_(?:on|at)")

#: What is done, and how it is asked for: "how many did we buy".
_DOES = {
    "bought": "buy", "lent": "lend", "sent": "send", "won": "win", "lost": "lose", "built": "build", "sold": "sell",
}  # fmt: skip

NameKind = Literal["metric", "table", "column", "value"]


@dataclass(frozen=True)
class Named:
    """What a word names in the catalogue: a metric, a table, a column or a value of a column."""

    kind: NameKind
    refers_to: str  # metric, table, or `table.column`
    value: str | bool = ""


Meaning = Named | Sign | DaySpan | float


@dataclass(frozen=True)
class CutWord:
    """A stretch of text with all that it can mean; nothing for a word that nobody knows."""

    text: str
    start: int
    end: int
    meanings: tuple[Meaning, ...]

    def has(self, *signs: Sign) -> bool:
        """Tell whether it may be one of these signs."""
        return any(each in signs for each in self.meanings)


@dataclass
class Vocabulary:
    """Phrases, each as the tokens that it is made of."""

    meanings: dict[tuple[str, ...], list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    longest: int = 1
    words: set[str] = field(default_factory=set)  # the Latin words of names, for spelling

    def add(self, phrase: str, meaning: Meaning) -> None:
        """Let a phrase mean something."""
        tokens = tuple(text for text, _, _ in tokens_of(phrase))
        if not tokens:
            return
        if meaning not in self.meanings[tokens]:
            self.meanings[tokens].append(meaning)
        self.longest = max(self.longest, len(tokens))
        if isinstance(meaning, Named):
            self.words.update(each for each in tokens if may_be_misspelt(each))

    def knows(self, word: str) -> bool:
        """Tell whether a word means more by itself than what is done on some day."""
        found = self.meanings.get(tuple(token for token, _, _ in tokens_of(word)), ())
        return any(not isinstance(each, Named) or each.kind != "column" for each in found)

    def cut(self, text: str, today: date) -> tuple[CutWord, ...]:
        """Return the words of a text in reading order, the longest phrase first at each place."""
        found = [*self._tokens_of(text)]
        spans = {spotted.start: spotted for spotted in periods_in(text, today)}
        cut: list[CutWord] = []
        at = 0
        while at < len(found):
            start = found[at][1]
            length, meanings = self._longest_before_name(found, at)
            end = found[at + length - 1][2]
            inside = [each for each in spans.values() if start < each.start < end < each.end]
            if inside:  # a phrase does not take the first word of a period: "and | in May"
                shorter, others = self._longest_at([each for each in found if each[1] < inside[0].start], at)
                if others or end > inside[0].end:
                    length, meanings, end = shorter, others, found[at + shorter - 1][2]
                else:  # but "same for | 2025"
                    spans[found[at + length][1]] = inside[0]
            spotted = spans.get(start)
            if spotted is not None and spotted.end >= end:
                cut.append(CutWord(text[start : spotted.end], start, spotted.end, (spotted.value,)))
                while at < len(found) and found[at][1] < spotted.end:
                    at += 1
                continue
            counts = bool(cut) and any(isinstance(each, float) for each in cut[-1].meanings)
            if not meanings and counts and (found[at][0] in CLASSIFIERS or _measures(found[at][0], cut)):
                meanings = [Sign.FILLER]  # 五 | 本 | 书
            cut.append(CutWord(text[start:end], start, end, tuple(meanings)))
            at += length
        return tuple(cut)

    def _tokens_of(self, text: str) -> Iterator[tuple[str, int, int]]:
        for token, start, end in tokens_of(text):
            known = (token,) in self.meanings or token in self.words or not may_be_misspelt(token)
            yield (token if known else self._corrected(token)), start, end

    def _corrected(self, token: str) -> str:
        near = {word for word in self.words if one_edit_apart(token, word) and not word.startswith(token)}
        return near.pop() if len(near) == 1 else token

    def _longest_before_name(self, found: list[tuple[str, int, int]], at: int) -> tuple[int, list[Meaning]]:
        """Return the longest phrase that takes nothing of a name reaching further: 有 | 多少件, not 有多少 | 件."""
        length, meanings = self._longest_at(found, at)
        if found[at][0] == "the" and length > 1 and 1 + self._longest_at(found, at + 1)[0] > length:
            return 1, self.meanings.get(("the",), [])  # the | most expensive
        if length == 1 or found[at][0].isascii() or any(isinstance(each, Named) for each in meanings):
            return length, meanings
        for less in range(1, length):
            reach, others = self._longest_at(found, at + less)
            if less + reach > length and any(isinstance(each, Named) for each in others):
                shorter = self.meanings.get(tuple(token for token, _, _ in found[at : at + less]))
                return (less, shorter) if shorter else (length, meanings)
        return length, meanings

    def _longest_at(self, found: list[tuple[str, int, int]], at: int) -> tuple[int, list[Meaning]]:
        tokens = tuple(token for token, _, _ in found[at : at + self.longest])
        for length in range(len(tokens), 0, -1):
            if meanings := self.meanings.get(tokens[:length]):
                return length, meanings
        number = _number(tokens[0])
        return 1, [] if number is None else [number]


#: Vocabularies that were made, beside what they were made of; catalogues cannot be hashed.
_MADE: list[tuple[Catalog, Mapping[str, Iterable[str]], Vocabulary]] = []
_MOST_MADE = 16


def vocabulary_of(catalog: Catalog, known: Mapping[str, Iterable[str]]) -> Vocabulary:
    """Return the words of a catalogue, of the known values of its columns, and of questions; made once for each."""
    for of_catalog, of_values, made in _MADE:
        if of_catalog is catalog and of_values is known:
            return made
    made = _vocabulary(catalog, known)
    _MADE[:] = [*_MADE[-_MOST_MADE + 1 :], (catalog, known, made)]
    return made


def _vocabulary(catalog: Catalog, known: Mapping[str, Iterable[str]]) -> Vocabulary:
    made = Vocabulary()
    for phrase, sign in _sign_phrases():
        made.add(phrase, sign)
    for name, metric in catalog.metrics.items():
        _add(made, metric.called, name, Named("metric", name))
    for table, declared in catalog.tables.items():
        _add(made, declared.called, table, Named("table", table))
        for name, column in declared.columns.items():
            place = f"{table}.{name}"
            _add(made, column.called, "" if column.called.every else name, Named("column", place))
            for done in _what_is_done(column, name):
                made.add(done, Named("column", place))
            for value, words in column.values.items():
                held: str | bool = value.lower() == "true" if column.type == "flag" else value
                named = Named("value", place, held)
                _add(made, words, "" if words.every or column.type == "flag" else value, named)
                for other in (*_what_goes_on(words), *_of_kind(words, column)):
                    made.add(other, named)
            for value in known.get(place, ()):
                made.add(value, Named("value", place, value))
    _add_short_names(made, catalog)
    return made


def _measures(unit: str, cut: Iterable[CutWord]) -> bool:
    """Tell whether a column that was named is counted in this: 页数超过600页."""
    named = (word for word in cut if not word.text.isascii())
    return any(unit in word.text and any(isinstance(each, Named) for each in word.meanings) for word in named)


def _add_short_names(made: Vocabulary, catalog: Catalog) -> None:
    """Let a metric be called without what is done, where one metric alone is: "pieces" for "pieces sold"."""
    short: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, metric in catalog.metrics.items():
        for called in metric.called.en:
            tokens = tuple(token for token, _, _ in tokens_of(called))
            left = tuple(token for token in tokens if Sign.TRADE not in made.meanings.get((token,), ()))
            if left and left != tokens and left not in made.meanings:
                short[left].add(name)
    for left, names in short.items():
        if len(names) == 1:
            made.add(" ".join(left), Named("metric", names.pop()))


def _add(made: Vocabulary, called: Words, name: str, meaning: Named) -> None:
    for phrase in (*called.every, name.replace("_", " ")):
        made.add(phrase, meaning)


def _what_is_done(column: CatalogColumn, name: str) -> Iterator[str]:
    """Yield the words of what is done on a day that a column keeps: "started" of `started_on`, 入职 of 入职日期."""
    if column.type not in ("date", "time"):
        return
    if done := _DONE_ON.fullmatch(name):
        yield done[1]
        yield _DOES.get(done[1], done[1])
    for called in column.called.every:
        if len(done_zh := called.removesuffix("日期").removesuffix("时间")) > 1 and done_zh != called:
            yield done_zh


def _what_goes_on(words: Words) -> Iterator[str]:
    """Yield the words of what does something now: "run" of "running"."""
    for called in words.en:
        if goes_on := _GOES_ON.fullmatch(called.lower()):
            yield goes_on[1] if goes_on[1].endswith(goes_on[2]) and goes_on[2] else goes_on[1] + goes_on[2]


def _of_kind(words: Words, column: CatalogColumn) -> Iterator[str]:
    """Yield the Chinese names of a value with what it is: 销售部 of 销售, where the column is called 部门."""
    kinds = [each for each in _KINDS if any(called.endswith((each, f"{each}门")) for called in column.called.zh)]
    for called in words.zh:
        yield from (called + each for each in kinds if not called.endswith(each))


@lru_cache(maxsize=1)
def _sign_phrases() -> tuple[tuple[str, Sign], ...]:
    return tuple(phrases())


def tokens_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text in their singular, with where they stand; Chinese by characters."""
    for found in _TOKEN.finditer(folded(text)):
        word = found["word"]
        if word is not None:
            yield singular(word), found.start(), found.start() + len(word)
        elif found["number"] is not None:
            yield found.group(), found.start(), found.end()
        else:
            yield found.group(), found.start(), found.end()


@lru_cache(maxsize=8_192)
def singular(word: str) -> str:
    """Return an English noun without its plural's ending, and without 's."""
    word = word.removesuffix("'s")
    if len(word) < 4 or word in _KEPT or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word.removesuffix("s")


def _number(token: str) -> float | None:
    found = _TOKEN.fullmatch(token)
    if found is not None and found["number"] is not None:
        return float(found["number"].replace(",", "")) * _scale(found["scale"])
    if token in SPELLED:
        return float(whole(token))
    return float(whole(token)) if token and all(each in "一两二三四五六七八九十" for each in token) else None


def _scale(written: str | None) -> int:
    """Return what a number is multiplied by: 百万 is a hundred times ten thousand."""
    if not written or (word := written.strip()) in _SCALES:
        return _SCALES[word] if written else 1
    return prod(_SCALES[each] for each in word)
