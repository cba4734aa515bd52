"""Markdown to one section tree, block by block, each block verbatim."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token

from search.documents import Section, SectionKind, Unit, UnitKind
from search.parsing.blocks import Block, Paragraph
from search.parsing.converted import ParsedPage
from search.parsing.markdown.clauses import headings_in, label_of, may_head
from search.parsing.markdown.comments import MASK, mask_comments
from search.parsing.markdown.dialects import plain_markdown
from search.parsing.markdown.front_matter import cut, read_front_matter
from search.parsing.markdown.leads import LedPart, with_leads

_LIST_MARKER = re.compile(r"\s*+(?:[-*+>]|\d{1,9}[.)])?\s*+")
_MASKED = re.compile(f"{MASK}[{MASK}\\s]*")
_KINDS = {
    "paragraph_open": UnitKind.PARAGRAPH,
    "blockquote_open": UnitKind.PARAGRAPH,
    "html_block": UnitKind.PARAGRAPH,
    "bullet_list_open": UnitKind.LIST,
    "ordered_list_open": UnitKind.LIST,
    "table_open": UnitKind.TABLE,
    "fence": UnitKind.CODE,
    "code_block": UnitKind.CODE,
}
_WHOLE = (UnitKind.TABLE, UnitKind.CODE)
#: Characters of a heading; it is kept with each passage below it.
_LONGEST_HEADING = 400
#: Markdown knows no deeper heading.
_DEEPEST = 6


@dataclass
class _Node:
    heading: str
    level: int
    path: tuple[str, ...]
    anchor: str
    navigation: bool = False
    units: list[Unit] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)


def parse_markdown(text: str, *, path: str) -> ParsedPage:
    """Return the section tree of one page; `path` names the page that has no title of its own.

    Broken front matter is reported in `problem`; what stands below it is still parsed.
    """
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    head, body = cut(source)
    front = read_front_matter(head)
    masked = _with_numbered(_with_leads(plain_markdown(mask_comments(body))))
    root = _tree(masked.split("\n"))
    title = (
        front.title
        or next((node.heading for node in root.children if node.level == 1 and node.heading), "")
        or PurePosixPath(path).stem
    )
    return ParsedPage(
        title=title,
        root=_frozen(root),
        text=_MASKED.sub("\n", masked).strip("\n"),
        updated=front.updated,
        front_matter=front.values,
        problem=front.problem,
        access_unreadable=bool(front.problem),
    )


def parse_body(markdown: str) -> Section:
    """Return the section tree of a page's `text` as `parse_markdown` returned it: with the same anchors."""
    return _frozen(_tree(markdown.split("\n")))


def _tree(lines: Sequence[str]) -> _Node:
    root = _Node(heading="", level=0, path=(), anchor="")
    stack = [root]
    taken: dict[str, int] = {}
    end, tail = 0, ""  # the line after the last unit and the space at its end: what stood between two units is kept
    for token, content in _blocks("\n".join(line.replace(MASK, "") for line in lines)):
        start, stop = token.map or (0, 0)
        if token.type == "heading_open":
            _open_section(stack, content, level=int(token.tag[1:]), taken=taken)
            end, tail = stop, ""
            if len(content) <= _LONGEST_HEADING:
                continue  # else it is a paragraph that became one by a line below it: its words are text, too
        kind = _kind(token, lines[start])
        while stop > start and not lines[stop - 1].replace(MASK, "").strip():
            stop -= 1
        gap = _gap(tail, lines[end:start], first=not stack[-1].units)
        text = "\n".join(lines[start:stop])
        stack[-1].units.extend(_units(kind, text.rstrip(), gap=gap, navigation=stack[-1].navigation))
        end, tail = stop, text[len(text.rstrip()) :]
    return root


def _with_leads(text: str) -> str:
    """Return Markdown whose paragraphs and clauses below bold words are sections, where several of one section are."""
    parts = [LedPart(0)]
    for token, _ in _blocks(text.replace(MASK, " ")) if "**" in text else ():
        start, stop = token.map or (0, 0)
        if token.type == "heading_open":
            parts.append(LedPart(int(token.tag[1:])))
        elif token.type == "paragraph_open":
            parts[-1].paragraphs.append(start)
        elif token.type == "ordered_list_open":
            parts[-1].lists.append(range(start, stop))
    return "\n".join(with_leads(text.split("\n"), parts))


