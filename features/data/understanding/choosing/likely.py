"""Which number a message is probably about that names none in full: by parts of names, units, and what is done.

What comes of it is asked back with the likeliest numbers as choices; only where every word speaks for one number, and
for no other, it is answered, saying what was taken for what.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from features.data.understanding.words.forms import root
from features.data.understanding.words.once import once
from features.data.understanding.words.periods.spans import DaySpan, OnDays, OnHours
from features.data.understanding.words.senses import EMPTY, EMPTY_ZH, names_in
from features.data.understanding.words.signs import CLASSIFIERS, GRAINS, Sign
from features.data.understanding.words.units import asks_people, unit_in, unit_of
from features.data.understanding.words.vocabulary import CutWord, Named, tokens_of
from queries.sql.catalog.catalog import Catalog, CatalogColumn, Metric
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery

_ALIKE = {"没": "未"}
#: What asks for a number: beside one of these, parts of names tell which.
_ASKING = (
    Sign.HOW_MANY, Sign.TOP, Sign.BOTTOM, Sign.SHARE, Sign.WHICH, Sign.AVERAGE, Sign.SUM, Sign.COMPARE, Sign.CHANGE,
    Sign.TREND, Sign.BY, Sign.EACH,
)  # fmt: skip
_WHO = ("who", "谁")
_PERSONS = frozenset(map(root, ("people", "guest", "visitor", "attendee", "participant", "admission", "passenger")))
#: What speaks for a number: a word of its own name, of its table's, and how it is asked for.
_OWN, _NEAR, _ASKED = 2.0, 1.0, 1.0
#: What says more of a number than which it is.
_BINDING = (Sign.VAGUE, Sign.OTHER, Sign.DISTINCT, Sign.EXACTLY)
#: How much likelier the likeliest has to be than any other to be answered at once, and the least to be offered.
_CLEAR, _LEAST, _FAR = 1.5, 2.0, 3.0
_MOST_NUMBERS = 12
#: What names of numbers of trade are made of.
_TRADE = frozenset({*"售卖销购订买", *map(root, ("sale", "sales", "order", "purchase", "revenue", "takings"))})
_PLURAL = re.compile(r"[a-z ]{2,40}(?<![sui])s", re.IGNORECASE)
_ADDED_ZH = ("数", "量", "额", "费", "收入", "款")
_ADDED = ("income", "revenue", "amount", "total", "cost", "weight", "quantity", "volume")


@dataclass(frozen=True)
class Likely:
    """A number that may be meant: the words of the message with it in its place, and how much speaks for it."""

    words: tuple[CutWord, ...]
    meaning: Named
    weight: float
    table: str
    is_sum: bool  # of money
    is_whole: bool  # every word has a part in it
    is_named: bool  # one of its names is said in other words or another order


@dataclass(frozen=True)
class _Number:
    """A metric, or a column that can be added up."""

    meaning: Named
    table: str
    unit: str
    counts: bool
    is_people: bool
    is_traded: bool  # things are bought or sold by it
    names: frozenset[str]
    near: frozenset[str]
    called: tuple[frozenset[str], ...]


@dataclass
class _Spoken:
    """The words of a message by what they are for."""

    kept: list[CutWord] = field(default_factory=list)  # values, periods, splits, signs
    telling: list[CutWord] = field(default_factory=list)  # what may tell the number
    unknown: list[CutWord] = field(default_factory=list)


def likely(words: Sequence[CutWord], catalog: Catalog) -> list[Likely]:
    """Return the numbers that a message may be about, the likeliest first; none for what asks for no number."""
    if not any(word.has(*_ASKING) and not word.text.lower().startswith(_WHO) for word in words):
        return []
    if any(word.has(Sign.UNTOLD) for word in words):
        return []
    if not any(_is_ours(word) for word in words) and not unit_in(_text(words))[1]:
        return []
    if any(map(_is_of_rows, words)) and any(word.has(Sign.AVERAGE) for word in words):
        return []  # "average order amount": of what each row says, and not how many there are
    sums = {each.refers_to for word in words for each in _sure_sums(word, catalog)}
    amount = any(_is_amount(word, catalog) for word in words)  # "rental charges" are no number of rentals
    numbers = [
        each
        for each in _numbers(catalog)
        if (not sums or each.meaning.refers_to in sums)
        and not (amount and each.meaning.kind == "metric" and _is_count(catalog.metrics[each.meaning.refers_to]))
    ]
    hints = _parts_of_names(catalog)
    words = _with_splits(words, hints, catalog)
    said = _sorted(words, hints, catalog)
    if not said.telling:
        return []
    found = [each for number in numbers if (each := _weighed(number, said, words, catalog)) is not None]
    found.sort(key=lambda each: -each.weight)
    specific = _is_specific(said)
    return [each for each in found if each.weight >= _LEAST and (specific or each.is_named)][:_MOST_NUMBERS]


def _is_of_rows(word: CutWord) -> bool:
    """Tell whether a word asks how many, or is what each row says: "amount"."""
    return word.has(Sign.HOW_MANY) and any(isinstance(each, Named) and each.kind == "column" for each in word.meanings)


def _sure_sums(word: CutWord, catalog: Catalog) -> Iterator[Named]:
    """Yield the numbers that a word names and that count no rows: nothing else is meant by it."""
    named = (each for each in word.meanings if isinstance(each, Named) and each not in word.supposed)
    yield from (each for each in named if each.kind == "metric" and not _is_count(catalog.metrics[each.refers_to]))


def _is_amount(word: CutWord, catalog: Catalog) -> bool:
    """Tell whether a word surely is an amount with a unit that each row says."""
    named = (each for each in word.meanings if isinstance(each, Named) and each not in word.supposed)
    columns = [catalog.column(each.refers_to) for each in named if each.kind == "column"]
    return any(column.type == "number" and column.unit for column in columns)


def _is_ours(word: CutWord) -> bool:
    """Tell whether a word is the catalogue's own, or of trade: parts of names alone may be about anything."""
    named = any(isinstance(each, Named) and each not in word.supposed for each in word.meanings)
    return named or word.has(Sign.TRADE) or "sell" in word.text.lower()


