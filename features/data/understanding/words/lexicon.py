"""The words of one catalogue beside those of questions, made into a vocabulary once."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from features.data.understanding.words.concepts import UNITS, spellings
from features.data.understanding.words.deeds import deeds_of, undone
from features.data.understanding.words.once import once
from features.data.understanding.words.periods.weekdays import on_days
from features.data.understanding.words.senses import COUNTED, names_in, roots_of, senses_of
from features.data.understanding.words.signs import Sign, phrases
from features.data.understanding.words.vocabulary import Named, Vocabulary, tokens_of
from queries.sql.catalog.catalog import Catalog, CatalogColumn, Words

#: What may stand behind the name of a place or a part of a company, where its column is called by it: 部 of 部门.
_KINDS = ("部", "区", "市", "省", "州", "县", "店", "组", "科", "院", "馆")
_RELATIVES = (("who",), ("that",), ("which",))
_MEANS = ("average", "mean", "avg")
_GOES_ON = re.compile(r"([a-z]{2,15}?)([bdgklmnprt]?)ing")


@once
def vocabulary_of(catalog: Catalog, known: Mapping[str, Iterable[str]]) -> Vocabulary:
    """Return the words of a catalogue, of the known values of its columns, and of questions; made once for each."""
    made = _of_catalog(catalog)
    if not known:
        return made
    made = made.copied()
    for place, values in known.items():
        for value in values:
            made.add(value, Named("value", place, value))
    return made


@once
def _of_catalog(catalog: Catalog) -> Vocabulary:
    made = Vocabulary()
    for phrase, sign in _sign_phrases():
        made.add(phrase, sign)
    for phrase, days in on_days():
        made.add(phrase, days)
    for meaning, phrase in names_in(catalog, own=True):
        for said in _as_means(phrase) if meaning.kind == "metric" else (phrase,):
            made.add(said, meaning)
    for table, declared in catalog.tables.items():
        for name, column in declared.columns.items():
            place = f"{table}.{name}"
            made.units |= spellings(column.unit)
            _add_deeds(made, place, deeds_of(column, name))
            for value, words in column.values.items():
                for other in (*_what_goes_on(words), *_of_kind(words, column), *_not_yet(words)):
                    made.add(other, Named("value", place, column.held(value)))
    made.others = set(UNITS - made.units)
    _add_causes(made, catalog)
    _add_bare_values(made, catalog)
    _add_short_names(made, catalog)
    made.senses = senses_of(catalog)
    made.roots = roots_of(catalog, made.senses)
    return made


def _add_deeds(made: Vocabulary, place: str, deeds: Iterable[str]) -> None:
    """Let what is done on a day, and what was not, be said where the catalogue calls nothing else so."""
    for deed in deeds:
        for said in ("下了", "下的", "新下了", "新下的") if deed == "下单" else ():
            made.add(said, Named("column", place))
        if not any(each.kind in ("table", "metric") for each in made.named(deed)):  # "visits" are no visit_at
            made.add(deed, Named("column", place))
        for said in undone(deed):
            if not any(each.kind == "value" and each.value is not None for each in made.named(said)):
                made.add(said, Named("value", place, None))


def _add_short_names(made: Vocabulary, catalog: Catalog) -> None:
    """Let a metric be called without what is done, where one metric alone is: "pieces" for "pieces sold"."""
    short: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, metric in catalog.metrics.items():
        for called in metric.called.every:
            tokens = tuple(token for token, _, _ in tokens_of(COUNTED.sub("", called)))
            left = tuple(token for token in tokens if Sign.TRADE not in made.meanings.get((token,), ()))
            if left[-1:] in _RELATIVES:
                continue  # "customers who" did not buy are none of the "customers who bought"
            if left and left not in made.meanings and (len(left) > 1 or called.isascii()):
                short[left].add(catalog.same[name])
    for left, names in short.items():
        if len(names) == 1:
            made.add(" ".join(left), Named("metric", names.pop()))


def _add_causes(made: Vocabulary, catalog: Catalog) -> None:
    """Let 什么原因 ask for the column of that name, where there is one, rather than why."""
    for table, declared in catalog.tables.items():
        for name, column in declared.columns.items():
            for called in column.called.zh:
                asked = tuple(token for token, _, _ in tokens_of(f"什么{called}"))
                if Sign.WHY in made.meanings.get(asked, ()):
                    made.meanings[asked] = [Named("column", f"{table}.{name}")]


def _add_bare_values(made: Vocabulary, catalog: Catalog) -> None:
    """Let values be called as the database writes them, where nothing else is called so."""
    bare: dict[tuple[str, ...], list[tuple[str, Named]]] = defaultdict(list)
    for table, declared in catalog.tables.items():
        for name, column in declared.columns.items():
            for value, words in column.values.items():
                if column.type != "flag" and words.every and value not in words.every:
                    key = tuple(token for token, _, _ in tokens_of(value))
                    bare[key].append((value, Named("value", f"{table}.{name}", value)))
    for key, values in bare.items():
        others = made.meanings.get(key, [])
        if key and all(isinstance(each, Named) and each.kind == "value" for each in others):
            for value, named in values:
                made.add(value, named)


def _as_means(phrase: str) -> Iterator[str]:
    """Yield the ways to say "average bill": "mean bill", "avg bill"; any other name as it is."""
    yield phrase
    first, _, rest = phrase.partition(" ")
    if first.lower() in _MEANS and rest:
        yield from (f"{each} {rest}" for each in _MEANS)


def _what_goes_on(words: Words) -> Iterator[str]:
    """Yield the words of what does something now: "run" of "running"."""
    for called in words.en:
        if goes_on := _GOES_ON.fullmatch(called.lower()):
            yield goes_on[1] if goes_on[1].endswith(goes_on[2]) and goes_on[2] else goes_on[1] + goes_on[2]


def _not_yet(words: Words) -> Iterator[str]:
    """Yield the spoken names of what was not done: 没通过 of 未通过."""
    for called in words.zh:
        if called.startswith("未") and len(called) > 2:
            yield from (f"{none}{called[1:]}" for none in ("没", "没有", "还没", "还没有"))


def _of_kind(words: Words, column: CatalogColumn) -> Iterator[str]:
    """Yield the Chinese names of a value with what it is: 销售部 of 销售, where the column is called 部门."""
    kinds = [each for each in _KINDS if any(called.endswith((each, f"{each}门")) for called in column.called.zh)]
    for called in words.zh:
        yield from (called + each for each in kinds if not called.endswith(each))


@lru_cache(maxsize=1)
def _sign_phrases() -> tuple[tuple[str, Sign], ...]:
    return tuple(phrases())
