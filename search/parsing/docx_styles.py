"""What the styles of a Word file say about a paragraph: heading, list, code, hidden, or nothing of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from search.parsing.docx_text import is_on

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