def is_measured_so(query: DataQuery, catalog: Catalog, text: str) -> bool:
    """Tell whether a query gives what was asked for: kilos and guests are no numbers of entries."""
    unit = unit_in(text)[1]
    measured = measure_of(query, catalog) if isinstance(query, MetricQuery) else None
    if unit and measured is not None:
        return not measured.counts_rows and unit_of(measured.unit) in (unit, "")  # catalogues may name no units
    counts = measured.counts_rows if measured is not None else isinstance(query, RowQuery) and query.count
    if not counts or not asks_people(text):
        return True
    table = measured.table if measured is not None else getattr(query, "table", "")
    return not any(each.is_people and each.table == table for each in _numbers(catalog))


def is_clear(found: Sequence[Likely]) -> bool:
    """Tell whether the first is meant: all words speak for it, and much less for any other."""
    rivals = [each for each in found[1:] if each.table == found[0].table and each.is_sum != found[0].is_sum]
    if rivals and any(word.has(Sign.TRADE) for word in found[0].words) and found[0].weight - rivals[0].weight < _FAR:
        return False  # what is sold most by money may be another thing by pieces
    return found[0].is_whole and (len(found) == 1 or found[0].weight - found[1].weight >= _CLEAR)


def _is_specific(said: _Spoken) -> bool:
    """Tell whether it is said of what, or of when, a number is asked: a mere word of a name may be about anything."""
    return any(
        isinstance(each, DaySpan) or (isinstance(each, Named) and each.kind == "value")
        for word in said.kept
        for each in word.meanings
        if each not in word.supposed
    ) or any(word.has(Sign.TOP, Sign.BOTTOM, Sign.SHARE, Sign.BY) for word in said.kept)


@once
def _numbers(catalog: Catalog) -> tuple[_Number, ...]:
    return tuple(_told(catalog))


def _told(catalog: Catalog) -> Iterator[_Number]:
    summed: set[str] = set()
    for name, metric in catalog.metrics.items():
        if catalog.same[name] != name:
            continue
        summed.add(f"{metric.table}.{_summed(metric)}")
        yield _number(catalog, Named("metric", name), metric.table, metric)
    for table, declared in catalog.tables.items():
        for name, column in declared.columns.items():
            place = f"{table}.{name}"
            called = column.called.every or (name.replace("_", " "),)
            if column.type == "number" and place not in summed and not column.masked and _adds_up(called):
                yield _number(catalog, Named("column", place), table, column)


def _number(catalog: Catalog, meaning: Named, table: str, measured: Metric | CatalogColumn) -> _Number:
    declared, summed = catalog.tables[table], _summed(measured) if isinstance(measured, Metric) else ""
    called = measured.called.every or (meaning.refers_to.rpartition(".")[2].replace("_", " "),)
    own = [*called]
    if summed in declared.columns:
        own += [*declared.columns[summed].called.every, summed.replace("_", " ")]
    near = [*declared.called.every, table.replace("_", " ")]
    for name, each in declared.columns.items():
        near += [*each.called.every, name.replace("_", " ")] if each.type in ("date", "time") else []
    return _Number(
        meaning=meaning,
        table=table,
        unit=unit_of(measured.unit),
        counts=_is_count(measured),
        is_people=not _is_count(measured) and _of_people(called),
        is_traded=bool(_TRADE & (_parts(called) | _parts(declared.called.every))),
        names=_parts(own),
        near=_parts(near),
        called=tuple(_parts((name,)) for name in called),
    )


