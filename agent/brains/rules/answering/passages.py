"""A passage as `search_knowledge` gives it, cut into the pieces an answer is made of, each verbatim."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from agent.results import Currency
from language.scripts import holds_chinese, is_chinese

_FENCE = re.compile(r"^\s*(```|~~~)")
# "*Emphasis*" and "3.5" at the start of a wrapped line begin no item.
_BULLET = re.compile(r"^(\s*)(?:[-*+](?=\s)|•|\d{1,3}(?:[)、]|\.(?!\d))|[（(]\d{1,3}[)）])\s*\S")
_ORDERED = re.compile(r"^\s*(?:\d{1,3}[.)、]|[（(]\d{1,3}[)）])")
_RULE = re.compile(r"^\s*+(?:\|\s*+)?:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*(?:\|\s*+)?$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_LEADS_ELSEWHERE = re.compile(
    r"^(?:what'?s next|next steps?|see also|further reading|related(?: pages| topics)?|references?|links?|"
    r"下一步|接下来|参考(?:资料)?|相关(?:页面|文档|链接)?|另见|另请参阅|延伸阅读)$",
    re.IGNORECASE,
)
_PRELIMINARY = re.compile(
    r"^(?:before (?:you )?(?:begin|start)\w*|prerequisites?|requirements|objectives?|why [^?]{2,80}+\??|为什么.{2,40}"
    r"|准备(?:工作|开始)?|开始之前|先决条件|前提(?:条件)?|教程目标)$",
    re.IGNORECASE,
)
#: What a term means, on the line below it.
_DEFINED = re.compile(r"^:\s+\S")
#: A year that is written as a number.
YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]?\d)")
_MARKER = re.compile(r"^\s*(?:[-*+](?=\s)|•|\d{1,3}(?:[)、]|\.(?!\d))|[（(]\d{1,3}[)）])\s*")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|incl|no|nr|ext|tel|fig|st|mr|mrs|ms|dr|inc|ltd|p|a\.m|p\.m|cf)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_”’]*(?=\s+(?:[\"'(\[*_`“‘]*[A-Z0-9]|\S*/))|(?<=[。！？；])[”’」』）]*")


#: Words in bold that head a paragraph, before a mark or alone on their line, and where in one another begins:
#: "**Night shift.** From 20:00 …"; a parameter's name may lead to its place on the page.
_LEAD = re.compile(
    r"[ \t]{0,3}+(?P<mark>\*\*|__)(?:\[(?P<linked>[^\[\]*\n]{1,60}+)\]\([^()\s]{0,200}+\)|(?P<lead>[^*_\n]{1,60}?))"
    r"(?:[.:：。!！?？](?P=mark)|(?P=mark) ?[.:：。](?!\S{0,3}//)|(?P=mark)[ \t]*+(?:$|(?=\n)))\s*+"
)
_LEADS = re.compile(
    r"\n(?=[ \t]{0,3}(?:\*\*|__)[^*_\n]{1,60}(?:[.:：。!！?？](?:\*\*|__)|(?:\*\*|__)(?:[.:：。]|[ \t]*\n))"
    r"|[ \t]{0,3}\*\*\[[^\[\]\n]{1,60}\]\(\S{0,200}\)\*\*[ \t]*\n)"
)


#: What an item begins with that says something of a name: "`periodSeconds`: …".
_NAME = re.compile(
    r"(?:\s*(?:[-*+•]|\d{1,3}[.)、]))?\s*[`*_]{0,3}([^\s`*_:：][^\n`*_:：]{0,39})[`*_]{0,3} ?(?:[:：]|[-–—] |\n: )"
)


class PieceKind(StrEnum):
    """What a piece of a passage is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True)
class Piece:
    """The smallest thing that is cited. `block` numbers the paragraph, list, table or code block it stands in."""

    kind: PieceKind
    text: str  # verbatim
    block: int
    ordered: bool = False  # an item of a numbered list
    header: str = ""  # of a table row: the header line and the rule below it, verbatim
    lead: str = ""  # the words in bold that head its paragraph: "Night shift" of "**Night shift.** From 20:00 …"

    @property
    def above(self) -> str:
        """Return what stands above it and is not said again: the columns of a row, what heads its paragraph."""
        return f"{self.lead} {self.header}".strip()

    @property
    def name(self) -> str:
        """Return the name of which it says something; "" for none."""
        found = _NAME.match(self.text)
        return found[1] if found else self.lead

    @property
    def said(self) -> str:
        """Return its text below what heads its paragraph, as it is compared."""
        return f"{self.lead}: {self.text}" if self.lead and self.lead not in self.text else self.text


