"""Markdown in Slack's older dialect, mrkdwn: for homes and small lines, where Slack takes no Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.markdown.parsing import to_words
from adapters.markdown.splitting import SMALLEST, split_markdown, split_words
from adapters.markdown.text import WORD_JOINER, cleaned, size, web_address
from adapters.slack.drawing.text import escaped
from adapters.slack.drawing.text import markdown as harmless

#: Without width; Slack sees a mark of style only at the border of a word.
_BORDER = "\u200b"
_STYLES = {
    "strong_open": f"{_BORDER}*",
    "strong_close": f"*{_BORDER}",
    "em_open": f"{_BORDER}_",
    "em_close": f"_{_BORDER}",
}
_NEEDLESS = re.compile(rf"(?<!\w){_BORDER}(?=[*_])|(?<=[*_]){_BORDER}(?!\w)")


def mrkdwn(markdown: str) -> str:
    """Return our Markdown subset as mrkdwn; tables become lines, links lead to the web or are words."""
    return _Writer().write(markdown)


def words(markdown: str) -> str:
    """Return what a reader of the Markdown would read, escaped for a `text` field, in one line per block."""
    return escaped(to_words(harmless(markdown)))


def mrkdwn_pieces(markdown: str, limit: int) -> list[str]:
    """Return mrkdwn in pieces of at most `limit` (>= 1,000) units that each stand alone."""
    if size(markdown) <= limit:  # what is longer is never read in one go: its time would grow with the square
        whole = mrkdwn(markdown)
        if size(whole) <= limit:
            return [whole] if whole.strip() else []
    room = max(SMALLEST, min(size(markdown) // 2, limit * 3 // 4))
    if size(markdown) <= SMALLEST:  # all links or marks: shown as it was written
        return [escaped(piece) for piece in split_words(cleaned(markdown), limit // 5)]
    return [piece for part in split_markdown(markdown, room) for piece in mrkdwn_pieces(part, limit)]


@dataclass
class _Writer:
    out: list[str] = field(default_factory=list)
    lists: list[int | None] = field(default_factory=list)  # the next number, None for bullets
    quotes: list[int] = field(default_factory=list)  # where each quote began
    cells: list[str] = field(default_factory=list)

    def write(self, markdown: str) -> str:
        for token in _parser().parse(harmless(markdown)):
            rule = _RULES.get(token.type)
            if rule is not None:
                rule(self, token)
        return re.sub(r"\n{3,}", "\n\n", _NEEDLESS.sub("", "".join(self.out))).strip("\n")

    def inline(self, token: Token) -> None:
        self.out.append("".join(self._inline(token.children or [])))

    def heading(self, token: Token) -> None:
        del token
        self.out.append("*")

    def heading_end(self, token: Token) -> None:
        self.heading(token)
        self.out.append("\n\n")

    def paragraph_end(self, token: Token) -> None:
        self.out.append("\n" if token.hidden or self.lists else "\n\n")

    def bullets(self, token: Token) -> None:
        self._new_line()
        start = token.attrGet("start")
        self.lists.append(None if token.type == "bullet_list_open" else int(start) if start is not None else 1)

    def list_end(self, token: Token) -> None:
        del token
        self.lists.pop()
        if not self.lists:
            self.out.append("\n")

    def item(self, token: Token) -> None:
        del token
        self._new_line()
        number = self.lists[-1]
        self.out.append("    " * (len(self.lists) - 1) + ("• " if number is None else f"{number}. "))
        self.lists[-1] = None if number is None else number + 1

    def quote(self, token: Token) -> None:
        del token
        self._new_line()
        self.quotes.append(len(self.out))

    def quote_end(self, token: Token) -> None:
        del token
        start = self.quotes.pop()
        inside = "".join(self.out[start:]).strip("\n")
        lead = "" if self.quotes else "> "
        self.out[start:] = ["\n".join(f"{lead}{line}" for line in inside.split("\n")), "\n\n"]

    def code(self, token: Token) -> None:
        self._new_line()
        content = escaped(token.content).rstrip("\n").replace("```", f"``{WORD_JOINER}`")
        self.out.append(f"```\n{content}\n```\n\n")

    def rule(self, token: Token) -> None:
        del token
        self.out.append("———\n\n")

    def row(self, token: Token) -> None:
        del token
        self.cells = []

    def cell(self, token: Token) -> None:
        del token
        self.cells.append("")
        self.quotes.append(len(self.out))

    def cell_end(self, token: Token) -> None:
        start = self.quotes.pop()
        text = "".join(self.out[start:]).strip()
        del self.out[start:]
        bold = token.type == "th_close" and text and "*" not in text
        self.cells[-1] = f"*{text}*" if bold else text

    def row_end(self, token: Token) -> None:
        del token
        self.out.append(" · ".join(self.cells) + "\n")

    def gap(self, token: Token) -> None:
        del token
        self.out.append("\n")

    def _new_line(self) -> None:
        if self.out and not self.out[-1].endswith(("\n", "• ", ". ")):
            self.out.append("\n")

    def _inline(self, tokens: Sequence[Token]) -> Iterator[str]:
        links: list[str | None] = []
        for token in tokens:
            match token.type:
                case "text" | "code_inline":
                    said = escaped(token.content).replace("|", "¦" if any(links) else "|")
                    yield f"`{said}`" if token.type == "code_inline" else said
                case "softbreak" | "hardbreak":
                    yield " " if any(links) else "\n"
                case "link_open":
                    links.append(web_address(str(token.attrGet("href") or "")))
                    yield f"<{escaped(links[-1])}|" if links[-1] else ""
                case "link_close":
                    yield ">" if links.pop() else ""
                case _:
                    yield _STYLES.get(token.type, "")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False})
    parser.enable("table")
    parser.disable(["image", "reference", "html_block", "html_inline", "lheading", "code"])
    return parser


_RULES: dict[str, Callable[[_Writer, Token], None]] = {
    "inline": _Writer.inline,
    "heading_open": _Writer.heading,
    "heading_close": _Writer.heading_end,
    "paragraph_close": _Writer.paragraph_end,
    "bullet_list_open": _Writer.bullets,
    "ordered_list_open": _Writer.bullets,
    "bullet_list_close": _Writer.list_end,
    "ordered_list_close": _Writer.list_end,
    "list_item_open": _Writer.item,
    "blockquote_open": _Writer.quote,
    "blockquote_close": _Writer.quote_end,
    "fence": _Writer.code,
    "code_block": _Writer.code,
    "hr": _Writer.rule,
    "tr_open": _Writer.row,
    "th_open": _Writer.cell,
    "td_open": _Writer.cell,
    "th_close": _Writer.cell_end,
    "td_close": _Writer.cell_end,
    "tr_close": _Writer.row_end,
    "table_close": _Writer.gap,
}