def _is_count(measured: Metric | CatalogColumn) -> bool:
    return isinstance(measured, Metric) and measured.expression.lower().replace(" ", "").startswith("count(")


def _of_people(called: Sequence[str]) -> bool:
    return any("人" in each for each in called) or bool(_parts(called) & _PERSONS)


def _summed(metric: Metric) -> str:
    found = re.fullmatch(r"sum\(\s*([a-z_0-9]+)\s*\)", metric.expression.strip(), re.IGNORECASE)
    return found[1] if found else ""


def _adds_up(called: Sequence[str]) -> bool:
    """Tell whether a column's name is that of something countable: "screens", 桶数."""
    return any(
        _PLURAL.fullmatch(each) or each.lower().endswith(_ADDED) if each.isascii() else each.endswith(_ADDED_ZH)
        for each in called
    )


def _parts(names: Sequence[str]) -> frozenset[str]:
    """Return the roots of the English words of names, and the characters of the Chinese ones."""
    tokens = (token for name in names for token, _, _ in tokens_of(name))
    return frozenset(
        root(token) if token.isascii() else _ALIKE.get(token, token)
        for token in tokens
        if token not in EMPTY and token not in EMPTY_ZH
    )


@once
def _parts_of_names(catalog: Catalog) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for meaning, phrase in names_in(catalog):
        if meaning.kind != "value":
            for part in _parts((phrase,)):
                found[part].add(meaning.refers_to)
    return {part: frozenset(names) for part, names in found.items()}


def _sorted(words: Sequence[CutWord], hints: Mapping[str, frozenset[str]], catalog: Catalog) -> _Spoken:
    said = _Spoken()
    for word in words:
        sure = [each for each in word.meanings if each not in word.supposed]
        parts = _parts((word.text,))
        names = any(isinstance(each, Named) and each.kind in ("metric", "table", "column") for each in word.meanings)
        counts = word.has(Sign.FILLER) and word.text in CLASSIFIERS  # 三个 is no part of 几个单
        if any(_is_sure(each, catalog) for each in sure) or word.has(*_ASKING, *_BINDING, *GRAINS) or counts:
            said.kept.append(word)
        elif names or any(part in hints for part in parts) or word.has(Sign.TRADE):
            said.telling.append(word)
        elif word.meanings:
            said.kept.append(word)
        else:
            said.unknown.append(word)
    return said


def _is_sure(meaning: object, catalog: Catalog) -> bool:
    """Tell whether a meaning bounds a number: a period, a value, or what holds of rows, "one-way"."""
    if not isinstance(meaning, Named):
        return isinstance(meaning, DaySpan | OnDays | OnHours | float)
    return meaning.kind == "value" or (meaning.kind == "column" and catalog.column(meaning.refers_to).type == "flag")


def _weighed(number: _Number, said: _Spoken, words: Sequence[CutWord], catalog: Catalog) -> Likely | None:
    """Return a number with what speaks for it, None where something speaks against it."""
    asked = _asked_for(number, words)
    if asked is None:
        return None
    weight, taken, left = asked, [], []
    for word in (*said.telling, *_values_in_name(said.kept, number)):
        spoken = _spoken(word, number)
        weight += spoken
        if spoken and not _is_split(word, words):
            taken.append(word)
        else:
            left.append(word)
    if not taken:
        return None
    unit = unit_in(_text(words))[0]
    ranks = (word for word in words if word.has(Sign.TOP, Sign.BOTTOM))
    torn = any(taken[0].start < word.start < taken[-1].start for word in ranks)  # 下单最多的客户 are no 下单客户
    whole = not torn and all(word.text in unit for word in said.unknown)
    whole = whole and all(_stands_for(word, catalog, number) for word in left)
    whole = whole and not any(_is_other_day(word, catalog, number) for word in taken)
    told = frozenset(part for word in taken for part in _parts((word.text,)))
    named = any(parts and parts <= told for parts in number.called)
    if number.meaning.kind == "metric":
        weight += _ASKED
    return Likely(
        words=tuple(_in_place(words, taken, number)),
        meaning=number.meaning,
        weight=weight + named,
        table=number.table,
        is_sum=number.unit == "money",
        is_whole=whole,
        is_named=named,
    )


