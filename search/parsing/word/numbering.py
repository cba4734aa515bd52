"""The numbers that Word draws before paragraphs: they stand nowhere in the text and are counted here."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

_CHINESE = "零一二三四五六七八九"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_SMALL_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_DEEPEST = 9


@dataclass(frozen=True)
class Level:
    """How one level of a list counts: from which number, in which numerals, and with what around them."""

    start: int = 1
    numerals: str = "decimal"
    text: str = ""  # with %1 … %9 for the numbers of the levels


@dataclass
class _List:
    abstract: str
    levels: dict[int, Level]
    restarts: dict[int, int] = field(default_factory=dict)  # levels that count anew when this list first comes


class Numbering:
    """The lists of one document and how far each has counted."""

    def __init__(self, element: BaseOxmlElement | None) -> None:
        self._lists = dict(_lists(element)) if element is not None else {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def next(self, list_id: str, depth: int) -> str | None:
        """Count one paragraph and return what Word draws before it: "" for a bullet, None where there is no list."""
        found = self._lists.get(list_id)
        if found is None or depth not in found.levels:
            return None
        counts = self._counts.setdefault(found.abstract, {})
        if list_id not in self._begun:
            self._begun.add(list_id)
            for level, start in found.restarts.items():
                counts[level] = start - 1
        counts[depth] = counts.get(depth, found.levels[depth].start - 1) + 1
        for deeper in [level for level in counts if level > depth]:
            del counts[deeper]
        return _label(found.levels, counts, depth)


def numeral(number: int, numerals: str) -> str:
    """Return a number in Word's numerals of that name; plain digits for those that are not known."""
    if "Roman" in numerals:
        text = _roman(number)
        return text.upper() if numerals.startswith("upper") else text
    if "Letter" in numerals:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if numerals.startswith("upper") else letter
    if "EnclosedCircle" in numerals and 1 <= number <= len(_CIRCLED):
        return _CIRCLED[number - 1]
    if numerals == "decimalZero":
        return f"{number:02}"
    if numerals.startswith(("chinese", "taiwanese", "japanese", "ideograph")) and 0 < number < 1_000:
        return _chinese(number)
    return str(number)


def _label(levels: dict[int, Level], counts: dict[int, int], depth: int) -> str:
    level = levels[depth]
    if level.numerals in {"bullet", "none"} and "%" not in level.text:
        return "" if level.numerals == "bullet" else level.text.strip()
    text = level.text
    for other in range(min(depth + 1, _DEEPEST)):
        known = levels.get(other, Level())
        text = text.replace(f"%{other + 1}", numeral(counts.get(other, known.start), known.numerals))
    return text.strip()


def _lists(element: BaseOxmlElement) -> Iterator[tuple[str, _List]]:
    abstracts = {_value(node, "abstractNumId"): dict(_levels(node)) for node in element.iter(qn("w:abstractNum"))}
    for node in element.iter(qn("w:num")):
        reference = node.find(qn("w:abstractNumId"))
        abstract = _value(reference, "val") if reference is not None else ""
        found = _List(abstract, dict(abstracts.get(abstract, {})))
        for override in node.iter(qn("w:lvlOverride")):
            depth = _number(_value(override, "ilvl"), 0)
            found.levels |= dict(_levels(override))
            start = override.find(qn("w:startOverride"))
            if start is not None:
                found.restarts[depth] = _number(_value(start, "val"), 1)
        yield _value(node, "numId"), found


def _levels(element: BaseOxmlElement) -> Iterator[tuple[int, Level]]:
    for node in element.iter(qn("w:lvl")):
        said = {
            name: _value(child, "val")
            for name in ("start", "numFmt", "lvlText")
            if (child := node.find(qn(f"w:{name}"))) is not None
        }
        level = Level(_number(said.get("start", ""), 1), said.get("numFmt", "decimal"), said.get("lvlText", ""))
        yield _number(_value(node, "ilvl"), 0), level


def _value(element: BaseOxmlElement, name: str) -> str:
    return str(element.get(qn(f"w:{name}")) or "")


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else otherwise


def _roman(number: int) -> str:
    text = ""
    for value, letters in (*_ROMAN, *_SMALL_ROMAN):
        text += letters * (number // value)
        number %= value
    return text


def _chinese(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    text = f"{_CHINESE[hundreds]}百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _CHINESE[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (_CHINESE[ones] if ones else "")
