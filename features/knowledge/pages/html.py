"""A page of the knowledge as HTML, each section an element with its anchor, so that a link can point at it.

The text is somebody's: raw HTML is shown as written, pictures by their words, and links lead to other pages of the
same source, or away only by `https`, `http` and `mailto`.
"""

import posixpath
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from adapters.markdown.parsing import BLOCK_RULES
from search.documents import IndexedPage

_AWAY = ("https", "http", "mailto")


def to_html(page: IndexedPage) -> str:
    """Return the page's HTML; sections stand flat, one after the other, from heading to heading."""
    parser = _parser()
    env: dict[str, Any] = {"source": page.document.source, "path": page.document.path}
    tokens = parser.parse(page.markdown, env)
    anchors = iter([section.anchor for section in page.sections][1:])
    parts = []
    for part in _parts(tokens):
        html = parser.renderer.render(part, parser.options, env)
        anchor = next(anchors, "") if part[0].type == "heading_open" else ""
        named = f' id="{escape(anchor)}"' if anchor else ""
        parts.append(f"<section{named}>{html}</section>")
    return "\n".join(parts)


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
    return parser


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
