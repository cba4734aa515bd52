"""A Word file to Markdown: headings by style, lists with the numbers that Word draws, tables, notes.

Left out are headers and footers, comments, deleted and hidden text, and the table of contents, which only repeats
the headings. Macros are not looked at.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from io import BytesIO
from typing import assert_never

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.exceptions import PackageNotFoundError
from docx.opc.part import Part, PartFactory
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.package import Package
from docx.parts.document import DocumentPart

from search.errors import FileUnreadable, Reason
from search.parsing.blocks import Block, CodeBlock, HeadingBlock, ListItem, Paragraph, TableBlock, inline, to_markdown
from search.parsing.contents import BROKEN_ARCHIVE
from search.parsing.converted import Converted, own_title
from search.parsing.markdown.clauses import with_headings
from search.parsing.markdown.front_matter import day_of
from search.parsing.word.numbering import Numbering
from search.parsing.word.styles import (
    PLAIN,
    Style,
    bold_size,
    list_of,
    outline_level,
    styles_of,
    with_bold_headings,
    words_of,
)

_WITH_MACROS = "application/vnd.ms-word.document.macroEnabled.main+xml"
_MACROS = "vbaProject"
_HOLDERS = frozenset(qn(f"w:{name}") for name in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml"))
_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_ID, _VALUE = qn("w:id"), qn("w:val")
#: A longer paragraph in the style of a heading is none.
_LONGEST_HEADING = 300


def convert(content: bytes) -> Converted:
    """Return a Word file as Markdown; raises `FileUnreadable`."""
    PartFactory.part_type_for[_WITH_MACROS] = DocumentPart
    try:
        package = Package.open(BytesIO(content))
        document = package.main_document_part.document
        reader = _WordReader(document)
    except (PackageNotFoundError, *BROKEN_ARCHIVE, SyntaxError, KeyError, AttributeError) as error:
        raise FileUnreadable("is broken: it is no Word file that can be opened", Reason.BROKEN) from error
    blocks = _merged(reader.blocks(document.element.body))
    for structured in (with_headings, lambda given: with_bold_headings(given, reader.bold)):
        if not any(isinstance(block, HeadingBlock) for block in blocks):
            blocks = structured(blocks)
    markdown = to_markdown(blocks)
    if not markdown:
        raise FileUnreadable("holds no text", Reason.NO_TEXT)
    named, updated = _properties(package)
    macros = any(_MACROS in str(part.partname) for part in package.iter_parts())
    return Converted(
        markdown=markdown,
        title=own_title(named) or _title(blocks),
        updated=updated,
        remark="holds macros, which were left out; its text was read" if macros else "",
    )


def _properties(package: Package) -> tuple[str, date | None]:
    """Return the title and the day of the last change that the file names; a file may have no properties at all."""
    try:
        package.part_related_by(RELATIONSHIP_TYPE.CORE_PROPERTIES)  # or the library makes some up
        found = package.core_properties
        return found.title, day_of(found.modified)
    except (KeyError, AttributeError, ValueError):
        return "", None


def _title(blocks: Sequence[Block]) -> str:
    """Return the only heading of the first level, which is what such a page is called."""
    first = [block.text for block in blocks if isinstance(block, HeadingBlock) and block.level == 1]
    return " ".join(first[0].split()) if len(first) == 1 else ""


def _merged(blocks: Iterator[Block]) -> list[Block]:
    """Put the lines of code together: Word has a paragraph for each."""
    merged: list[Block] = []
    for block in blocks:
        if isinstance(block, CodeBlock) and merged and isinstance(merged[-1], CodeBlock):
            merged[-1] = CodeBlock(f"{merged[-1].text}\n{block.text}")
        else:
            merged.append(block)
    return merged


class _WordReader:
    """Reads the body of one document; lists are counted on the way."""

    def __init__(self, document: Document) -> None:
        part = document.part
        self._styles = styles_of(document.styles.element)
        self.bold: dict[int, tuple[Block, int]] = {}  # bold paragraphs and their sizes, by the block's identity
        self._hidden = frozenset(name for name, style in self._styles.items() if style.hidden)
        self._links = {name: link.target_ref for name, link in part.rels.items() if link.is_external}
        self._numbering = Numbering(_element(part, RELATIONSHIP_TYPE.NUMBERING))
        self._notes = {
            (kind, str(note.get(_ID))): note
            for kind, name in (("footnote", RELATIONSHIP_TYPE.FOOTNOTES), ("endnote", RELATIONSHIP_TYPE.ENDNOTES))
            if (notes := _element(part, name)) is not None
            for note in notes.iter(qn(f"w:{kind}"))
        }

    def blocks(self, parent: BaseOxmlElement) -> Iterator[Block]:
        """Yield the blocks below an element, in reading order."""
        for child in _inside(parent, _PARAGRAPH, _TABLE):
            yield from self._paragraph(child) if child.tag == _PARAGRAPH else self._table(child)

    def _paragraph(self, paragraph: BaseOxmlElement) -> Iterator[Block]:
        properties = paragraph.find(qn("w:pPr"))
        named = properties.find(qn("w:pStyle")) if properties is not None else None
        style = self._styles.get(str(named.get(_VALUE)), PLAIN) if named is not None else PLAIN
        label, depth = self._label(properties, style)
        if style.contents or style.hidden:
            return
        words = words_of(paragraph, self._links, self._hidden)
        if style.code:
            yield CodeBlock(words.raw)
        elif words.text:
            level = outline_level(properties)
            heads = (1 if style.title else style.level) if level is None else level
            block = _block(words.text, heads if len(words.text) <= _LONGEST_HEADING else 0, label=label, depth=depth)
            if (size := bold_size(paragraph)) is not None:
                self.bold[id(block)] = (block, size)
            yield block
        for box in words.boxes:
            yield from self.blocks(box)
        for reference in words.notes:
            kind = str(reference.tag).rpartition("}")[2].removesuffix("Reference")
            note = self._notes.get((kind, str(reference.get(_ID))))
            yield from self.blocks(note) if note is not None else ()

    def _label(self, properties: BaseOxmlElement | None, style: Style) -> tuple[str | None, int]:
        list_id, depth = list_of(properties)
        depth = style.depth if depth is None else depth
        return self._numbering.next(list_id or style.list_id, depth), depth

    def _table(self, table: BaseOxmlElement) -> Iterator[Block]:
        rows = [list(_inside(row, _CELL)) for row in _inside(table, _ROW) if not _is_deleted(row)]
        if len(rows) == 1 and len(rows[0]) == 1:  # a frame around text
            yield from self.blocks(rows[0][0])
        elif rows:
            yield TableBlock(tuple(tuple(text for cell in row for text in self._cell(cell)) for row in rows))

    def _cell(self, cell: BaseOxmlElement) -> list[str]:
        """Return what a cell says, and empty texts for the further columns that it covers."""
        return [" ".join(_texts(self.blocks(cell))), *[""] * (_columns(cell) - 1)]


def _block(text: str, level: int, *, label: str | None, depth: int) -> Block:
    if level:
        return HeadingBlock(level, f"{inline(label)} {text}" if label else text)
    if label is None:
        return Paragraph(text)
    return ListItem(text, depth, inline(label))


def _texts(blocks: Iterator[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case HeadingBlock(_, text) | Paragraph(text):
                yield text
            case ListItem(text, _, mark):
                yield f"{mark} {text}".strip()
            case CodeBlock(text):
                yield inline(text)
            case TableBlock(rows):
                yield from (text for row in rows for text in row)
            case _:
                assert_never(block)


def _inside(parent: BaseOxmlElement, *wanted: str) -> Iterator[BaseOxmlElement]:
    """Yield the children of these kinds, also those inside what only holds them together."""
    for child in parent:
        if child.tag in wanted:
            yield child
        elif child.tag in _HOLDERS:
            yield from _inside(child, *wanted)


def _is_deleted(row: BaseOxmlElement) -> bool:
    properties = row.find(qn("w:trPr"))
    return properties is not None and properties.find(qn("w:del")) is not None


def _columns(cell: BaseOxmlElement) -> int:
    span = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
    text = str(span.get(_VALUE) or "1") if span is not None else "1"
    return min(max(int(text), 1), 100) if text.isdecimal() and len(text) < 5 else 1


def _element(part: Part, relationship: str) -> BaseOxmlElement | None:
    """Return the root of a part that belongs to the document, or None where there is none or it is broken."""
    try:
        found = part.part_related_by(relationship)
        return parse_xml(found.blob)
    except (KeyError, SyntaxError):
        return None
