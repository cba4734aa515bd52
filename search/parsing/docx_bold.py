"""Headings of Word files that have no headings by style: short paragraphs of which every word is bold."""

from collections.abc import Mapping, Sequence

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from search.parsing.blocks import Block, Heading, Paragraph
from search.parsing.docx_text import is_on
from search.parsing.paragraphs import ends_sentence

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
        Heading(min(1 + ordered.index(heads[id(block)]), _MOST_LEVELS), block.text)
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
