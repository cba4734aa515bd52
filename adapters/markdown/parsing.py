"""Our Markdown subset and how it is drawn. HTML stands here; each platform adds its dialect beside it.

The subset: bold, italic, code, fenced code, lists, quotes, tables, links, and citation marks `[1]`. Everything else,
raw HTML and pictures above all, is shown as the characters that were written: the text may come from anybody.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_MARK = re.compile(r"\[(\d{1,3})\](?!\()")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")


@dataclass(frozen=True)
class Links:
    """Which links may be followed: our own pages (unless told otherwise), other hosts only when they are listed."""

    hosts: frozenset[str] = field(default_factory=frozenset)
    schemes: frozenset[str] = field(default_factory=lambda: frozenset({"https", "http"}))
    own: bool = True

    def allows(self, url: str) -> bool:
        """Return whether a link to `url` may be drawn; anything that parsers read differently is refused."""
        if _UNSAFE.search(url):
            return False
        try:
            parts = urlsplit(url)
            host = parts.hostname
        except ValueError:
            return False
        if not parts.scheme and not parts.netloc:
            return self.own and (url.startswith("#") or (url.startswith("/") and not url.startswith("//")))
        return parts.scheme in self.schemes and host in self.hosts and "@" not in parts.netloc


@dataclass(frozen=True)
class InlineMark:
    """Where a citation mark leads, and what a screen reader says for it."""

    url: str
    label: str


OWN_PAGES = Links()


def to_html(text: str, *, links: Links = OWN_PAGES, marks: Mapping[int, InlineMark] | None = None) -> str:
    """Return safe HTML; a mark `[n]` becomes a link where `marks` knows the number, else it stays as written."""
    env: dict[str, Any] = {"marks": marks or {}}
    return str(_parser(links).render(text, env))


def away(href: str) -> str:
    """Return what a link has to say when it leads away from our own pages, else nothing."""
    return "" if href.startswith(("/", "#")) else ' rel="noopener noreferrer nofollow" target="_blank"'


def to_words(text: str) -> str:
    """Return what a reader would read, without marks of style and addresses of links: a line for each block."""
    lines: list[str] = []
    for token in _reader().parse(text):
        if token.type == "inline":
            lines.append("".join("\n" if "break" in each.type else each.content for each in token.children or ()))
        elif token.type in ("fence", "code_block"):
            lines.append(token.content)
    return "\n".join(line.rstrip() for line in lines).strip()


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False})
    reader.enable("table")
    reader.disable(["image", "reference", "html_block", "html_inline", "lheading"])
    return reader


@lru_cache(maxsize=16)
def _parser(links: Links) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable("table")
    parser.disable(["image", "reference", "html_block", "html_inline", "lheading"])
    parser.validateLink = links.allows  # type: ignore[method-assign]  # the library's own extension point
    parser.inline.ruler.before("link", "citation", _citation)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _citation(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos, state.posMax)
    if found is None or state.linkLevel > 0 or int(found[1]) not in state.env["marks"]:
        return False
    if not silent:
        token = state.push("citation", "a", 0)
        token.meta["number"] = int(found[1])
    state.pos = found.end()
    return True


def _draw_citation(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType
) -> str:
    number: int = tokens[index].meta["number"]
    mark: InlineMark = env["marks"][number]
    return (
        f'<a class="cite" href="{escape(mark.url)}"{away(mark.url)} aria-label="{escape(mark.label)}">'
        f'<span class="sr">[</span>{number}<span class="sr">]</span></a>'
    )


def _draw_link(
    renderer: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    del renderer, options, env
    href = str(tokens[index].attrGet("href") or "")
    if not href:
        return "<a>"
    return f'<a href="{escape(href)}"{away(href)}>'


def _fixed(html: str) -> Any:
    def draw(
        _renderer: RendererProtocol, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        return html

    return draw


def _draw_code(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _cell(tag: str) -> Any:
    """Draw a cell; its alignment is a class, since our pages forbid style attributes."""

    def draw(
        _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        side = str(tokens[index].attrGet("style") or "").removeprefix("text-align:")
        return f'<{tag} class="{side}">' if side in ("right", "center") else f"<{tag}>"

    return draw


#: Wide tables and code scroll inside their own box, which the keyboard can reach.
BLOCK_RULES: Mapping[str, Any] = {
    "fence": _draw_code,
    "code_block": _draw_code,
    "table_open": _fixed('<div class="scroll" tabindex="0"><table>'),
    "table_close": _fixed("</table></div>"),
    "th_open": _cell("th"),
    "td_open": _cell("td"),
}
#: In a message a heading is only a strong line.
_RULES: Mapping[str, Any] = {
    **BLOCK_RULES,
    "citation": _draw_citation,
    "link_open": _draw_link,
    "heading_open": _fixed('<p class="strong">'),
    "heading_close": _fixed("</p>\n"),
}
