"""Numbered headings in texts that mark none: 第三章, 第二节, 第5条, 一、, （一）, 1.1, Chapter 3.

A number alone proves nothing: running text refers to articles, tables of contents list them, and lists are numbered,
too. So a line counts only where its number follows the one before it at its own level.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from search.parsing.blocks import Block, HeadingBlock, ListItem, Paragraph

_DIGITS = {
    "零": 0,
    "〇": 0,
    "○": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_UNITS = {"十": 10, "百": 100, "千": 1_000}
_NUMERAL = r"[0-9０-９]{1,4}|[零〇○一二两三四五六七八九十百千]{1,7}"
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LABEL = re.compile(
    rf"(?P<whole>第\s?(?P<number>{_NUMERAL})\s?(?P<unit>[编篇章节条]|部分))(?P<sub>之[一二三四五六七八九十]+)?"
    r"(?=[\s：:、.．【《（(]|$)"
    r"|(?P<comma>[一二三四五六七八九十]{1,3})[、．.]"
    r"|[（(](?P<brackets>[一二三四五六七八九十]{1,3})[)）]"
    r"|(?P<decimal>\d{1,2}(?:\.\d{1,2}){1,3})\.?(?=\s)(?!\s*[%％\d])"
    r"|(?P<plain>\d{1,2})(?:[.．、]|(?=\s))(?=\s*[^\W\d_])"
    r"|(?P<word>(?i:part|chapter|section|article|appendix))\s+(?P<count>\d{1,3}|[IVXLC]{1,6}|[A-Z])(?=[\s.:—–-]|$)"
)
_RANKS = {"编": 0, "篇": 0, "部分": 0, "章": 1, "节": 2, "条": 3}
_WORD_RANKS = {"part": 0, "chapter": 1, "appendix": 1, "section": 2, "article": 3}
_ARTICLE, _COMMA, _BRACKETS, _PLAIN = 3, 4, 5, 6
_SENTENCE = re.compile(r"[。；;!！?？,，]|[.:：]$|\.\s")
_CONTENTS = re.compile(r"(?:(?<![.．·…_\s])[.．·…_\s]{3,}+|\t|\s)[\divxlc]{1,4}$")
_LONGEST = 60
#: In a table of contents at least this share of the blocks are numbered lines.
_DENSE = 0.6
#: Fewer numbered lines than this are no structure.
_FEWEST = 2


@dataclass(frozen=True)
class Label:
    """The number at the start of a line: its kind (a smaller rank is further out), its value, and where it ends."""

    rank: int
    number: int
    end: int
    above: tuple[int, ...] = ()  # of 1.2.3 the numbers before the last
    english: bool = False
    inserted: bool = False  # 第五条之一 stands between 5 and 6

    @property
    def article(self) -> bool:
        """Say whether its text may follow on the same line (第五条　员工…)."""
        return self.rank == _ARTICLE and not self.english


@dataclass(frozen=True)
class _NumberedLine:
    place: int
    label: Label
    text: str
    title: str  # what stands beside the number, where that is a title and no sentence


def label_of(text: str) -> Label | None:
    """Return the number that a line begins with, or None."""
    found = _LABEL.match(text)
    if found is None:
        return None
    if found["whole"]:
        return Label(_RANKS[found["unit"]], _value(found["number"]), found.end(), inserted=bool(found["sub"]))
    if han := found["comma"] or found["brackets"]:
        return Label(_COMMA if found["comma"] else _BRACKETS, _value(han), found.end())
    if found["decimal"]:
        *above, last = (int(part) for part in found["decimal"].split("."))
        return Label(_PLAIN + len(above), last, found.end(), above=tuple(above))
    if found["plain"]:
        return Label(_PLAIN, int(found["plain"]), found.end())
    word = found["word"].lower()
    return Label(_WORD_RANKS[word], _count(found["count"]), found.end(), english=True)


@dataclass(frozen=True)
class NumberedHeading:
    """A block that is a heading: how far in (0 for the outermost), what it says, and what follows on in its block."""

    depth: int
    text: str
    rest: str


def headings_in(blocks: Sequence[Block]) -> Mapping[int, NumberedHeading]:
    """Return the numbered headings by the place of their block; none where they are not sure.

    Of an article whose text follows its number (第五条　员工…) the number is the heading.
    """
    chosen = _chosen(blocks)
    if len(chosen) < _FEWEST:
        return {}
    ranks = sorted({found.label.rank for found in chosen})
    return {found.place: _heading(found, ranks.index(found.label.rank)) for found in chosen}


def may_head(lines: Iterable[str]) -> bool:
    """Tell whether lines may be numbered headings; plain numbers alone are a list."""
    labels = (label_of(line) for line in lines)
    return sum(label is not None and label.rank != _PLAIN for label in labels) >= _FEWEST


def with_headings(blocks: Sequence[Block], *, level: int = 1) -> list[Block]:
    """Return the blocks, numbered paragraphs made headings from `level` inwards; as they are where none is sure."""
    headings = headings_in(blocks)
    made: list[Block] = []
    for place, block in enumerate(blocks):
        heading = headings.get(place)
        if heading is None:
            made.append(block)
            continue
        made.append(HeadingBlock(level + heading.depth, heading.text))
        made.extend([Paragraph(heading.rest)] if heading.rest else [])
    return made


def _heading(found: _NumberedLine, depth: int) -> NumberedHeading:
    if found.title:
        first, _, rest = found.text.partition("\n")
        return NumberedHeading(depth, first, rest.strip())
    rest = found.text[found.label.end :].strip(" \u3000\t：:、")
    return NumberedHeading(depth, found.text[: found.label.end], rest)


def _chosen(blocks: Sequence[Block]) -> list[_NumberedLine]:
    candidates = [found for place, block in enumerate(blocks) if (found := _candidate(place, block)) is not None]
    real = candidates[_after_contents(candidates) :]
    parents = {found.label.above for found in real if found.label.number == 1}
    kept = _in_sequence([found for found in real if found.label.rank != _PLAIN or (found.label.number,) in parents])
    often = Counter(found.label.rank for found in kept)
    return [
        found
        for found, after in zip(kept, [*kept[1:], None], strict=False)
        if found.label.rank <= _ARTICLE
        or often[found.label.rank] >= _FEWEST
        or (after is not None and _heads(found, after))
    ]


def _heads(found: _NumberedLine, after: _NumberedLine) -> bool:
    """Say whether a number that stands alone at its level has another below it (一、 and then （一）)."""
    return found.label.rank == _COMMA and after.label.rank == _BRACKETS and after.label.number == 1


def _after_contents(candidates: Sequence[_NumberedLine]) -> int:
    """Return where the text begins after a table of contents: there its first line comes once more.

    Two texts in one file may begin alike, too; but a table of contents has little between its numbered lines.
    """
    outermost = min((found.label.rank for found in candidates), default=0)
    first = next((found for found in candidates if found.label.rank == outermost and found.title), None)
    for number, found in enumerate(candidates):
        if first is not None and found is not first and _name(found) == _name(first):
            dense = number - candidates.index(first) >= _DENSE * (found.place - first.place)
            return number if dense else 0
    return 0


def _candidate(place: int, block: Block) -> _NumberedLine | None:
    text = _text(block)
    if (label := label_of(text)) is None:
        return None
    first = text.partition("\n")[0].strip()
    beside = _CONTENTS.sub("", first[label.end :]).strip()
    titled = len(first) <= _LONGEST and not _SENTENCE.search(beside)
    if label.article:
        return _NumberedLine(place, label, text, first if titled and beside else "")
    return _NumberedLine(place, label, text, first) if titled else None


def _text(block: Block) -> str:
    """Return what may begin with a number: a paragraph, or an item whose mark is one."""
    match block:
        case Paragraph(text):
            return text
        case ListItem(text, _, mark) if mark:
            return f"{mark} {text}"
        case _:
            return ""


def _name(candidate: _NumberedLine) -> str:
    return "".join(_CONTENTS.sub("", candidate.title).split())


def _in_sequence(candidates: Sequence[_NumberedLine]) -> list[_NumberedLine]:
    """Keep those whose number is the next one at its level; a level may begin again below another heading."""
    kept: list[_NumberedLine] = []
    numbers: dict[int, int] = {}
    anew: set[int] = set()
    for found in candidates:
        label = found.label
        if _follows(label, numbers, anew=label.rank in anew):
            anew = (anew | {rank for rank in numbers if rank > label.rank}) - {label.rank}
            numbers[label.rank] = label.number
            kept.append(found)
    return kept


def _follows(label: Label, numbers: Mapping[int, int], *, anew: bool) -> bool:
    if label.above and label.above[-1] != numbers.get(label.rank - 1, label.above[-1]):
        return False
    before = numbers.get(label.rank)
    if before is None:
        return label.number == 1 or label.rank <= _ARTICLE
    if label.inserted:
        return label.number == before
    if label.number == 1 and label.rank < _ARTICLE and not label.english:  # a second text in the same file
        return True
    if anew and (label.number == 1 or label.rank != _ARTICLE):  # articles mostly count on through the chapters
        return label.number == 1
    return before < label.number <= before + (10 if label.rank <= _ARTICLE else 1)


def _value(numeral: str) -> int:
    if numeral[0] not in _DIGITS and numeral[0] not in _UNITS:
        return int(numeral)  # full-width digits, too
    if not any(letter in _UNITS for letter in numeral):
        return int("".join(str(_DIGITS[letter]) for letter in numeral))
    total, digit = 0, 0
    for letter in numeral:
        if letter in _UNITS:
            total += (digit or 1) * _UNITS[letter]
            digit = 0
        else:
            digit = _DIGITS[letter]
    return total + digit


def _count(text: str) -> int:
    if text.isdigit():
        return int(text)
    lowered = text.lower()
    if len(lowered) > 1 or lowered in "ivx":
        values = [_ROMAN[letter] for letter in lowered]
        return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
    return ord(lowered) - ord("a") + 1
