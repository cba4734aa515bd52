"""What a paragraph of a Word file says (its visible words, all changes taken in) and what it is: heading, list, code.

Left out are deleted and hidden text, field codes and comments; text boxes come after the paragraph that they are
anchored in, footnotes after the one that refers to them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from urllib.parse import quote

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from search.parsing.blocks import SAFE, Block, HeadingBlock, Paragraph, inline
from search.parsing.text.reader import ends_sentence

_TEXT, _LINK, _BOX = qn("w:t"), qn("w:hyperlink"), qn("w:txbxContent")
_ID, _RUN_PROPERTIES = qn("r:id"), qn("w:rPr")
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_SKIPPED = frozenset(qn(f"w:{name}") for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "rt"))
_DRAWN = {qn("w:tab"): " ", qn("w:ptab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_NOTES = frozenset({qn("w:footnoteReference"), qn("w:endnoteReference")})
_OFF = ("0", "false", "off")
_FOLLOWED = ("https://", "http://", "mailto:")


@dataclass
class ParagraphWords:
    """What a paragraph says, as Markdown; `boxes` are the text boxes in it, `notes` the marks of its notes."""

    text: str = ""
    raw: str = ""  # the same without escapes, for code
    boxes: list[BaseOxmlElement] = field(default_factory=list)
    notes: list[BaseOxmlElement] = field(default_factory=list)


def words_of(paragraph: BaseOxmlElement, links: Mapping[str, str], hidden: frozenset[str]) -> ParagraphWords:
    """Return what a paragraph says; `links` are the addresses of hyperlinks by id, `hidden` the styles that hide."""
    words = ParagraphWords()
    pieces = [(text, link) for text, link in _Walk(links, hidden, words).pieces(paragraph, "") if text]
    for link, run in groupby(pieces, key=lambda piece: piece[1]):
        text = "".join(text for text, _ in run)
        words.raw += text
        words.text += _linked(text, link)
    words.text = "\n".join(line.strip() for line in words.text.split("\n")).strip()
    return words


def is_on(properties: BaseOxmlElement | None, name: str) -> bool:
    """Say whether a property that is on or off is on."""
    found = properties.find(qn(name)) if properties is not None else None
    return found is not None and str(found.get(qn("w:val")) or "1") not in _OFF


@dataclass(frozen=True)
class _Walk:
    links: Mapping[str, str]
    hidden: frozenset[str]
    words: ParagraphWords

    def pieces(self, node: BaseOxmlElement, link: str) -> Iterator[tuple[str, str]]:
        """Yield the texts below a node, each with the address that it leads to."""
        for child in node:
            tag = str(child.tag)
            if tag in {_TEXT, _MATH}:
                yield child.text or "", link
            elif tag in _DRAWN:
                yield _DRAWN[tag], link
            elif tag in _NOTES:
                self.words.notes.append(child)
            elif tag == _BOX:
                self.words.boxes.append(child)
            elif tag == _LINK:
                yield from self.pieces(child, self.links.get(str(child.get(_ID)), link))
            elif tag == _ALTERNATIVES:
                yield from self._chosen(child, link)
            elif tag not in _SKIPPED and not self._is_hidden(child):
                yield from self.pieces(child, link)

    def _chosen(self, alternatives: BaseOxmlElement, link: str) -> Iterator[tuple[str, str]]:
        """Read one of several forms of the same thing: the first, which is the newest."""
        for choice in alternatives:
            yield from self.pieces(choice, link)
            return

    def _is_hidden(self, node: BaseOxmlElement) -> bool:
        properties = node.find(_RUN_PROPERTIES)
        if properties is None:
            return False
        style = properties.find(qn("w:rStyle"))
        return is_on(properties, "w:vanish") or (style is not None and style.get(qn("w:val")) in self.hidden)


def _linked(text: str, link: str) -> str:
    shown = text.strip()
    if not shown or not link.startswith(_FOLLOWED) or any(letter in shown for letter in "[]\n"):
        return inline(text)
    before, _, after = text.partition(shown)
    return f"{before}[{inline(shown)}]({quote(link, safe=SAFE)}){after}"


_HEADING = re.compile(r"(?:heading|标题|überschrift|titre|título)\s*(?P<level>[1-9])$", re.IGNORECASE)
_TITLE = re.compile(r"(?:title|标题|文档标题)$", re.IGNORECASE)
_CODE = re.compile(r"\bcode\b|preformatted|listing|代码", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|目录)\s*(?:\d|heading)?$|table of figures", re.IGNORECASE)
_BODY_TEXT = 9


@dataclass(frozen=True)
class Style:
    """What one style, with those that it is based on, gives its paragraphs."""

    level: int = 0  # of a heading, from 1; 0: no heading
    title: bool = False
    code: bool = False
    contents: bool = False  # a line of the table of contents
    hidden: bool = False
    list_id: str = ""
    depth: int = 0


PLAIN = Style()


def styles_of(element: BaseOxmlElement) -> dict[str, Style]:
    """Return the styles by id."""
    nodes = {str(node.get(qn("w:styleId"))): node for node in element.iter(qn("w:style"))}
    return {name: _style(list(_chain(node, nodes))) for name, node in nodes.items()}


def outline_level(properties: BaseOxmlElement | None) -> int | None:
    """Return the level that paragraph properties set for the outline, 0 for body text, None when they set none."""
    found = _number(properties, "w:outlineLvl")
    if found is None:
        return None
    return found + 1 if found < _BODY_TEXT else 0


def list_of(properties: BaseOxmlElement | None) -> tuple[str, int | None]:
    """Return the list ("" for none named, "0" for none at all) and the depth that paragraph properties set."""
    numbering = properties.find(qn("w:numPr")) if properties is not None else None
    if numbering is None:
        return "", None
    list_id = _number(numbering, "w:numId")
    return "" if list_id is None else str(list_id), _number(numbering, "w:ilvl")


def _chain(node: BaseOxmlElement, nodes: dict[str, BaseOxmlElement]) -> Iterator[BaseOxmlElement]:
    """Yield a style and those that it is based on, nearest first."""
    seen: set[int] = set()
    found: BaseOxmlElement | None = node
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        base = found.find(qn("w:basedOn"))
        found = nodes.get(str(base.get(qn("w:val")))) if base is not None else None


def _style(chain: list[BaseOxmlElement]) -> Style:
    names = [str(name.get(qn("w:val")) or "") for node in chain if (name := node.find(qn("w:name"))) is not None]
    properties = [node.find(qn("w:pPr")) for node in chain]
    levels = [level for each in properties if (level := outline_level(each)) is not None]
    named = [int(found["level"]) for name in names if (found := _HEADING.match(name))]
    lists = [list_of(each) for each in properties]
    return Style(
        level=levels[0] if levels else (named[0] if named else 0),
        title=any(_TITLE.match(name) for name in names),
        code=any(_CODE.search(name) for name in names),
        contents=any(_CONTENTS.match(name) for name in names),
        hidden=any(is_on(node.find(qn("w:rPr")), "w:vanish") for node in chain),
        list_id=next((list_id for list_id, _ in lists if list_id), ""),
        depth=next((depth for _, depth in lists if depth is not None), 0),
    )


def _number(parent: BaseOxmlElement | None, name: str) -> int | None:
    found = parent.find(qn(name)) if parent is not None else None
    text = str(found.get(qn("w:val")) or "") if found is not None else ""
    return int(text) if text.isdecimal() and len(text) < 10 else None


_LONGEST = 80
_MOST_LEVELS = 3
#: Fewer are no structure; and where more than this share of all blocks is bold, it means something else.
_FEWEST, _MOST = 2, 0.5


def bold_size(paragraph: BaseOxmlElement) -> int | None:
    """Return the size of a paragraph's letters in half points (0 where it names none), None unless all are bold."""
    runs = [run for run in paragraph.iter(qn("w:r")) if any((text.text or "").strip() for text in run.iter(qn("w:t")))]
    properties = [run.find(qn("w:rPr")) for run in runs]
    if not runs or not all(is_on(each, "w:b") for each in properties):
        return None
    sizes = [str(each.find(qn("w:sz")).get(qn("w:val"))) for each in properties if each.find(qn("w:sz")) is not None]
    return max((int(size) for size in sizes if size.isdecimal() and len(size) < 5), default=0)


def with_bold_headings(blocks: Sequence[Block], bold: Mapping[int, tuple[Block, int]]) -> list[Block]:
    """Return the blocks, bold paragraphs made headings; `bold` holds those and their sizes by the block's identity."""
    heads = {
        id(block): bold[id(block)][1]
        for block in blocks
        if id(block) in bold and isinstance(block, Paragraph) and _may_head(block.text)
    }
    if not _FEWEST <= len(heads) <= _MOST * len(blocks):
        return list(blocks)
    ordered = sorted(set(heads.values()), reverse=True)
    return [
        HeadingBlock(min(1 + ordered.index(heads[id(block)]), _MOST_LEVELS), block.text)
        if id(block) in heads and isinstance(block, Paragraph)
        else block
        for block in blocks
    ]


def _may_head(text: str) -> bool:
    return (
        len(text) <= _LONGEST
        and "\n" not in text
        and (not ends_sentence(text) or text.endswith((":", "：", "?", "？")))
    )
