"""The words of one catalogue and of questions to it, and a text cut into pieces by them."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from itertools import compress, count
from math import prod
from operator import ne
from typing import Literal

from features.data.understanding.words.concepts import PLAIN
from features.data.understanding.words.forms import is_form, root
from features.data.understanding.words.periods.hours import hours_in
from features.data.understanding.words.periods.spans import DaySpan, OnDays, OnHours
from features.data.understanding.words.periods.weekdays import weekly
from features.data.understanding.words.periods.written import periods_in
from features.data.understanding.words.signs import CLASSIFIERS, Sign
from language.moments import Spotted, folded
from language.numbers.amounts import SPELLED, whole
from language.spelling import may_be_misspelt, one_edit_apart

_TOKEN = re.compile(
    r"(?P<number>\d++(?:,\d{3})*+(?:\.\d++)?+)"
    r"(?P<scale>[km](?![a-z])|[百千]?[万亿]|[千百]|\ (?:thousand|million|billion)\b)?"
    r"|(?P<large>[一二两三四五六七八九十]{1,3}[百千]?[万亿]|[一二两三四五六七八九][百千])"
    r"|(?P<word>[a-z]++(?:'[a-z]++)?+)|(?P<han>[\u3400-\u9fff]|、)|(?P<mark>[%&,;])"
)
_SCALES = {
    "k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "百": 100,
    "千": 1_000, "万": 10_000, "亿": 100_000_000,
}  # fmt: skip
#: Words that have another singular than by rule, or none.
_KEPT = frozenset({"is", "was", "has", "does", "this", "us", "as", "status", "business", "always"})


#: Letters of a word that is cut short.
_SHORTEST = 3
#: Signs beside which a word may mean something of the catalogue as well.
_OPEN = frozenset({Sign.FILLER, Sign.TRADE, Sign.MONEY, Sign.NEW})
#: Words for how long something takes, where it is not asked what to do.
_LASTING = (("how", "long"), ("多", "久"))
#: Characters of a Chinese name that is known although one of them is another.
_LONG_NAME = 4
#: Words of the longest sense.
_LONGEST_SENSE = 4

NameKind = Literal["metric", "table", "column", "value"]


@dataclass(frozen=True)
class Named:
    """What a word names in the catalogue: a metric, a table, a column or a value of a column."""

    kind: NameKind
    refers_to: str  # metric, table, or `table.column`
    value: str | bool | None = ""  # None: the column is empty


Meaning = Named | Sign | DaySpan | OnDays | OnHours | float


@dataclass(frozen=True)
class CutWord:
    """A stretch of text with all that it can mean; nothing for a word that nobody knows."""

    text: str
    start: int
    end: int
    meanings: tuple[Meaning, ...]
    supposed: tuple[Meaning, ...] = ()  # those of them that the catalogue does not say itself

    def has(self, *signs: Sign) -> bool:
        """Tell whether it may be one of these signs."""
        return any(each in signs for each in self.meanings)


@dataclass
class Vocabulary:
    """Phrases, each as the tokens that it is made of."""

    meanings: dict[tuple[str, ...], list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    longest: int = 1
    words: set[str] = field(default_factory=set)  # the Latin words of names, for spelling
    long_names: dict[tuple[str, ...], None] = field(default_factory=dict)  # Chinese ones in order, for spelling
    units: set[str] = field(default_factory=set)  # what columns are measured in
    others: set[str] = field(default_factory=set)  # units of other sizes: five tons are no five kilos
    by_start: dict[str, list[tuple[tuple[str, ...], int]]] = field(default_factory=lambda: defaultdict(list))
    senses: Mapping[tuple[str, ...], Sequence[Named]] = field(default_factory=dict)  # of words that nobody listed
    roots: Mapping[tuple[str, ...], Sequence[Named]] = field(default_factory=dict)  # … and in other forms

    def add(self, phrase: str, meaning: Meaning) -> None:
        """Let a phrase mean something."""
        tokens = tuple(text for text, _, _ in tokens_of(phrase))
        if not tokens:
            return
        if "-" in phrase and phrase.isascii() and isinstance(meaning, Named):
            self.add(phrase.replace("-", ""), meaning)  # "ebikes", "oneway"
        if meaning not in self.meanings[tokens]:
            self.meanings[tokens].append(meaning)
        self.longest = max(self.longest, len(tokens))
        if isinstance(meaning, Named) and meaning.kind == "value" and len(tokens) > 1:
            for at, token in enumerate(tokens):
                self.by_start[token[:_SHORTEST]].append((tokens, at))
        is_value = isinstance(meaning, Named) and meaning.kind == "value"
        if is_value and len(tokens) >= _LONG_NAME and all(map(_is_han, tokens)):
            self.long_names[tokens] = None
        if isinstance(meaning, Named):
            self.words.update(each for each in tokens if may_be_misspelt(each))

    def copied(self) -> "Vocabulary":
        """Return another one with the same phrases, to which more may be added."""
        return replace(
            self,
            meanings=defaultdict(list, {key: list(each) for key, each in self.meanings.items()}),
            words=set(self.words),
            long_names=dict(self.long_names),
            by_start=defaultdict(list, {key: list(each) for key, each in self.by_start.items()}),
        )

    def knows(self, word: str) -> bool:
        """Tell whether a word means more by itself than what is done on some day."""
        found = self.meanings.get(tuple(token for token, _, _ in tokens_of(word)), ())
        return any(not isinstance(each, Named) or each.kind != "column" for each in found)

    def named(self, phrase: str) -> tuple[Named, ...]:
        """Return what the catalogue calls by a phrase; () for nothing."""
        found = self.meanings.get(tuple(token for token, _, _ in tokens_of(phrase)), ())
        return tuple(each for each in found if isinstance(each, Named))

    def all_of(self, word: CutWord) -> Iterator[Named]:
        """Yield all things that a word may name, in any of its forms."""
        said = tuple(token for token, _, _ in tokens_of(word.text))
        rooted = self.roots.get(tuple(map(root, said)), ())
        yield from (each for each in (*word.meanings, *self.senses.get(said, ()), *rooted) if isinstance(each, Named))

    def cut(self, text: str, today: date, *, supposing: bool = False) -> tuple[CutWord, ...]:
        """Return the words of a text in reading order, the longest phrase first at each place.

        `supposing`: with the senses that the catalogue does not say itself.
        """
        found = self._written_out(text, supposing=supposing)
        plain = {start: token for token, start, _ in tokens_of(text)}
        spans: dict[int, Spotted[DaySpan] | Spotted[OnHours]] = {each.start: each for each in hours_in(text)}
        spans |= {spotted.start: spotted for spotted in periods_in(text, today)}
        begins = sorted(spans)
        cut: list[CutWord] = []
        named = set[str]()
        at = 0
        while at < len(found):
            start = found[at][1]
            length, meanings = self._longest_before_name(found, at)
            supposed: Sequence[Named] = ()
            if supposing:
                length, meanings, supposed = self._with_senses(found, at, length, meanings)
            end = found[at + length - 1][2]
            within = begins[bisect_right(begins, start) : bisect_left(begins, end)]
            inside = [spans[each] for each in within if end < spans[each].end]
            if inside:  # a phrase does not take the first word of a period: "and | in May"
                before = sum(each[1] < inside[0].start for each in found[at : at + length])
                shorter, others = self._longest_at(found[: at + before], at)
                if others or end > inside[0].end:
                    length, meanings, end = shorter, others, found[at + shorter - 1][2]
                else:  # but "same for | 2025"
                    spans[found[at + length][1]] = inside[0]
            spotted = spans.get(start)
            if spotted is not None and spotted.end >= end:
                weeks = weekly(text, start, spotted.end) if len(spans) == 1 else ()  # 周一的课: the last, or all
                cut.append(CutWord(text[start : spotted.end], start, spotted.end, (spotted.value, *weeks)))
                while at < len(found) and found[at][1] < spotted.end:
                    at += 1
                continue
            counts = bool(cut) and (cut[-1].text == "一" or any(isinstance(each, float) for each in cut[-1].meanings))
            if counts and found[at][0] in self.others and not any(isinstance(each, Named) for each in meanings):
                supposed = ()
            if not meanings and counts and self._is_unit(found[at][0], named):
                meanings = [Sign.FILLER]  # 五 | 本 | 书
            meanings = [*meanings, *supposed]
            if any(token != plain[begin] for token, begin, _ in found[at : at + length]):  # mistyped
                supposed = [each for each in meanings if isinstance(each, Named)]
            cut.append(CutWord(text[start:end], start, end, tuple(meanings), tuple(supposed)))
            named.update(_han_names(cut[-1]))
            at += length
        return tuple(cut)

    def _is_unit(self, token: str, named: set[str]) -> bool:
        """Tell whether things are counted by a word, or what a column that was named holds: 页数超过600页."""
        return token in CLASSIFIERS | self.units or any(token in each for each in named)

    def _with_senses(
        self, found: list[tuple[str, int, int]], at: int, length: int, meanings: list[Meaning]
    ) -> tuple[int, list[Meaning], Sequence[Named]]:
        """Return a stretch with what it may mean as well; a longer one goes before what questions have in common."""
        names = any(isinstance(each, Named) for each in meanings)
        lasts = tuple(token for token, _, _ in found[at : at + length]) in _LASTING
        beside = length if not names and (lasts or all(each in _OPEN for each in meanings)) else length + 1
        reach, supposed = self._supposed_at(found, at, least=beside if meanings else 1)
        if meanings and reach == 1 and not found[at][0].isascii():
            supposed = ()  # 个 counts things, and is none
        return (reach, [], supposed) if supposed and reach > length else (length, meanings, supposed)

    def _supposed_at(self, found: list[tuple[str, int, int]], at: int, *, least: int) -> tuple[int, Sequence[Named]]:
        """Return the longest phrase that has a sense, in any of its forms."""
        tokens = tuple(token for token, _, _ in found[at : at + _LONGEST_SENSE])
        for length in range(len(tokens), least - 1, -1):
            said = tokens[:length]
            senses = self.senses.get(said) or (self.roots.get(tuple(map(root, said))) if _may_be_formed(said) else None)
            if senses:
                return length, senses
        return least, ()

    def _written_out(self, text: str, *, supposing: bool) -> list[tuple[str, int, int]]:
        """Return the tokens of a text with names that are cut short in full: "Uni North" for University North."""
        found = [*self._tokens_of(text)]
        if supposing:
            found = [(self._in_full(token), start, end) for token, start, end in found]
        for at, (token, _, _) in enumerate(found):
            if len(token) < _SHORTEST or not token.isalpha() or (token,) in self.meanings or token in self.words:
                continue
            for name, place in self.by_start.get(token[:_SHORTEST], ()):
                begin = at - place
                said = [each for each, _, _ in found[max(begin, 0) : begin + len(name)]]
                if len(said) == len(name) and all(map(_is_start, said, name)):
                    pairs = zip(name, found[begin:], strict=False)
                    found[begin : begin + len(name)] = [(whole, start, end) for whole, (_, start, end) in pairs]
        return found

    def _tokens_of(self, text: str) -> Iterator[tuple[str, int, int]]:
        found = self._names_written_right(list(tokens_of(text)))
        for at, (token, start, end) in enumerate(found):
            known = (token,) in self.meanings or token in self.words or not may_be_misspelt(token)
            before, behind = (found[near][0] if 0 <= near < len(found) else "" for near in (at - 1, at + 1))
            yield (token if known else self._corrected(token, before, behind)), start, end

    def _names_written_right(self, found: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
        """Return the characters with those put right of which one alone makes a long Chinese name wrong: 海关直联."""
        written = [token for token, _, _ in found]
        places = defaultdict[str, list[int]](list)
        for at, token in enumerate(written):
            places[token].append(at)
        for name in self.long_names:
            if sum(each not in places for each in name) > 1:
                continue
            # One character is wrong, so the first or the second is where it belongs.
            begins = {*places.get(name[0], ()), *(at - 1 for at in places.get(name[1], ()))}
            for at in sorted(begins):
                said = written[at : at + len(name)] if at >= 0 else []
                wrong = list(compress(count(at), map(ne, said, name))) if len(said) == len(name) else []
                if len(wrong) == 1 and self._says_nothing(written, wrong[0]):
                    places[name[wrong[0] - at]].append(wrong[0])
                    written[at : at + len(name)] = name
        return [(token, start, end) for token, (_, start, end) in zip(written, found, strict=True)]

    def _says_nothing(self, written: Sequence[str], at: int) -> bool:
        """Tell whether a character means nothing, by itself or with the one beside it: 承运商客户 is no 承运商门户."""
        phrases = (written[at : at + 1], written[max(at - 1, 0) : at + 1], written[at : at + 2])
        return _is_han(written[at]) and not any(
            tuple(each) in self.meanings or tuple(each) in self.senses for each in phrases
        )

    def _in_full(self, token: str) -> str:
        """Return the one word of a name that a word cuts short: "rev" of revenue, "devs" of developers."""
        short = len(token) >= _SHORTEST and token.isascii() and token.isalpha() and token not in PLAIN
        if not short or (token,) in self.meanings or (token,) in self.senses or token in self.words:
            return token
        whole = {word for word in self.words if word.startswith(token)}
        if len(whole) > 1:  # "cust" of customers, not of customs brokers
            whole = {word for word in whole if self._is_table(word)}
        return whole.pop() if len(whole) == 1 else token

    def _corrected(self, token: str, before: str, behind: str) -> str:
        """Return the one word that a mistyped one is near to; of several the one that makes a name here."""
        if token in _PLAIN or is_form(token):
            return token
        near = {
            word
            for word in self.words
            if not word.startswith(token) and (one_edit_apart(token, word) or one_edit_apart(token, f"{word}s"))
        }
        if len(near) > 1:
            near = {word for word in near if {(before, word), (word, behind)} & self.meanings.keys()}
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

    def _is_table(self, token: str) -> bool:
        named = self.meanings.get((token,), ())
        return token.isascii() and any(isinstance(each, Named) and each.kind == "table" for each in named)

    def _longest_at(self, found: list[tuple[str, int, int]], at: int) -> tuple[int, list[Meaning]]:
        tokens = tuple(token for token, _, _ in found[at : at + self.longest])
        for length in range(len(tokens), 0, -1):
            meanings = self.meanings.get(tokens[:length])
            if meanings and length > 1 and Sign.SHARE in meanings and self._is_table(tokens[length - 1]):
                continue  # "which parts" of a shop that has spare parts
            if meanings:
                return length, meanings
        number = _number(tokens[0])
        return 1, [] if number is None else [number]


def _is_han(token: str) -> bool:
    return "\u3400" <= token[:1] <= "\u9fff"


def _is_start(said: str, whole: str) -> bool:
    return said == whole or (len(said) >= _SHORTEST and whole.startswith(said))


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


#: Words that are no misspelling of another one, as texts are cut into them.
_PLAIN = PLAIN | {singular(each) for each in PLAIN}


def _number(token: str) -> float | None:
    found = _TOKEN.fullmatch(token)
    if found is not None and found["number"] is not None:
        return float(found["number"].replace(",", "")) * _scale(found["scale"])
    if token in SPELLED or (found is not None and found["large"] is not None):
        return float(whole(token))
    return float(whole(token)) if token and all(each in "一两二三四五六七八九十" for each in token) else None


def _scale(written: str | None) -> int:
    """Return what a number is multiplied by: 百万 is a hundred times ten thousand."""
    if not written or (word := written.strip()) in _SCALES:
        return _SCALES[word] if written else 1
    return prod(_SCALES[each] for each in word)


def _may_be_formed(tokens: Sequence[str]) -> bool:
    return all(each.isascii() and each.isalpha() for each in tokens) and max(map(len, tokens)) > 3


def _han_names(word: CutWord) -> tuple[str, ...]:
    is_name = not word.text.isascii() and any(isinstance(each, Named) for each in word.meanings)
    return (word.text,) if is_name else ()
