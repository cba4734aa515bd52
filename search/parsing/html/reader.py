"""An HTML page to Markdown: its visible words in reading order, and nothing that a reader would not see.

Left out are scripts, styles, templates, what the page itself hides (`hidden`, `display: none`, `visibility: hidden`
in a `style` attribute), `nav`, and what stands around a `main`: all but headings of the first level where it holds most
of the words, else `header`, `footer` and `aside`.
Rules of style sheets are not evaluated, so text that those hide, or white on white, is read.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import takewhile

from selectolax.lexbor import LexborHTMLParser, LexborNode

from search.errors import FileUnreadable, Reason
from search.parsing.blocks import Block, CodeBlock, HeadingBlock, ListItem, Paragraph, TableBlock, inline, to_markdown
from search.parsing.converted import Converted, own_title
from search.parsing.html.words import BLOCKS, CODE, DEEPEST, HEADINGS, children, together, words_of
from search.parsing.markdown.clauses import with_headings
from search.parsing.markdown.front_matter import cut, day_of
from search.parsing.text.encoding import decode

_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}charset=["']?\s*([\w.:-]+)|<\?xml[^>]{0,100}encoding=["']([\w.:-]+)""", re.IGNORECASE
)
_NEVER = "script style template noscript iframe object audio video canvas annotation nav"
_AROUND_MAIN = "header, footer, aside"
#: A `main` with this share of a page's letters is all of its own text.
_MOST = 0.5
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
#: Empty cells that all cells of a table which span several columns may stand for.
_MOST_SPANNED = 20_000
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_DATES = ("article:modified_time", "last-modified", "dcterms.modified", "modified", "og:updated_time", "date")


