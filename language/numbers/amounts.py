"""Numbers in words and amounts, English and Chinese: "seven", "two thousand euros", "5至9年", "up to 250"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from language.words import normalise

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
#: Word → number, up to twenty.
SPELLED = {word: number for number, word in enumerate(_ENGLISH.split())}
_CHINESE = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"两": 2, "俩": 2}
_PLACES = {"十": 10, "廿": 20, "卅": 30, "百": 100, "千": 1_000}
_ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = SPELLED | {word: 10 * at for at, word in enumerate(_ENGLISH_TENS.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "k": 1_000, "million": 1_000_000, "百": 100, "千": 1_000, "万": 10_000}
_AMOUNT = re.compile(
    rf"(?<![\w.,-])(?P<spelled>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
    r"(?: (?P<times>hundred|thousand|million)\b)?(?: (?P<after>[a-z]{2,12}))?"
    r"|(?<![\d.])(?P<digits>\d{1,3}(?:[,，]\d{3}){1,4}(?:\.\d{1,4})?|\d{1,12}(?:\.\d{1,4})?) ?"
    r"(?P<scale>thousand\b|million\b|k\b|百|千|万)?(?: ?(?P<unit>[a-z]{2,12}|[\u4e00-\u9fff]))?"
    r"|(?<![第周零一二三四五六七八九十百])(?P<chinese>[零一二两三四五六七八九十百]{1,7})(?P<of>[千万]?)"
    r"(?=[元块天日年月周人次个%小])(?P<measure>.)"
    r"|(?P<large>[一二两三四五六七八九十]{1,3})(?P<largest>[千万])"
)
_BETWEEN = re.compile(r"(?<=[\d年月天元块岁%€$ ])(?:to|until|-|–|—|至|到|~|～)(?=[\d €$])")
_UP_TO = re.compile(
    r"\b(?:up to|less than|under|below|at most|until|no more than)\b|^[<≤]|不满|不足|不超过|以下|以内|之内"
)
_FROM = re.compile(
    r"\b(?:above|over|more than|at least|from|(?:and|or) (?:more|above|over|up))\b|^[>≥]|\d ?\+|以上|超过|起$"
)


@dataclass(frozen=True)
class Amount:
    """A number and the word or character right after it, "" for none."""

    value: float
    unit: str = ""


@dataclass(frozen=True)
class AmountRange:
    """From one number to another, both of them in it."""

    low: float
    high: float

    def holds(self, value: float, *, beyond: bool = False) -> bool:
        """Tell whether a number lies within; `beyond`: whether what is a little more than it does."""
        return self.low <= value < self.high if beyond else self.low <= value <= self.high


def whole(written: str) -> int:
    """Return the number of digits, an English word up to twenty, or a Chinese one; raise ValueError."""
    if written.isdecimal():
        return int(written)
    if written in SPELLED:
        return SPELLED[written]
    above, total, digit = 0, 0, 0
    for character in written:
        if character in _PLACES:
            total += (digit or 1) * _PLACES[character]
            digit = 0
        elif character == "万":
            above, total, digit = above + (total + digit) * 10_000, 0, 0
        elif character == "亿":
            above, total, digit = (above + total + digit) * 100_000_000, 0, 0
        elif character in _CHINESE:
            digit = _CHINESE[character]
        else:
            raise ValueError(written)
    return above + total + digit


def amounts_in(text: str) -> Iterator[Amount]:
    """Yield the amounts of a text, in order."""
    for found in _AMOUNT.finditer(normalise(text)):
        said = {name: value for name, value in found.groupdict().items() if value}
        if "digits" in said:
            value = float(re.sub("[,，]", "", said["digits"])) * _SCALES.get(said.get("scale", ""), 1)
            yield Amount(value, said.get("unit", ""))
        elif "spelled" in said:
            yield Amount(_WORDS[said["spelled"]] * _SCALES.get(said.get("times", ""), 1), said.get("after", ""))
        elif "chinese" in said:
            yield Amount(whole(said["chinese"]) * _SCALES.get(said.get("of", ""), 1), said["measure"])
        else:
            yield Amount(whole(said["large"]) * _SCALES[said["largest"]])


def range_of(text: str) -> AmountRange | None:
    """Return the range that a text names, None for anything else."""
    plain = normalise(text).strip("*_` ")
    values = [each.value for each in amounts_in(plain)]
    if len(values) == 2 and _BETWEEN.search(plain) and values[0] < values[1]:
        return AmountRange(values[0], values[1])
    if len(values) != 1:
        return None
    if _FROM.search(plain):
        return AmountRange(values[0], inf)
    return AmountRange(-inf, values[0]) if _UP_TO.search(plain) else None