def _with_numbered(text: str) -> str:
    """Return Markdown whose numbered paragraphs (第四条, 1.2 Speed) are headings below those that stand above them."""
    lines = text.split("\n")
    if not may_head(lines):
        return text
    above, parts = 0, list[tuple[int, int, int]]()  # the level above, and the lines, of each part
    blocks: list[Block] = []
    for token, _ in _blocks(text.replace(MASK, " ")):
        start, stop = token.map or (0, 0)
        if token.type == "heading_open":
            above = int(token.tag[1:])
        elif token.type == "paragraph_open":
            found = list(_numbered_parts(lines, start, stop))
            parts += [(above, begin, end) for begin, end in found]
            blocks += [Paragraph("\n".join(lines[begin:end])) for begin, end in found]
    for at, heading in reversed([*headings_in(blocks).items()]):
        above, begin, end = parts[at]
        marks = "#" * min(above + 1 + heading.depth, _DEEPEST)
        lines[begin:end] = ["", f"{marks} {heading.text}", "", *heading.rest.split("\n"), ""]
    return "\n".join(lines)


def _numbered_parts(lines: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield a paragraph in parts, of which each but the first begins with a number."""
    begins = [start, *(at for at in range(start + 1, stop) if label_of(lines[at]) is not None)]
    yield from zip(begins, [*begins[1:], stop], strict=True)


def _blocks(text: str) -> Iterator[tuple[Token, str]]:
    """Yield the top-level blocks; for a heading with what it says."""
    tokens = _parser().parse(text)
    for number, token in enumerate(tokens):
        if token.level == 0 and token.map is not None and (token.type in _KINDS or token.type == "heading_open"):
            yield token, tokens[number + 1].content if token.type == "heading_open" else ""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    return parser


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Find where a table ends, as the library's rule does; that one makes four tokens of each cell, of no use here."""
    if not table(state, start, end, silent=True):
        return False
    if silent:
        return True
    above, state.parentType = state.parentType, "table"
    rules = state.md.block.ruler.getRules("blockquote")  # what ends a quote ends a table
    line = start + 2
    while line < end and not (
        state.sCount[line] < state.blkIndent
        or state.isEmpty(line)
        or state.is_code_block(line)
        or any(rule(state, line, end, True) for rule in rules)
    ):
        line += 1
    token = state.push("table_open", "table", 0)
    token.map = [start, line]
    state.parentType = above
    state.line = line
    return True


def _kind(token: Token, first_line: str) -> UnitKind:
    kind = _KINDS.get(token.type, UnitKind.PARAGRAPH)
    if token.type == "html_block":
        opening = first_line.lstrip().lower()
        if opening.startswith("<table"):
            return UnitKind.TABLE
        if opening.startswith("<pre"):
            return UnitKind.CODE
    return kind


def _open_section(stack: list[_Node], content: str, *, level: int, taken: dict[str, int]) -> None:
    while stack[-1].level >= level:
        stack.pop()
    content = content[:_LONGEST_HEADING]
    heading = plain_heading(content.replace(MASK, ""))
    anchor = anchor_of(content) or slug(heading) or "section"
    seen = taken.get(anchor, 0)
    taken[anchor] = seen + 1
    parent = stack[-1]
    node = _Node(
        heading=heading,
        level=level,
        path=(*parent.path, heading) if heading else parent.path,
        anchor=f"{anchor}-{seen}" if seen else anchor,
        navigation=parent.navigation or is_navigation(heading),
    )
    parent.children.append(node)
    stack.append(node)


def _gap(tail: str, between: Sequence[str], *, first: bool) -> str:
    """Return the white space that stood before a block, exactly; a blank line where something else stood there."""
    gap = "\n".join((tail, *between, ""))
    return "\n\n" if first or gap.strip() else gap


def _units(kind: UnitKind, text: str, *, gap: str, navigation: bool) -> Iterator[Unit]:
    """Yield one unit, or several where a comment stood between: each is verbatim."""
    if kind in _WHOLE:
        pieces = [_MASKED.sub("\n" if "\n" in text else " ", text) if MASK in text else text]
    else:
        pieces = [piece.rstrip().lstrip("\n") for piece in _joined(_MASKED.split(text))]
    for number, piece in enumerate(pieces):
        if piece.strip():
            leads_on = navigation or links_on(piece) or is_contents(piece)
            shown = UnitKind.NAVIGATION if leads_on else kind
            yield Unit(kind=shown, text=piece, gap=gap if number == 0 else "\n\n")


def _joined(pieces: Sequence[str]) -> list[str]:
    """Put a bare list marker before the text that it belongs to."""
    joined: list[str] = []
    marker = ""
    for piece in pieces:
        if piece.strip() and _LIST_MARKER.fullmatch(piece):
            marker = piece
        elif piece.strip():
            joined.append(f"{marker.rstrip()} {piece.lstrip()}" if marker else piece)
            marker = ""
    return joined


def _frozen(node: _Node) -> Section:
    children = tuple(_frozen(child) for child in node.children)
    section = Section(
        heading=node.heading,
        level=node.level,
        path=node.path,
        anchor=node.anchor,
        kind=SectionKind.LEAF,
        units=tuple(node.units),
        children=children,
    )
    if node.level == 0:
        return replace(section, kind=SectionKind.ROOT)
    if children:
        return replace(section, kind=SectionKind.SECTION if node.units else SectionKind.CONTAINER)
    return section


_ANCHOR = re.compile(r"(?<!\s)\s*+\{#(?P<anchor>[^{}\s]++)[^{}]*+\}\s*+$")
_SHORTCODE = re.compile(r"\{\{[<%](?P<inside>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*+)(?<=[%>])\}\}")
_QUOTED = re.compile(r'"([^"]*)"')
_LINK = re.compile(r"!?\[(?P<text>[^\[\]]*+)\]\([^)]{0,2000}\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_EMPHASIS = re.compile(r"(?<!\w)([*_]{1,3})(?=\S)(?P<text>.{1,300}?)(?<=\S)\1(?!\w)")
_SLUG_DROP = re.compile(r"[^\w\- ]")
#: Escaped marks are set aside as private characters while markup is taken out.
_ESCAPED = 0xF0000
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODE = re.compile(r"(?<!`)(?P<mark>`++)(?P<code>.{1,500}?)(?<!`)(?P=mark)(?!`)")
_MARKUP = re.compile(r"[<>\[\]()*_{}]")
_SET_ASIDE = re.compile(f"[{chr(_ESCAPED + 0x21)}-{chr(_ESCAPED + 0x7E)}]")
_NAVIGATION = re.compile(
    r"(?:see also|seealso|next steps?|what'?s ?next|where to go (?:next|from here)|further reading|learn more"
    r"|related(?: (?:links?|pages?|articles?|topics?|documents?|information|reading|content))?"
    r"|相关(?:链接|文档|页面|内容|资料|主题|阅读|文章|信息)?|参见|参阅|另见|另请参阅|请参阅|延伸阅读|下一步|接下来(?:的步骤)?|后续步骤)"
)
_CONTENTS = re.compile(r"\s*+(?:[-*+]|\d{1,3}[.)])\s++\[[^\[\]]*+\]\(#[^()\s]*+\)\s*+$")
_LEAD = re.compile(
    r"^\W{0,3}(?:see also|related(?: \w+)?|further reading|相关(?:链接|文档|页面)?|参见|另见|另请参阅|延伸阅读)"
    r"\W{0,3}[:：]",
    re.IGNORECASE,
)


def plain_heading(content: str) -> str:
    """Return a heading's words without markup: no emphasis, code marks, links, tags, anchors or shortcodes.

    What is escaped or stands in code is no markup; a backslash before it goes.
    """
    text = _ANCHOR.sub("", _ESCAPE.sub(lambda found: chr(_ESCAPED + ord(found[1])), content))
    text = _CODE.sub(lambda found: _MARKUP.sub(lambda mark: chr(_ESCAPED + ord(mark[0])), found["code"]), text)
    text = _SHORTCODE.sub(lambda found: " ".join(_QUOTED.findall(found["inside"])), text)
    text = _TAG.sub("", _LINK.sub(lambda found: found["text"], text)).replace("`", "")
    text = _EMPHASIS.sub(lambda found: found["text"], text)
    return " ".join(_SET_ASIDE.sub(lambda found: chr(ord(found[0]) - _ESCAPED), text).split())


def anchor_of(content: str) -> str:
    """Return the anchor that a heading names itself (`{#anchor}`), or ""."""
    found = _ANCHOR.search(content)
    return found["anchor"] if found else ""


def slug(heading: str) -> str:
    """Return the anchor that code hosts make of a heading."""
    return _SLUG_DROP.sub("", heading.lower()).strip().replace(" ", "-")


def is_navigation(heading: str) -> bool:
    """Say whether what stands below the heading only leads elsewhere."""
    plain = heading.replace("\u2019", "'").strip(" :：?？!！.。").lower()
    return _NAVIGATION.fullmatch(plain) is not None


def is_contents(text: str) -> bool:
    """Say whether a block is a page's own contents: a list of links to its sections, and nothing else."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(_CONTENTS.match(line) for line in lines)


def links_on(text: str) -> bool:
    """Say whether a block is a "see also" of its own: the words, a colon, and a link."""
    return "](" in text and len(text) < 600 and _LEAD.match(text) is not None