@dataclass(frozen=True)
class Passage:
    """One hit, with how search judged it."""

    evidence: str
    title: str
    section: str
    source: str
    text: str
    kind: str = "paragraph"
    updated: str = ""
    not_in_force: str = ""  # `until` or `from` and the day, or `edition`, where its page does not hold now
    language: str = ""
    coverage: float = 0.0
    cosine: float | None = None
    score: float = 0.0
    before: str = ""  # what stands right before the text in its section, other passages included
    after: str = ""
    likeness: tuple[tuple[float, ...], ...] = ()  # of each piece to what was asked, where that was compared

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> "Passage":
        """Read one entry of the tool's `passages`; absent values take their defaults."""
        cosine = item.get("cosine")
        return cls(
            evidence=str(item.get("evidence", "")),
            title=str(item.get("title") or ""),
            section=str(item.get("section") or ""),
            source=str(item.get("source") or ""),
            text=str(item.get("text") or ""),
            kind=str(item.get("kind") or "paragraph"),
            updated=str(item.get("updated") or ""),
            not_in_force=str(item.get("not_in_force") or ""),
            language=str(item.get("language") or ""),
            coverage=float(item.get("coverage") or 0.0),
            cosine=None if cosine is None else float(cosine),
            score=float(item.get("score") or 0.0),
            before=str(item.get("before") or ""),
            after=str(item.get("after") or ""),
            likeness=tuple(tuple(map(float, each)) for each in item.get("likeness") or ()),
        )

    @cached_property
    def path(self) -> tuple[str, ...]:
        """Return the headings from the page's top down to this section."""
        return tuple(part for part in self.section.split(" > ") if part)

    @property
    def currency(self) -> Currency:
        """Return by what its page is followed before another one about the same."""
        return Currency(not self.not_in_force, self.updated)

    @cached_property
    def years(self) -> frozenset[str]:
        """Return the years whose edition its page is: those of its name, or of the last change where it is outdated."""
        named = frozenset(YEAR.findall(f"{self.title} {self.source}"))
        return named or (frozenset((self.updated[:4],)) if self.not_in_force and self.updated else frozenset())

    @property
    def heading(self) -> str:
        """Return the section's own heading, or the title where the passage stands above all headings."""
        return self.path[-1] if self.path else self.title

    @cached_property
    def own_language(self) -> str:
        """Return the language of the passage itself: a page may hold both."""
        if is_chinese(self.text):
            return "zh"
        return self.language if holds_chinese(f"{self.heading}{self.text}") and self.language else "en"

    def is_below(self, other: "Passage") -> bool:
        """Tell whether the passage stands in a part of the other one's section, or of its page above all headings."""
        above = tuple(part for part in other.path if part != other.title)
        own = tuple(part for part in self.path if part != self.title)
        return self.source == other.source and len(own) > len(above) and own[: len(above)] == above

    def is_beside(self, other: "Passage") -> bool:
        """Tell whether the passage stands in the same section."""
        return (self.source, self.section) == (other.source, other.section)

    @property
    def is_navigation(self) -> bool:
        """Tell whether the passage only leads to other pages, so that it answers nothing by itself."""
        return self.kind == "navigation" or _LEADS_ELSEWHERE.match(self.heading.strip()) is not None

    @property
    def is_preliminary(self) -> bool:
        """Tell whether the passage says what must be there before one begins, or why one does it."""
        return _PRELIMINARY.match(self.heading.strip()) is not None

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the passage's pieces in reading order."""
        return tuple(pieces_of(self.text))

    @cached_property
    def around(self) -> tuple[tuple[Piece, bool], ...]:
        """Return the pieces of the passage and of what stands around it, each with whether it is the passage's own.

        One that is cut at the passage's edge is whole here, and its own.
        """
        whole = self.before + self.text + self.after
        begin, end = len(self.before), len(self.before) + len(self.text)
        found: list[tuple[Piece, bool]] = []
        at = 0
        for piece in pieces_of(whole):
            at = max(at, whole.find(piece.text.partition("\n")[0], at))
            found.append((piece, at < end and at + len(piece.text) > begin))
        return tuple(found)


def passages_of(content: Any) -> tuple[Passage, ...]:
    """Return the passages in a tool's result, best first; anything malformed is left out."""
    items = content.get("passages") if isinstance(content, Mapping) else None
    if not isinstance(items, Sequence) or isinstance(items, str):
        return ()
    read = [Passage.of(item) for item in items if isinstance(item, Mapping)]
    usable = {passage.evidence: passage for passage in read if passage.evidence and passage.text.strip()}
    goes_on_in = {str(item.get("evidence")): str(item.get("goes_on_in")) for item in items if isinstance(item, Mapping)}
    return tuple(_with_others(passage, usable, goes_on_in) for passage in usable.values())


def _with_others(passage: Passage, all_of_them: Mapping[str, Passage], goes_on_in: Mapping[str, str]) -> Passage:
    """Return a passage with those that its section goes on in, and those that go on in it."""
    leads_to = {following: name for name, following in goes_on_in.items()}
    before, after = passage.before, passage.after
    for other in _chain(passage.evidence, all_of_them, goes_on_in):
        after += other.text + other.after
    for other in _chain(passage.evidence, all_of_them, leads_to):
        before = other.before + other.text + other.after + before
    return replace(passage, before=before, after=after)