def _is_other_day(word: CutWord, catalog: Catalog, number: _Number) -> bool:
    """Tell whether a word says what is done on another day than a number is of: who joined did not leave."""
    time = catalog.metrics[number.meaning.refers_to].time if number.meaning.kind == "metric" else ""
    own = ".".join(catalog.place(time, number.table)) if time else ""
    named = [each for each in word.meanings if isinstance(each, Named) and each not in word.supposed]
    days = [each for each in named if each.kind == "column" and catalog.column(each.refers_to).type == "date"]
    return bool(own and days) and all(each.refers_to != own for each in days) and len(days) == len(named)


def _values_in_name(kept: Sequence[CutWord], number: _Number) -> list[CutWord]:
    """Return the values that a number is called by: 漏收 of 漏收次数."""
    parts = ((word, _parts((word.text,))) for word in kept if any(isinstance(each, Named) for each in word.meanings))
    return [word for word, said in parts if said and said <= number.names]


def _spoken(word: CutWord, number: _Number) -> float:
    """Return how much a word speaks for a number; a Chinese character is half a word."""
    best = 0.0
    for part in _parts((word.text,)):
        scale = 1.0 if part.isascii() else 0.6
        best += scale * (_OWN if part in number.names else _NEAR if part in number.near else 0.0)
    if best == 0 and number.is_traded and word.has(Sign.TRADE):
        return _NEAR
    supposed = (each.refers_to for each in word.supposed if isinstance(each, Named))
    return _NEAR if best == 0 and number.meaning.refers_to in supposed else best


def _asked_for(number: _Number, words: Sequence[CutWord]) -> float | None:
    """Return what speaks for a number in how it is asked for: money, a unit, pieces; None where that excludes it."""
    text = _text(words)
    if asks_people(text) and (number.is_people or number.counts):
        return 2 * _ASKED if number.is_people else 0.0
    if unit := unit_in(text)[1]:
        return 2 * _ASKED if number.unit == unit else None
    if any(word.has(Sign.MONEY) for word in words) or "多少钱" in text:
        return _ASKED if number.unit == "money" else None
    counted = any(f"{ask}{each}" in text for ask in ("几", "多少") for each in CLASSIFIERS)
    if "how many" in text or counted:
        return _ASKED if not number.unit else None if number.unit == "money" else 0.0
    if "how much" in text:
        return None if number.counts else _CLEAR if number.unit not in ("", "money") else 0.0
    return 0.0


def _text(words: Sequence[CutWord]) -> str:
    text = "".join(f" {word.text} " if word.text.isascii() else word.text for word in words).lower()
    return " ".join(text.split())


def _with_splits(
    words: Sequence[CutWord], hints: Mapping[str, frozenset[str]], catalog: Catalog
) -> tuple[CutWord, ...]:
    """Return the words with what "which …" may ask for by a part of its name: 哪种料 of 料种."""
    found: list[CutWord] = []
    for word in words:
        asked = bool(found) and found[-1].has(Sign.WHICH, Sign.BY, Sign.EACH)
        parts = _parts((word.text,))
        sure = any(each not in word.supposed for each in word.meanings)
        if asked and not sure and parts and all(part in hints for part in parts):
            names = frozenset.intersection(*(hints[part] for part in parts))
            told = tuple(Named("column", each) for each in sorted(names) if _tells_apart(each, catalog))
            found.append(CutWord(word.text, word.start, word.end, told, told) if told else word)
        else:
            found.append(word)
    return tuple(found)


def _tells_apart(named: str, catalog: Catalog) -> bool:
    table, dot, column = named.partition(".")
    return bool(dot) and catalog.tables[table].columns[column].type == "text"


def _is_split(word: CutWord, words: Sequence[CutWord]) -> bool:
    """Tell whether a word says what is told apart or ranked: "which depot", 各站点."""
    at = words.index(word)
    return (
        at > 0
        and words[at - 1].has(Sign.BY, Sign.WHICH, Sign.EACH)
        and any(isinstance(each, Named) and each.kind in ("column", "table") for each in word.meanings)
    )


def _stands_for(word: CutWord, catalog: Catalog, number: _Number) -> bool:
    """Tell whether a word that does not tell the number has a part beside it."""
    named = (each for each in word.meanings if isinstance(each, Named))
    return any(catalog.path(number.table, each.refers_to.partition(".")[0]) is not None for each in named)


def _in_place(words: Sequence[CutWord], taken: Sequence[CutWord], number: _Number) -> Iterator[CutWord]:
    """Yield the words that mean something, with the number in the place of the first that tells it."""
    for word in words:
        if word == taken[0]:
            if number.meaning.kind == "column":
                yield CutWord(word.text, word.start, word.start, (Sign.SUM,))
            yield CutWord(word.text, word.start, word.end, (number.meaning,), (number.meaning,))
        elif word not in taken and word.meanings:
            yield word
