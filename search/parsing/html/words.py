"""The words inside a block of an HTML page, as Markdown: text, line breaks, links, code and pictures."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from search.parsing.blocks import SAFE, inline
from search.parsing.text.reader import CJK

HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form header hgroup hr html legend li main menu ol optgroup option p pre search section summary table tbody "
    "td tfoot th thead tr ul"
)
BLOCKS = frozenset((*_BLOCK_NAMES.split(), *HEADINGS))
CODE = frozenset({"code", "kbd", "samp", "tt"})
_SPACE = re.compile(r"[ \t\r\n\f\xa0]+")
_WRAPPED = re.compile(rf"(?<={CJK})[ \t]*\r?\n[ \t\r\n]*(?={CJK})")
#: What a heading shows of the link to itself.
_PERMALINKS = frozenset({"#", "¶", "§", "🔗"})
#: Stands for a line break that is meant until white space has been drawn together.
_BREAK = "\u2028"
#: What is nested deeper than any page is read as one run of text.
DEEPEST = 150
_LONGEST_LINK = 300


def together(run: Sequence[str]) -> str:
    """Return inline pieces as one text: white space as a browser draws it, and the breaks that are meant."""
    text = _SPACE.sub(" ", _WRAPPED.sub("", "".join(run)))
    return "\n".join(line for each in text.split(_BREAK) if (line := each.strip()))


def words_of(node: LexborNode, *, depth: int) -> str:
    """Return what an element or a text says, as a piece for `together`."""
    if node.is_text_node:
        return inline(node.text_content or "")
    match node.tag or "-":
        case "br":
            return _BREAK
        case "img":
            return _picture(node)
        case tag if tag.startswith("-"):  # a comment
            return ""
        case tag if tag in CODE:
            return _code(node.text())
        case tag:
            return _element(node, tag, depth=depth)


def _element(node: LexborNode, tag: str, *, depth: int) -> str:
    if depth > DEEPEST:
        return inline(node.text(separator=" "))
    inside = "".join(words_of(child, depth=depth + 1) for child in children(node))
    if tag == "a":
        return _link(inside, node.attributes.get("href") or "")
    return f" {inside} " if tag in BLOCKS else inside


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield what stands right below an element."""
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _code(text: str) -> str:
    words = " ".join(text.split())
    return f"`{words}`" if words and "`" not in words else inline(text)


def _picture(node: LexborNode) -> str:
    words = " ".join((node.attributes.get("alt") or "").split())
    if not words:
        return ""
    target = _target(node.attributes.get("src") or "")
    return f"![{inline(words)}]({target})" if "[" not in words and "]" not in words else inline(words)


def _link(words: str, href: str) -> str:
    shown = words.strip(" \t\r\n")
    target = _target(href)
    if target.startswith("#"):
        return "" if shown in _PERMALINKS else words
    if not shown or not target or _BREAK in shown or "[" in shown or "]" in shown:
        return words
    before, _, after = words.partition(shown)
    return f"{before}[{shown}]({target}){after}"


def _target(href: str) -> str:
    """Return an address that Markdown can hold, or "" for one that leads nowhere or is no address."""
    href = href.strip()
    if len(href) > _LONGEST_LINK or href.lower().startswith(("javascript:", "data:", "vbscript:")):
        return ""
    return quote(href, safe=SAFE)
