"""What numbers are measured in, as people say it: "how many kilos", 多少公斤."""

import re
from collections.abc import Sequence

from features.data.understanding.words.concepts import MONEY_UNITS
from features.data.understanding.words.items import Item
from features.data.understanding.words.signs import CLASSIFIERS, Sign

_WORDS = {
    "mass": "kg kgs kilo kilos kilogram kilograms t ton tons tonne tonnes gram grams 公斤 千克 斤 吨 克",
    "hours": "h hr hrs hour hours 小时 钟头",
    "minutes": "min mins minute minutes 分钟",
    "days": "day days 天",
    "distance": "km kms kilometre kilometres kilometer kilometers mile miles 公里 千米 里",
    "volume": "l litre litres liter liters m3 m³ hl 升 立方米 方",
    "area": "m2 m² sqm ha hectare hectares 平方米 平米 公顷 亩",
    "energy": "kwh mwh 度 千瓦时",
    "money": "euro euros pound pounds dollar dollars quid yuan 元 块 块钱 欧元 英镑 美元",
}
_UNITS = {word: unit for unit, words in _WORDS.items() for word in words.split()}
#: Currencies, as catalogues write them, and as people say them.
_CURRENCIES = {
    ("eur", "€", "euro"): ("euro", "euros", "eur", "in euro", "in euros", "欧元", "欧"),
    ("gbp", "£"): ("pound", "pounds", "gbp", "in pounds", "quid", "英镑"),
    ("usd", "$"): ("dollar", "dollars", "usd", "in dollars", "美元", "美金"),
    ("cny", "rmb", "元", "人民币"): ("yuan", "rmb", "in yuan", "人民币"),
}
#: What things are counted by that are no kinds or parts of something.
_PIECES = CLASSIFIERS - {*"个家种位名项"}
_PEOPLE = re.compile(r"\bhow many people\b|(?:多少|几)[个位名]?人")
_ENGLISH = re.compile(r"\bhow many ([a-z0-9]{1,12})\b")
_CHINESE = re.compile("(?:多少|几)(" + "|".join(sorted((w for w in _UNITS if not w.isascii()), key=len)[::-1]) + ")")


def unit_of(written: str) -> str:
    """Return what kind of thing a unit of the catalogue measures; the unit itself where that is not known."""
    plain = written.strip().lower()
    return "money" if plain in MONEY_UNITS else _UNITS.get(plain, plain)


def is_currency(said: str, unit: str) -> bool:
    """Tell whether a word for money may be said of what is measured in a unit: "euros" of EUR, "money" of any."""
    named = next((codes for codes, words in _CURRENCIES.items() if said.lower() in words), ())
    plain = unit.strip().lower()
    return not named or plain in named or plain not in {code for codes in _CURRENCIES for code in codes}


def unit_in(text: str) -> tuple[str, str]:
    """Return the unit that "how many …" asks for and what kind of thing it measures; twice "" for none."""
    found = _ENGLISH.search(text.lower()) or _CHINESE.search(text)
    kind = _UNITS.get(found[1], "") if found else ""
    return (found[1], kind) if found and kind else ("", "")


def asks_people(text: str) -> bool:
    """Tell whether it is asked how many people there were: 来了多少人."""
    return _PEOPLE.search(text.lower()) is not None


def counts_things(items: Sequence[Item]) -> bool:
    """Tell whether pieces or times are asked for: "how many", 几趟, and not 几块钱."""
    asked = [item.word.text.lower() for item in items if item.meaning is Sign.HOW_MANY]
    if any(item.meaning is Sign.MONEY for item in items) or unit_in(" ".join(asked))[1]:
        return False
    return any(said == "how many" or (said[-1:] in CLASSIFIERS and len(said) > 1) for said in asked)


def counts_pieces(items: Sequence[Item]) -> bool:
    """Tell whether it is said what is counted, which is no money: 几件, 几单."""
    asked = [item.word.text for item in items if item.meaning is Sign.HOW_MANY]
    return counts_things(items) and any(said[:-1] in ("几", "多少") and said[-1] in _PIECES for said in asked)


def is_of_amount(items: Sequence[Item]) -> bool:
    """Tell whether an amount of something is asked for, rather than how many of it: "how much", a bare 多少."""
    asked = [item.word.text.lower() for item in items if item.meaning is Sign.HOW_MANY]
    return bool(asked) and all(said.endswith(("much", "多少")) for said in asked)


def asks_amount(items: Sequence[Item]) -> bool:
    """Tell whether "how much" is asked, which counts nothing."""
    return any(item.meaning is Sign.HOW_MANY and item.word.text.lower().endswith("how much") for item in items)