def _chain(name: str, all_of_them: Mapping[str, Passage], following: Mapping[str, str]) -> Iterator[Passage]:
    """Yield the passages that follow one another from the named one on, itself left out."""
    seen = {name}
    while (name := following.get(name, "")) in all_of_them and name not in seen:
        seen.add(name)
        yield all_of_them[name]


def bare(text: str) -> str:
    """Return a list item without its bullet or number."""
    return _MARKER.sub("", text, count=1)


def sentences(paragraph: str) -> Iterator[str]:
    """Yield the sentences of a paragraph, each a verbatim part of it; a soft line break does not end one."""
    start = 0
    for match in _SENTENCE_END.finditer(paragraph):
        candidate = paragraph[start : match.end()].strip()
        if _ABBREVIATION.search(candidate):
            continue
        if candidate:
            yield candidate
        start = match.end()
    rest = paragraph[start:].strip()
    if rest:
        yield rest


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text in reading order."""
    number, defines, above = -1, False, ""  # `above`: words in bold that stand alone head what follows them
    for block in _blocks(text.split("\n")):
        first, lead, above = block[0], above, ""
        is_definition = len(block) > 1 and _DEFINED.match(block[1]) is not None
        number += 0 if defines and is_definition else 1  # terms and what they mean are one list
        defines = is_definition
        if _FENCE.match(first):
            yield Piece(PieceKind.CODE, "\n".join(block).strip("\n"), number)
        elif len(block) > 1 and "|" in first and _RULE.match(block[1]):
            header = "\n".join(block[:2])
            yield from (Piece(PieceKind.ROW, row, number, header=header, lead=lead) for row in block[2:] if row.strip())
        elif _BULLET.match(first):
            yield from (replace(item, lead=lead) for item in _items(block, number))
        elif is_definition:
            yield Piece(PieceKind.ITEM, "\n".join(block), number)
        else:
            paragraphs = _LEADS.split("\n".join(block))
            for at, paragraph in enumerate(paragraphs):
                found = _LEAD.match(paragraph)
                number += at > 0
                named = (found["lead"] or found["linked"]) if found else ""
                above = named if found and found.end() == len(paragraph) else ""
                lead = named or lead
                start = found.end() if found and not above else 0
                for told, sentence in enumerate(sentences(paragraph[start:])):
                    whole = paragraph[:start] + sentence if told == 0 and start else sentence
                    yield Piece(PieceKind.SENTENCE, whole, number, lead=lead)


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield runs of lines that belong together: fences whole, tables, lists with what is indented, paragraphs."""
    block: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if _FENCE.match(line):
            end = _fence_end(lines, at)
            fenced, at = lines[at : end + 1], end + 1
            if block and _BULLET.match(block[0]) and line.startswith((" ", "\t")):
                block.extend(fenced)  # it belongs to the item
            else:
                yield from _flush(block)
                yield list(fenced)
                block = []
            continue
        if _HEADING.match(line) or not line.strip():
            keeps = bool(block) and bool(_BULLET.match(block[0])) and _continues(lines, at)
            if not keeps:
                yield from _flush(block)
                block = []
            at += 1
            continue
        if block and _starts_another(block, line):
            yield from _flush(block)
            block = []
        block.append(line)
        at += 1
    yield from _flush(block)


def _flush(block: list[str]) -> Iterator[list[str]]:
    if block:
        yield block


def _fence_end(lines: Sequence[str], start: int) -> int:
    opening = _FENCE.match(lines[start])
    mark = opening.group(1) if opening else "```"
    for at in range(start + 1, len(lines)):
        if lines[at].strip().startswith(mark):
            return at
    return len(lines) - 1


def _continues(lines: Sequence[str], at: int) -> bool:
    """Tell whether a list goes on after the empty line at `at`."""
    following = next((line for line in lines[at:] if line.strip()), "")
    return bool(_BULLET.match(following)) or following.startswith(("  ", "\t"))


def _starts_another(block: Sequence[str], line: str) -> bool:
    in_list, in_table = bool(_BULLET.match(block[0])), "|" in block[0]
    if _BULLET.match(line):
        return not in_list
    if line.lstrip().startswith("|"):
        return not in_table
    return in_table and "|" not in line


def _items(block: Sequence[str], number: int) -> Iterator[Piece]:
    """Yield list items; what is indented below one belongs to it."""
    indent = len(block[0]) - len(block[0].lstrip())
    item: list[str] = []
    for line in block:
        nested = len(line) - len(line.lstrip()) > indent + 1
        if item and _BULLET.match(line) and not nested:
            yield _item(item, number)
            item = []
        item.append(line)
    yield _item(item, number)


def _item(lines: Sequence[str], number: int) -> Piece:
    return Piece(PieceKind.ITEM, "\n".join(lines).strip("\n"), number, ordered=bool(_ORDERED.match(lines[0])))
