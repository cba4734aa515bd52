"""What else things of a catalogue may be called: other forms of their names, parts of them, other words of any trade.

Such a sense is tried only where the catalogue's own words lead to nothing, and an answer that rests on one says so.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from features.data.understanding.words.concepts import (
    GROUPS,
    MONEY,
    MONEY_UNITS,
    NONE_LEFT,
    PLAIN,
    STOCK,
    spellings,
)
from features.data.understanding.words.deeds import LATE, OVERDUE, overdue_by
from features.data.understanding.words.forms import root
from features.data.understanding.words.vocabulary import Named, NameKind, tokens_of
from language.word_tables import STOP_ENGLISH
from queries.sql.catalog.catalog import Catalog, Words

Tokens = tuple[str, ...]
#: What a name of a sum of money ends with, longest first.
_SUMS = tuple(
    tuple(each) if not each.isascii() else (each,)
    for each in (
        "cost",
        "fee",
        "expense",
        "income",
        "revenue",
        "spending",
        "费用",
        "成本",
        "收入",
        "支出",
        "费",
        "款",
        "额",
    )
)
#: What stands in so many names that it tells none apart.
EMPTY = frozenset({"number", "count", "total", "amount", "date", "day", "name", "id", "of", "the", "per", "on", "at"})
EMPTY_ZH = frozenset("数量额的日期单号名称类型状态金时间级别人次率中平均已在")
_SAYS_NOTHING, _SAYS_NOTHING_ZH = EMPTY | {"paid", "new"}, EMPTY_ZH | {*"价格店未"}
#: What a name says of its unit.
_WITH_UNIT = re.compile(
    r"[（(][^（()）]{1,12}[)）]$|(?<=\w) in (?:cents|pence|eur|euros?|gbp|usd|dollars|pounds|kg|km)$", re.IGNORECASE
)
#: Characters of 拆除日期.
_DEED_ON_DAY = 4
#: What a Chinese name ends with that a question leaves out.
COUNTED = re.compile(r"(?:数量|人数|次数|类型|名称|原因|数|量)$")


def names_in(catalog: Catalog, *, own: bool = False) -> Iterator[tuple[Named, str]]:
    """Yield each thing of a catalogue with each of its names.

    `own`: metrics and tables also by the names that the catalogue knows them by, but values only as people call them.
    """
    for name, metric in catalog.metrics.items():
        yield from _called(Named("metric", catalog.same[name]), metric.called, name, always=own)
    for table, declared in catalog.tables.items():
        yield from _called(Named("table", table), declared.called, table, always=own)
        for name, column in declared.columns.items():
            place = f"{table}.{name}"
            if column.called.every or not catalog.belonging(place):  # a key is called as what it leads to
                yield from _called(Named("column", place), column.called, name)
            for value, words in column.values.items():
                named = Named("value", place, column.held(value))
                yield from ((named, each) for each in words.every)
                if column.type != "flag" and not (own and words.every):
                    yield named, value


def senses_of(catalog: Catalog) -> Mapping[Tokens, Sequence[Named]]:
    """Return the senses that a catalogue gives to words that it does not list."""
    found: dict[Tokens, list[Named]] = defaultdict(list)
    names = [(meaning, _key(phrase)) for meaning, phrase in names_in(catalog)]
    whats = _of_what(catalog, names)
    told = (
        *_of_groups([*names, *whats]),
        *_of_money(catalog, names),
        *((" ".join(key), meaning) for meaning, key in whats),
        *_of_parts(names),
        *_of_parts_of_values(names),
        *_of_deeds(catalog, names),
        *_of_bare_names(names),
        *_of_stock(catalog, names),
        *_of_days(catalog, names),
        *_of_overdue(catalog),
        *_of_units(catalog),
    )
    for phrase, meaning in told:
        key = _key(phrase)
        if key and meaning not in found[key]:
            found[key].append(meaning)
    return found


def roots_of(catalog: Catalog, senses: Mapping[Tokens, Sequence[Named]]) -> Mapping[Tokens, Sequence[Named]]:
    """Return the meanings of names and senses in any form of their words."""
    found: dict[Tokens, list[Named]] = defaultdict(list)
    pairs = [(meaning, _key(phrase)) for meaning, phrase in names_in(catalog)]
    pairs += [(meaning, key) for key, meanings in senses.items() for meaning in meanings]
    for meaning, key in pairs:
        rooted = tuple(root(each) for each in key)
        if all(each.isascii() for each in key) and meaning not in found[rooted]:
            found[rooted].append(meaning)
    return found


def _called(meaning: Named, words: Words, name: str, *, always: bool = False) -> Iterator[tuple[Named, str]]:
    spoken = () if words.every and not always else (name.replace("_", " "),)
    for each in (*words.every, *spoken):
        yield meaning, each
        if (bare := _WITH_UNIT.sub("", each).strip()) and bare != each:
            yield meaning, bare  # "amount (EUR)", 金额（分）


def _key(phrase: str) -> Tokens:
    return tuple(text for text, _, _ in tokens_of(phrase))


def _of_groups(names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield the words of each group for the things of the catalogue that it names; a whole name goes before a part."""
    for words in GROUPS:
        keys = {_key(each) for each in words}
        for meaning in _named_by(keys, names):
            for word in words:
                yield word, meaning