def convert(content: bytes) -> Converted:
    """Return an HTML page as Markdown; raises `FileUnreadable`."""
    found = _CHARSET.search(content[:4_096])
    declared = (found[1] or found[2]).decode("ascii", "replace") if found else ""
    decoded = decode(content, declared=declared)
    head, html = cut(decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    return replace(of_page(html), remark=decoded.remark, front_matter=head)


def of_page(html: str) -> Converted:
    """Return a page without front matter as Markdown; raises `FileUnreadable`."""
    page = LexborHTMLParser(html)
    title = own_title(_first_text(page, "title"))
    updated = _updated(page)
    _clean(page)
    reader = _HtmlReader()
    blocks = [block for node in _shown(page) for block in reader.part(node)]
    if not any(isinstance(block, HeadingBlock) for block in blocks):
        blocks = with_headings(blocks)
    markdown = to_markdown(blocks)
    if not markdown:
        raise FileUnreadable("holds no text that is shown", Reason.NO_TEXT)
    first = next((block.text for block in blocks if isinstance(block, HeadingBlock) and block.level == 1), "")
    return Converted(markdown=markdown, title=title or first, updated=updated)


def _first_text(page: LexborHTMLParser, tag: str) -> str:
    node = page.css_first(f"head > {tag}") or page.css_first(tag)
    return node.text() if node is not None else ""


def _updated(page: LexborHTMLParser) -> date | None:
    named: dict[str, str | None] = {}
    for node in page.css("meta[content]"):
        name = next((value for key in ("name", "property", "http-equiv") if (value := node.attributes.get(key))), "")
        named.setdefault(name.lower(), node.attributes.get("content"))
    return next((day for key in _DATES if (day := day_of(named.get(key))) is not None), None)


def _clean(page: LexborHTMLParser) -> None:
    """Take out what is not shown, and what stands around the page's own text."""
    page.strip_tags(_NEVER.split())
    for node in page.css("[hidden], [style], [role=navigation], dialog:not([open])"):
        style = node.attributes.get("style")
        if style is None or "hidden" in node.attributes or _HIDDEN.search(style):
            node.decompose()


def _shown(page: LexborHTMLParser) -> Iterator[LexborNode]:
    """Yield the parts that hold the page's own text."""
    if page.body is None:
        return
    mains = page.css("main, [role=main]")
    if len(mains) != 1:
        yield page.body
    elif len(mains[0].text()) >= _MOST * len(page.body.text()):
        if mains[0].css_first("h1") is None:
            yield from page.css("h1")[:1]
        yield mains[0]
    else:
        for node in page.css(_AROUND_MAIN):
            if not _inside(node, mains[0]):
                node.decompose()
        yield page.body


def _inside(node: LexborNode, outer: LexborNode) -> bool:
    above: LexborNode | None = node
    while above is not None:
        if above.mem_id == outer.mem_id:
            return True
        above = above.parent
    return False


class _HtmlReader:
    """Walks a page and yields its blocks; words outside any block make paragraphs of their own."""

    def part(self, node: LexborNode) -> Iterator[Block]:
        """Yield the blocks of a part of a page: those inside, or the one that it is."""
        return self._block(node, depth=1, lists=0) if node.tag in HEADINGS else self.blocks(node)

    def blocks(self, node: LexborNode, *, depth: int = 0, lists: int = 0) -> Iterator[Block]:
        """Yield the blocks inside a node."""
        run: list[str] = []
        child = node.child
        while child is not None:
            if child.tag in BLOCKS or (depth < DEEPEST and _holds_blocks(child)):
                yield from _paragraph(run)
                run = []
                yield from self._block(child, depth=depth + 1, lists=lists)
            else:
                run.append(words_of(child, depth=depth))
            child = child.next
        yield from _paragraph(run)

    def _block(self, node: LexborNode, *, depth: int, lists: int) -> Iterator[Block]:
        tag = node.tag or ""
        if depth > DEEPEST:
            yield from _paragraph([inline(node.text(separator=" "))])
        elif tag in HEADINGS:
            yield HeadingBlock(HEADINGS[tag], together([words_of(node, depth=depth)]))
        elif tag == "pre":
            yield CodeBlock(node.text().removeprefix("\n"))
        elif tag in _LISTS:
            yield from self._list(node, depth=depth, lists=lists)
        elif tag == "table" and not _is_layout(node):
            yield from _table(node, depth=depth)
        else:
            yield from self.blocks(node, depth=depth, lists=lists)

    def _list(self, node: LexborNode, *, depth: int, lists: int) -> Iterator[Block]:
        number = int(start) if (start := node.attributes.get("start") or "1").isdecimal() and len(start) < 8 else 1
        child = node.child
        while child is not None:
            inside = list(self.blocks(child, depth=depth, lists=lists + 1)) if child.tag in {"li", "dt", "dd"} else []
            mark = f"{number}." if node.tag == "ol" else ""
            if inside:
                number += 1
                yield from _item(inside, mark=mark, lists=lists + (child.tag == "dd"))
            elif child.tag not in {"li", "dt", "dd"}:
                yield from self._stray(child, depth=depth, lists=lists)
            child = child.next

    def _stray(self, node: LexborNode, *, depth: int, lists: int) -> Iterator[Block]:
        """Yield what stands in a list without being an item: a list inside a list, words, groups of terms."""
        if node.tag in _LISTS:
            yield from self._list(node, depth=depth, lists=lists + 1)
        elif node.tag in BLOCKS:
            yield from self.blocks(node, depth=depth, lists=lists)
        else:
            yield from _paragraph([words_of(node, depth=depth)])


def _item(inside: list[Block], *, mark: str, lists: int) -> Iterator[Block]:
    """Yield an item and what follows inside it; its first paragraphs are the item's own lines."""
    own = list(takewhile(lambda block: isinstance(block, Paragraph), inside))
    if own:
        yield ListItem("\n".join(block.text for block in own if isinstance(block, Paragraph)), lists, mark)
    yield from inside[len(own) :]


def _holds_blocks(node: LexborNode) -> bool:
    """Say whether an inline element has a block inside, as links around cards have."""
    if node.is_text_node or node.tag in CODE:
        return False
    child = node.child
    while child is not None:
        if child.tag in BLOCKS or _holds_blocks(child):
            return True
        child = child.next
    return False


def _paragraph(run: list[str]) -> Iterator[Block]:
    if text := together(run):
        yield Paragraph(text)


def _is_layout(table: LexborNode) -> bool:
    """Say whether a table only arranges blocks: another table, headings or code inside, or a single cell."""
    return table.css_first("table table, h1, h2, h3, h4, h5, h6, pre") is not None or len(table.css("td, th")) < 2


def _table(table: LexborNode, *, depth: int) -> Iterator[Block]:
    for caption in table.css("caption"):
        yield from _paragraph([words_of(caption, depth=depth)])
    rows = []
    spare = _MOST_SPANNED
    for row in table.css("tr"):
        cells: list[str] = []
        for node in children(row):
            if node.tag in {"td", "th"}:
                cells.append(together([words_of(node, depth=depth)]).replace("\n", " "))
                empty = min(_span(node) - 1, spare)
                cells.extend([""] * empty)
                spare -= empty
        rows.append(tuple(cells))
    yield TableBlock(tuple(rows))


def _span(cell: LexborNode) -> int:
    span = cell.attributes.get("colspan") or "1"
    return min(int(span), 100) if span.isdecimal() and len(span) < 5 else 1
