"""What comes nearest to a question for numbers that could not be read, with all of it that could be read kept.

Each number of the catalogue is put in the place of the words that nobody knows; those that make a question are offered,
the nearest in meaning first. Nothing is answered here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from features.data.understanding.asked import AskedData, ReadingChoice
from features.data.understanding.asking import is_guidance, wants_rows
from features.data.understanding.reading import CatalogReader
from features.data.understanding.words.forms import root
from features.data.understanding.words.lexicon import vocabulary_of
from features.data.understanding.words.once import once
from features.data.understanding.words.periods.spans import DaySpan, OnDays, OnHours
from features.data.understanding.words.signs import GRAINS, Sign
from features.data.understanding.words.vocabulary import CutWord, Named
from language.stopwords import ENGLISH
from language.synonyms.bilingual import to_english
from language.words import content_words, normalise, widened
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import MetricQuery

#: Numbers that are tried, and words of a message.
_MOST_NUMBERS, _MOST_WORDS = 80, 30
#: What words in common speak for a number beside its nearness in meaning, and one that only means the same.
_SAME_WORD, _SYNONYM, _NAMED = 0.5, 0.3, 0.25
#: What the rows of what happens have over those of what there is, by each thing that they belong to; and what a number
#: has less for each way to read it in which more was left out.
_EVENT, _LOST = 0.06, 0.3
#: The least nearness that is offered where nothing else of the question could be read.
LEAST_ALONE = 0.45
_SPLITTING = (Sign.BY, Sign.EACH, Sign.WHICH)
#: What is asked of a number, kept where some of the words cannot be.
_KEPT = (
    Sign.TOP, Sign.BOTTOM, Sign.HOW_MANY, Sign.AVERAGE, Sign.SHARE, Sign.TREND, Sign.WHICH, Sign.BY, Sign.EACH, *GRAINS,
)  # fmt: skip


@dataclass(frozen=True)
class NearNumber:
    """A number that may be meant, ready to be asked, and what the catalogue says of it."""

    choice: ReadingChoice
    terms: tuple[str, ...]
    weight: float  # what speaks for it, beside its words


@dataclass(frozen=True)
class Nearest:
    """What could not be read of a question, in its own words, and the numbers that it may be about."""

    unread: str
    near: tuple[NearNumber, ...]
    stands: bool  # a period, a value or a name of the catalogue could be read

    @property
    def terms(self) -> tuple[str, ...]:
        """Return all that the catalogue says of the numbers, each once."""
        return tuple(dict.fromkeys(term for each in self.near for term in each.terms))

    def ranked(self, likeness: Mapping[str, float]) -> tuple[ReadingChoice, ...]:
        """Return the numbers, the nearest first; `likeness` is how near each term is to what was not read.

        None where nothing could be read and nothing is near.
        """
        scored = [(self._nearness(each, likeness), each.choice) for each in self.near]
        scored.sort(key=lambda each: -each[0])
        if not self.stands and (not scored or scored[0][0] < LEAST_ALONE):
            return ()
        return tuple({each.label: each for _, each in scored}.values())

    def _nearness(self, near: NearNumber, likeness: Mapping[str, float]) -> float:
        said = _in_words(self.unread)
        best = max((likeness.get(term, 0.0) + said.shared_with(_in_words(term)) for term in near.terms), default=0.0)
        return best + near.weight


NOTHING = Nearest("", (), stands=False)


def nearest(
    text: str, *, source: str, catalog: Catalog, known: Mapping[str, tuple[str, ...]], today: date, language: str
) -> Nearest:
    """Return the numbers that a message may be about which wants one and was not read; none for any other."""
    vocabulary = vocabulary_of(catalog, known)
    words = vocabulary.cut(text, today, supposing=True)
    if not words or len(words) > _MOST_WORDS or not wants_rows(words):
        return NOTHING
    reader = CatalogReader(source, catalog, vocabulary, today, language)
    named = _tables_named(words, catalog)
    found = dict[str, NearNumber]()
    for meaning, table in _numbers(catalog):
        if not _may_be_asked_so(meaning, words, catalog):
            continue
        ways = enumerate(reader.understood(tuple(each), None) for each in _ways(words, meaning))
        lost, asked = next(((at, each) for at, each in ways if isinstance(each, AskedData)), (0, None))
        if asked is None or not _is_of(asked, meaning):
            continue
        choice = reader.choice(asked)
        weight = (_NAMED if table in named else 0.0) + _EVENT * _belongs(catalog, table) - _LOST * lost
        found.setdefault(choice.label, NearNumber(choice, _terms(catalog, meaning, table), weight))
    unread = " ".join(word.text for word in words if is_unread(word)) or text
    return Nearest(unread, tuple(found.values()), stands(words))


def stands(words: Sequence[CutWord]) -> bool:
    """Tell whether a period, a value or another name of the catalogue could be read."""
    ranks = any(word.has(Sign.TOP, Sign.BOTTOM, Sign.BY) for word in words)
    sure = (each for word in words for each in word.meanings if ranks or each not in word.supposed)
    return any(isinstance(each, Named | DaySpan | OnDays | OnHours) for each in sure)


def is_unread(word: CutWord) -> bool:
    """Tell whether nobody knows a word, or it is but a value that it may stand for, or tells of a fault."""
    values = (isinstance(each, Named) and each.kind == "value" for each in word.supposed)
    return is_guidance(word) or not word.meanings or (len(word.meanings) == len(word.supposed) and all(values))


def _may_be_asked_so(meaning: Named, words: Sequence[CutWord], catalog: Catalog) -> bool:
    """Tell whether a number is one of those that are asked for: "how many" wants no sum of money."""
    counts = meaning.kind == "metric" and catalog.metrics[meaning.refers_to].is_count
    said = [word.text.lower() for word in words]
    amount = any("how much" in each or "钱" in each for each in said) or any(word.has(Sign.MONEY) for word in words)
    if amount:
        return not counts
    return counts or not any(word.has(Sign.HOW_MANY) and not word.has(Sign.SUM) for word in words)


def _belongs(catalog: Catalog, table: str) -> int:
    """Return to how many things a row of a table belongs, of two at most."""
    return min(2, sum(catalog.place(join.many)[0] == table for join in catalog.joins))


def _is_of(asked: AskedData, meaning: Named) -> bool:
    """Tell whether a question is for the number that was put into it."""
    return isinstance(asked.query, MetricQuery) and asked.query.metric == meaning.refers_to


def _tables_named(words: Sequence[CutWord], catalog: Catalog) -> frozenset[str]:
    named = (each for word in words for each in word.meanings if isinstance(each, Named))
    return frozenset(
        catalog.metrics[each.refers_to].table if each.kind == "metric" else each.refers_to.partition(".")[0]
        for each in named
    )


@once
def _numbers(catalog: Catalog) -> tuple[tuple[Named, str], ...]:
    """Return the metrics, and the columns with a unit that no metric adds up, each with its table."""
    metrics = [name for name in catalog.metrics if catalog.same[name] == name]
    found = [(Named("metric", name), catalog.metrics[name].table) for name in metrics]
    summed = " ".join(catalog.metrics[name].expression.lower() for name in metrics)
    for table, declared in catalog.tables.items():
        columns = declared.columns.items()
        units = [name for name, column in columns if column.type == "number" and column.unit and not column.masked]
        found += [(Named("column", f"{table}.{name}"), table) for name in units if name.lower() not in summed]
    return tuple(found[:_MOST_NUMBERS])


def _ways(words: Sequence[CutWord], meaning: Named) -> Iterator[Sequence[CutWord]]:
    """Yield the words with a number in the place of what nobody knows: all of the others, then what bounds it."""
    at = _place(words)
    begin, end = (words[at].start, words[at].end) if at < len(words) else (0, 0)
    number = [CutWord(words[at].text if at < len(words) else "", begin, end, (meaning,), (meaning,))]
    if meaning.kind == "column" and not any(word.has(Sign.AVERAGE, Sign.MEDIAN) for word in words):
        number = [CutWord(number[0].text, begin, begin, (Sign.SUM,)), *number]
    before = [word for word in words[:at] if not is_unread(word)]
    while before and before[-1].has(Sign.HOW_MANY, Sign.FILLER) and meaning.kind == "metric":
        before.pop()  # "number of breakdowns" is one number
    behind = [word for word in words[at + 1 :] if not is_unread(word)]
    yield (*before, *number, *behind)
    kept_before, kept_behind = _bounding(before), _bounding(behind)
    yield (*kept_before, *number, *kept_behind)
    spans = [word for word in words if any(isinstance(each, DaySpan) for each in word.meanings)]
    how_many = CutWord("how many", 0, 0, (Sign.HOW_MANY,))
    yield (how_many, *number, *spans[:1])


def _bounding(words: Sequence[CutWord]) -> list[CutWord]:
    """Return the words that bound, split or rank a number; a word that splits only with what it splits by."""
    kept = list[CutWord]()
    for one, other in pairwise([*words, CutWord("", 0, 0, ())]):
        splits = one.has(*_SPLITTING)
        by = bool(kept) and kept[-1].has(*_SPLITTING)
        named = any(isinstance(each, Named) for each in (other if splits else one).meanings)
        if (named and (splits or by)) or _bounds(one) or (not splits and one.has(*_KEPT)):
            kept.append(one)
    return kept


def _bounds(word: CutWord) -> bool:
    """Tell whether a word says of which rows, or of which time, a number is."""
    sure = (each for each in word.meanings if each not in word.supposed)
    return any(isinstance(each, DaySpan | OnDays | OnHours | float) for each in sure) or any(
        isinstance(each, Named) and each.kind in ("value", "column") for each in word.meanings
    )


def _place(words: Sequence[CutWord]) -> int:
    """Return where the number stands: what nobody knows and nothing is split by, else the first that names rows."""
    unread = [at for at, word in enumerate(words) if is_unread(word)]
    free = [at for at in unread if not (at and words[at - 1].has(*_SPLITTING))]
    rows = (
        at
        for at, word in enumerate(words)
        if any(isinstance(each, Named) and each.kind in ("table", "metric") for each in word.meanings)
        if not (at and words[at - 1].has(*_SPLITTING))
    )
    return next(iter(free), next(rows, next(iter(unread), len(words))))


def _terms(catalog: Catalog, meaning: Named, table: str) -> tuple[str, ...]:
    """Return what the catalogue says of a number: its names, those of its rows, its values, and what they mean."""
    declared = catalog.tables[table]
    measured = catalog.metrics.get(meaning.refers_to) or catalog.column(meaning.refers_to)
    names = [*measured.called.every, *declared.called.every, table.replace("_", " ")]
    names += [text for each in (measured.meaning, declared.meaning) for text in (each.en, each.zh) if text]
    values = [words.every for column in declared.columns.values() for words in column.values.values()]
    return tuple(dict.fromkeys((*names, *(value for every in values for value in every))))


@dataclass(frozen=True)
class _Words:
    own: frozenset[str]
    others: frozenset[str]

    def shared_with(self, other: "_Words") -> float:
        """Return how much of what is said is said by another one too, in the same or in other words."""
        if not self.own:
            return 0.0
        same = len(self.own & other.own) / len(self.own)
        alike = bool(self.others & other.own or self.own & other.others)
        return max(_SAME_WORD * same, _SYNONYM if alike else 0.0)


def _in_words(text: str) -> _Words:
    plain = normalise(text)
    english = " ".join(other for each in to_english(plain) for other in each.others)
    own = {root(word) for word in content_words(plain) if word.isascii() and word not in ENGLISH}
    own |= {each for each in plain if "\u3400" <= each <= "\u9fff"}
    others = {root(word) for word in content_words(f"{english} {widened(text)}") if word.isascii()}
    return _Words(frozenset(own), frozenset(others) - own)