def _named_by(keys: set[Tokens], names: Sequence[tuple[Named, Tokens]]) -> list[Named]:
    rooted = {tuple(map(root, key)) for key in keys}
    whole = [meaning for meaning, key in names if tuple(map(root, key)) in rooted]
    for kinds in (("metric", "table"), ("column",), ("value",)):
        if found := [meaning for meaning in whole if meaning.kind in kinds]:
            return list(dict.fromkeys(found))
    parts = [meaning for meaning, key in names if meaning.kind != "value" and _ends_with(key, keys)]
    return list(dict.fromkeys(parts))


def _ends_with(name: Tokens, keys: set[Tokens]) -> bool:
    """Tell whether a name is one of these with something before it: "room revenue", 客房收入."""
    least = 1 if name and name[-1].isascii() else 2
    return any(name[at:] in keys for at in range(1, len(name) - least + 1))


def _of_money(catalog: Catalog, names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield what comes in, what goes out, and their difference where the catalogue has both."""
    sums = {name for name, metric in catalog.metrics.items() if metric.adds_up and metric.unit.lower() in MONEY_UNITS}
    metrics = [(meaning, key) for meaning, key in names if meaning.kind == "metric" and meaning.refers_to in sums]
    keys = {each: {_key(word) for word in words} for each, words in MONEY.items()}
    out = [each.refers_to for each in _named_by(keys["out"], metrics)]
    come = [each.refers_to for each in _named_by(keys["in"], metrics) if each.refers_to not in out]
    come = come or [
        each for each in catalog.metrics if each in sums and each not in out and not catalog.metrics[each].where
    ]
    spoken = set(MONEY["out"])
    tables = defaultdict(list)
    for name in out:
        metric = catalog.metrics[name]
        tables[metric.table, metric.time, metric.unit].append(name)
    for pair in (names for names in tables.values() if len(names) == 2):
        yield from ((word, Named("metric", pair[0], f"+{pair[1]}")) for word in MONEY["out"])
    for name in come:
        yield from ((word, Named("metric", name)) for word in MONEY["in"] if word not in spoken or word in _BOTH)
    for name in out:
        yield from ((word, Named("metric", name)) for word in MONEY["out"])
    for one, other in product(come, out):
        first, second = catalog.metrics[one], catalog.metrics[other]
        if (first.table, first.time, first.unit) == (second.table, second.time, second.unit):
            yield from ((word, Named("metric", one, f"-{other}")) for word in (*MONEY["profit"], *MONEY["earned"]))
    if out:
        yield from ((word, Named("metric", name)) for name in come for word in MONEY["earned"])


def _of_what(catalog: Catalog, names: Sequence[tuple[Named, Tokens]]) -> list[tuple[Named, Tokens]]:
    """Return the names of sums of money without that they are: "parts" of "parts cost", 配件 of 配件费."""
    taken = {key for _, key in names}
    found: dict[Tokens, set[Named]] = defaultdict(set)
    for meaning, key in names:
        is_sum = meaning.kind == "metric" and catalog.metrics[meaning.refers_to].unit.lower() in MONEY_UNITS
        bare = next((key[: -len(each)] for each in _SUMS if key[-len(each) :] == each), ())
        if is_sum and len("".join(bare)) > 1 and bare not in taken:
            found[bare].add(meaning)
    return [(each, bare) for bare, meanings in found.items() for each in meanings if len(meanings) == 1]


def _of_stock(catalog: Catalog, names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield what is said of a number of things in stock that is nothing."""
    keys = {_key(each) for each in STOCK}
    for meaning in dict.fromkeys(meaning for meaning, key in names if key in keys and meaning.kind == "column"):
        if catalog.column(meaning.refers_to).type == "number":
            yield from ((word, Named("value", meaning.refers_to, "0")) for word in NONE_LEFT)


_BOTH = frozenset({"spend", "spent", "花", "花了"})


def _of_parts(names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield words that stand in names of one thing alone: "wage" of "hourly wage"."""
    holders: dict[str, set[Named]] = defaultdict(set)
    for meaning, key in names:
        if len(key) > 1 and key[0].isascii() and meaning.kind != "value":
            for word in key:
                if len(word) > 3 and word not in _SAYS_NOTHING and word not in STOP_ENGLISH:
                    holders[word].add(meaning)
    for word, meanings in holders.items():
        kinds = {meaning.kind for meaning in meanings}
        if len(meanings) == 1 or (len(kinds) == 2 and kinds == {"metric", "table"}):
            yield from ((word, meaning) for meaning in meanings)


def _of_parts_of_values(names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield words that stand in the name of one value alone: "Brickworks" of Old Brickworks."""
    holders: dict[str, set[Named]] = defaultdict(set)
    whole = {root(key[0]) for meaning, key in names if len(key) == 1 and meaning.kind in ("metric", "table")}
    for meaning, key in names:
        for word in key:
            if word.isascii() and len(word) > 3 and word not in PLAIN and root(word) not in whole:
                holders[word].add(meaning)
    for word, meanings in holders.items():
        if len(meanings) == 1 and (only := next(iter(meanings))).kind == "value":
            yield word, only


def _of_bare_names(names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield Chinese names without what they count or how they begin: 板 of 板数, 接受 of 已接受, 没修复 of 未修复."""
    short: dict[str, set[Named]] = defaultdict(set)
    for meaning, key in names:
        if key and not key[0].isascii():
            for word in _shorter("".join(key), meaning.kind):
                short[word].add(meaning)
    for word, meanings in short.items():
        if len({meaning.refers_to.partition(".")[0] for meaning in meanings}) == 1:
            yield from ((word, meaning) for meaning in meanings)


def _shorter(said: str, kind: NameKind) -> Iterator[str]:
    if kind == "value" and said[0] in "已被" and len(said) > 2:
        yield said[1:]
    if kind == "value" and said[0] == "未":
        yield from (none + said[1:] for none in ("没", "没有", "还没", "还没有"))
    if kind == "value":
        yield from (said[-2:],) if len(said) > 3 else ()  # 门店 of 酒庄门店
        return
    if bare := COUNTED.sub("", said):
        yield from () if bare == said else (bare,)
    if kind in ("table", "column") and len(said) > 2 and said[-1] not in _SAYS_NOTHING_ZH:
        yield said[-1]


def _of_days(catalog: Catalog, names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield what is done on a day: "pick up" of "pick-up date"."""
    deeds: dict[str, set[Named]] = defaultdict(set)
    for meaning, key in names:
        dated = meaning.kind == "column" and catalog.column(meaning.refers_to).type in ("date", "time")
        if dated and len(key) > 1 and key[-1] in ("date", "day", "on", "at"):
            yield " ".join(key[:-1]), meaning
        if dated and len(key) == _DEED_ON_DAY and key[2:] in (("日", "期"), ("时", "间")):
            for character in key[:2]:
                deeds[character].add(meaning)
    for character, meanings in deeds.items():
        if len(meanings) == 1 and character not in _SAYS_NOTHING_ZH:
            yield character, next(iter(meanings))  # 拆 of 拆除日期


def _of_overdue(catalog: Catalog) -> Iterator[tuple[str, Named]]:
    """Yield what is said of rows that something should have been done with by now."""
    for table in catalog.tables:
        if days := overdue_by(catalog, table):
            yield from ((word, Named("value", days[0], OVERDUE)) for word in LATE)


def _of_units(catalog: Catalog) -> Iterator[tuple[str, Named]]:
    """Yield what the one sum is measured in: "km" and 公里 of the distance that was driven."""
    sums: dict[str, set[str]] = defaultdict(set)
    for name, metric in catalog.metrics.items():
        if metric.unit and metric.adds_up and metric.unit.lower() not in MONEY_UNITS and metric.unit != "%":
            sums[metric.unit].add(catalog.same[name])
    for unit, names in sums.items():
        if len(names) == 1:
            yield from ((said, Named("metric", next(iter(names)))) for said in spellings(unit))


def _of_deeds(catalog: Catalog, names: Sequence[tuple[Named, Tokens]]) -> Iterator[tuple[str, Named]]:
    """Yield Chinese characters that stand in names of one table alone, as what is done with its rows: 修 of 维修单."""
    deeds: dict[str, set[str]] = defaultdict(set)
    for meaning, key in names:
        if key and not key[0].isascii():
            for character in set(key) - _SAYS_NOTHING_ZH:
                deeds[character].add(_table_of(catalog, meaning))
    for character, tables in deeds.items():
        counts = [name for name, metric in catalog.metrics.items() if metric.table in tables and metric.counts_rows]
        if len(tables) == 1 and len(counts) == 1 and _names_deed(character, catalog, counts[0]):
            yield character, Named("metric", counts[0])


def _names_deed(character: str, catalog: Catalog, metric: str) -> bool:
    named = (*catalog.metrics[metric].called.zh, *catalog.tables[catalog.metrics[metric].table].called.zh)
    return any(character in each for each in named)


def _table_of(catalog: Catalog, meaning: Named) -> str:
    if meaning.kind == "metric":
        return catalog.metrics[meaning.refers_to].table
    return meaning.refers_to.partition(".")[0]
