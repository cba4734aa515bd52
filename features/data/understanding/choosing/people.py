"""Whom "who" and short names of jobs mean: those who buy or those who sell, and 销售 of 销售员."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from features.data.understanding.words.concepts import GROUPS
from features.data.understanding.words.vocabulary import CutWord, Named, Vocabulary, tokens_of
from queries.sql.catalog.catalog import Catalog

#: What is done by those who buy, and by those who sell.
_BUYING = ("buy", "bought", "order", "ordered", "purchase", "purchased", "place", "placed", "spend", "spent")
_BUYING_ZH = ("买", "购", "下单", "下的单", "下了", "订了", "订的", "消费", "花了", "花的")
_SELLING = (
    "sell", "sold", "selling", "close", "closed", "bring", "brought", "win", "won", "earn", "earned", "generate",
    "generated",
)  # fmt: skip
_SELLING_ZH = ("卖", "签", "成交", "业绩", "销售额", "带来")
#: What asks for people, and what they are called with behind what they do.
_ASKED = frozenset({"各", "按", "哪些", "多少"})
_PERSON_KINDS = ("员", "人员", "工程师")
_BUYERS = frozenset(word for group in GROUPS if {"customers", "buyers"} <= set(group) for word in group)
_SELLERS = frozenset(word for group in GROUPS if {"sellers", "salespeople"} <= set(group) for word in group)


def who_meant(words: Sequence[CutWord], catalog: Catalog) -> tuple[CutWord, ...]:
    """Return the words with "who" as those only who do what is said, where the catalogue names both."""
    found = [word for word in words if len(_named(word)) > 1]
    if not found:
        return tuple(words)
    text = "".join(word.text for word in words)
    said = {token for word in words if not _is_thing(word) for token, _, _ in tokens_of(word.text)}
    buys = bool(said & set(_BUYING)) or any(each in text for each in _BUYING_ZH)
    sells = bool(said & set(_SELLING)) or any(each in text for each in _SELLING_ZH)
    if buys is sells:
        return tuple(words)
    meant = _BUYERS if buys else _SELLERS
    return tuple(_only(word, meant, catalog) if word in found else word for word in words)


def persons_in_full(words: Sequence[CutWord], vocabulary: Vocabulary) -> tuple[CutWord, ...]:
    """Return the words with the people too that are asked for in short: 哪个销售, 几个测试."""
    found = list(words[:1])
    for before, word in pairwise(words):
        asked = before.text in _ASKED or before.text[-1:] in ("个", "位", "名")
        whole = (
            (vocabulary.named(word.text + kind) for kind in _PERSON_KINDS) if asked and not word.text.isascii() else ()
        )
        others = tuple(each for named in whole for each in named if each not in word.meanings)
        found.append(replace(word, meanings=(*others, *word.meanings)) if others else word)
    return tuple(found)


def is_either(word: CutWord) -> bool:
    """Tell whether a word still means several people: whose number is asked for, only the person can tell."""
    return len(_named(word)) > 1


def _is_thing(word: CutWord) -> bool:
    """Tell whether a word names what is counted: "orders" are no deed."""
    return any(isinstance(each, Named) and each.kind in ("metric", "table") for each in word.meanings)


def _only(word: CutWord, meant: frozenset[str], catalog: Catalog) -> CutWord:
    kept = [each for each in _named(word) if meant & _called(each, catalog)]
    if len(kept) != 1:
        return word
    return replace(word, meanings=tuple(each for each in word.meanings if each not in _named(word) or each in kept))


def _named(word: CutWord) -> list[Named]:
    """Return the columns that "who" may be; [] for any other word."""
    if not (word.text.lower() == "who" or word.text == "谁"):
        return []
    return [each for each in word.meanings if isinstance(each, Named) and each.kind == "column"]


def _called(named: Named, catalog: Catalog) -> frozenset[str]:
    """Return what the people of a column are called, in the plural and the singular."""
    table = named.refers_to.partition(".")[0]
    own = {each.lower() for each in catalog.column(named.refers_to).called.every}
    of_table = (
        catalog.tables[table].called.every if catalog.tables[table].label == named.refers_to.partition(".")[2] else ()
    )
    names = own | {each.lower() for each in of_table}
    return frozenset({*names, *(f"{each}s" for each in names)})
