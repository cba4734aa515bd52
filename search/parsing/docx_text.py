"""What a paragraph of a Word file says: its visible words, as they are after all changes were taken in.

Left out are deleted and hidden text, field codes and comments; text boxes come after the paragraph that they are
anchored in, footnotes after the one that refers to them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from urllib.parse import quote

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from search.parsing.literal import SAFE, inline

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
class Words:
    """What a paragraph says, as Markdown; `boxes` are the text boxes in it, `notes` the marks of its notes."""

    text: str = ""
    raw: str = ""  # the same without escapes, for code
    boxes: list[BaseOxmlElement] = field(default_factory=list)
    notes: list[BaseOxmlElement] = field(default_factory=list)


def words_of(paragraph: BaseOxmlElement, links: Mapping[str, str], hidden: frozenset[str]) -> Words:
    """Return what a paragraph says; `links` are the addresses of hyperlinks by id, `hidden` the styles that hide."""
    words = Words()
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
    words: Words

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
