"""A page of the knowledge as HTML, each section an element with its anchor, so that a link can point at it.

The text is somebody's: raw HTML is shown as written, pictures by their words, and links lead to other pages of the
same source, or away only by `https`, `http` and `mailto`. What takes too long to be drawn is shown as it is written.
"""

import posixpath
import time
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from adapters.markdown.parsing import BLOCK_RULES
from search.documents import IndexedPage

_AWAY = ("https", "http", "mailto")
#: Seconds of the processor that one page may take to be drawn, and characters that are shown of one that takes longer.
DRAWN_WITHIN_S, PLAIN_CHARS = 5.0, 1_000_000


class _TooLong(Exception):
    """The time for a page is over."""


def to_html(page: IndexedPage, *, within_s: float = DRAWN_WITHIN_S) -> str:
    """Return the page's HTML; sections stand flat, one after the other, from heading to heading.

    Drawing takes at most so many seconds of this thread's own time.
    """
    try:
        return _drawn(page, until=time.thread_time() + within_s)
    except _TooLong:
        return f'<pre class="prose-plain">{escape(page.markdown[:PLAIN_CHARS])}</pre>'


def _drawn(page: IndexedPage, *, until: float) -> str:
    parser = _parser()
    env: dict[str, Any] = {"source": page.document.source, "path": page.document.path, _UNTIL: until}
    tokens = parser.parse(page.markdown, env)
    anchors = iter([section.anchor for section in page.sections][1:])
    parts = []
    for part in _parts(tokens):
        _in_time(env)
        html = parser.renderer.render(part, parser.options, env)
        anchor = next(anchors, "") if part[0].type == "heading_open" else ""
        named = f' id="{escape(anchor)}"' if anchor else ""
        parts.append(f"<section{named}>{html}</section>")
    return "\n".join(parts)


#: Under which the moment is kept at which drawing is given up.
_UNTIL = "until"


def _parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Cut at the headings that stand for themselves; one inside a quote or list opens no section."""
    starts = [number for number, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    for start, end in zip([0, *starts], [*starts, len(tokens)], strict=True):
        if end > start:
            yield tokens[start:end]


@cache
def _parser() -> MarkdownIt:
    # The same grammar as search/parsing, so that headings are counted alike; HTML is recognised, then shown as text.
    parser = MarkdownIt("commonmark").enable("table")
    parser.validateLink = _may_follow  # type: ignore[method-assign]  # the library's own extension point
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    # First of all rules, so that each block and each piece of a line looks at the clock; none of them takes anything.
    everywhere = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("table", "clock", _clock_of_blocks, {"alt": everywhere})
    parser.inline.ruler.before("text", "clock", _clock_of_lines)
    return parser


def _clock_of_blocks(state: StateBlock, _first: int, _last: int, _silent: bool) -> bool:
    _in_time(state.env)
    return False


def _clock_of_lines(state: StateInline, _silent: bool) -> bool:
    _in_time(state.env)
    return False


def _in_time(env: EnvType) -> None:
    if time.thread_time() > env[_UNTIL]:
        raise _TooLong


def _may_follow(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in _AWAY or not (parts.scheme or parts.netloc or url.startswith("//"))


def _link(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    href = str(tokens[index].attrGet("href") or "")
    if urlsplit(href).scheme:
        return f'<a href="{escape(href)}" rel="noopener noreferrer" target="_blank">'
    inside = _inside(href, source=str(env["source"]), path=str(env["path"]))
    return f'<a href="{escape(inside)}">' if inside else "<a>"


def _inside(href: str, *, source: str, path: str) -> str:
    """Return our address of a relative link; empty when it leads out of the source."""
    target, _, fragment = href.partition("#")
    anchor = f"#{quote(unquote(fragment))}" if fragment else ""
    if not target:
        return anchor
    below = unquote(target.partition("?")[0])
    joined = below.lstrip("/") if below.startswith("/") else posixpath.join(posixpath.dirname(path), below)
    found = posixpath.normpath(joined)
    if found.startswith("..") or found == ".":
        return ""
    return f"/knowledge/page/{quote(source, safe='')}/{quote(found)}{anchor}"


def _picture(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return f'<span class="sub">[{escape(tokens[index].content)}]</span>'


def _html_inline(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return escape(tokens[index].content)


def _html_block(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return f'<p class="prose-plain">{escape(tokens[index].content.strip())}</p>\n'


_RULES = {
    **BLOCK_RULES,
    "html_block": _html_block,
    "html_inline": _html_inline,
    "image": _picture,
    "link_open": _link,
}
