"""Markdown as sites write it to Markdown as anybody reads it: what is shown stays, what a generator made of it goes.

Short codes, HTML, needless backslashes and broken bold are taken out before anything is cut, searched or quoted, so
that a name written with a backslash before each dot is found as people type it, and nobody meets markup that their page
never showed. Code between fences keeps every character but short codes, which no reader of the site sees there either.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from language.scripts import is_chinese
from search.parsing.blocks import table
from search.parsing.markdown.comments import MASK
from search.parsing.markdown.shortcodes import without_shortcodes

_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<mark>`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*)$")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SPAN = re.compile(r"(`++)")
#: A backslash before punctuation that means nothing to Markdown inside a line, so that it is only in the way.
_ESCAPE = re.compile(r"\\([!\"#$%&'()+,\-./:;=?@^{}~\]]|\[(?!\^))")
_INSIDE_WORD = re.compile(r"(?<=\w)\\_(?=\w)")
#: … but at the beginning of a line, where it would begin a list, a heading or a rule.
_BEGINS = re.compile(r"^\s*+(?:>\s*+)?(?:\d{1,9}\\[.)]|\\[#+\-=~:|>])")
_ANCHOR = re.compile(r"<a\s[^<>]{0,300}>|</a\s*>", re.IGNORECASE)
_HREF = re.compile(
    r"<a\s[^<>]{0,300}?href\s*=\s*[\"']?([^\"'\s<>]{1,500})[^<>]{0,300}>([^<>]{1,300})</a\s*>", re.IGNORECASE
)
_MARKS = {"b": "**", "strong": "**", "code": "`", "tt": "`", "br": " "}
_TAG = re.compile(
    r"</?(?P<name>abbr|b|big|blockquote|br|caption|center|cite|code|dd|details|dfn|div|dl|dt|em|figcaption|figure|font|"
    r"hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|q|s|samp|section|small|source|span|strong|sub|summary|sup|svg|tt|u|ul|"
    r"var|video|wbr|label|nav|article|main|header|footer|button|form|input|script|style|template|tabs|tabitem|details|callout|note|warning|tip|admonition)(?:\s[^<>]{0,1000})?/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});")
_RULE = re.compile(r"-{3,}+|_{3,}+|\*{3,}+")
_TAB_HEADING = re.compile(r"^#{1,6}[ \t]\[[ \t]([^\[\]]{1,80})\]$")
#: A bold line that begins a paragraph heads what follows, when it is no label of a box and no list of such lines.
_BOLD_LINE = re.compile(r"^\*\*([^*\n]{2,100})\*\*\s*$")
#: Fewer Latin letters are a mark and no heading.
_SHORTEST = 6
#: Words of such a heading at most; where its text goes on below it, it may end in these.
_WORDS, _STOPS = 14, ".:：。"
_NO_HEADING = re.compile(r"note|important|warning|tip|caution|topics|contents|example|.*[.:：。,;]$", re.IGNORECASE)
_TABLE_OPENS, _TABLE_ENDS = re.compile(r"^\s*<table[\s>]", re.IGNORECASE), re.compile(r"</table\s*>\s*$", re.IGNORECASE)
_HOLDS_BLOCKS = re.compile(r"<(?:pre|h[1-6])[\s>]", re.IGNORECASE)
#: Lines over which a short code may go on.
_MOST_BROKEN = 6
#: Lines of one HTML table that are read; a longer one stays as it is.
_MOST_LINES = 2_000


def plain_markdown(text: str) -> str:
    """Return a page's Markdown without what its site's generator needs and no reader sees."""
    writer = _PlainPage()
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not writer.fence:
            lines[at] = _closed(lines, at)
        end = _table_end(lines, at) if not writer.fence else at
        if end > at and (table := _html_table(lines[at:end])):
            writer.written += ["", *table.split("\n"), ""]
            at = end
            continue
        writer.add(lines[at], following=lines[at + 1] if at + 1 < len(lines) else "")
        at += 1
    return "\n".join(writer.written)


def _closed(lines: list[str], at: int) -> str:
    """Return a line together with those below it into which its short code goes on; they are taken out."""
    line = lines[at]
    opens = max(line.rfind("{{<"), line.rfind("{{%"))
    if opens < 0 or "}}" in line[opens:]:
        return line
    for below in range(at + 1, min(len(lines), at + 1 + _MOST_BROKEN)):
        line = f"{line} {lines[below].strip()}"
        if "}}" in lines[below]:
            del lines[at + 1 : below + 1]
            return line
    return lines[at]


def _table_end(lines: Sequence[str], at: int) -> int:
    """Return the line after an HTML table that begins here, or `at`."""
    if "<" not in lines[at] or not _TABLE_OPENS.match(lines[at]):
        return at
    ends = (number for number in range(at, min(len(lines), at + _MOST_LINES)) if _TABLE_ENDS.search(lines[number]))
    return next(ends, at - 1) + 1


def _html_table(lines: Sequence[str]) -> str:
    """Return the rows of an HTML table as a pipe table; "" for one that holds blocks, which no cell can."""
    source = "\n".join(lines).replace(MASK, "")
    if "```" in source or source.lower().count("<table") > 1 or _HOLDS_BLOCKS.search(source):
        return ""
    reader = _HtmlTable()
    reader.feed(source)
    return table(reader.rows)


class _HtmlTable(HTMLParser):
    """Collects the cells of a table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a row or a cell; code and bold keep their marks."""
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows = self.rows or [[]]
            self.rows[-1].append("")
        self._in_cell = tag not in {"tr", "table"} and (self._in_cell or tag in {"td", "th"})
        self.handle_data(_MARKS.get(tag, " " if tag in {"p", "li", "div"} else ""))

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self.handle_data(_MARKS.get(tag, ""))
        self._in_cell = self._in_cell and tag not in {"td", "th", "tr"}

    def handle_data(self, data: str) -> None:
        """Add words to the open cell."""
        if self._in_cell:
            self.rows[-1][-1] += data


@dataclass
class _PlainPage:
    """Writes line by line, knowing what it stands in."""

    fence: str = ""
    level: int = 0  # of the heading that was written last by the page itself
    boxed: bool = False  # inside a box whose lines are indented

    def __post_init__(self) -> None:
        """Begin with nothing written."""
        self.written: list[str] = []

    def add(self, line: str, *, following: str) -> None:
        """Write one line of the page."""
        if self.boxed and not self.fence:
            self.boxed = not line.strip() or line.startswith(("    ", "\t"))
            line = line[4 if line.startswith("    ") else 1 :] if self.boxed and line.strip() else line
        self.boxed = self.boxed or (not self.fence and line.startswith(("!!! ", "??? ", "???+ ")))
        if self._is_code(line):
            self.written.append(without_shortcodes(line, in_code=True) if "{{" in line else line)
            return
        before = self.written[-1] if self.written else ""
        if _RULE.fullmatch(line.replace(" ", "")) and not before.strip():
            self.written.append("")
            return
        if found := _TAB_HEADING.match(line):
            self.written += [f"**{_prose(found[1].strip())}:**", ""]
            return
        line = _prose(line)
        if found := _HEADING.match(line):
            self.level = len(found[1])
        elif not before.strip() and not _BOLD_LINE.match(following):
            line = self._headed(line, leads=bool(following.strip()))
        self.written.append(line)

    def _headed(self, line: str, *, leads: bool) -> str:
        """Return a bold line as a heading; `leads`: its text goes on in the next line, so that it may be a sentence."""
        found = _BOLD_LINE.match(line)
        said = found[1].rstrip(_STOPS) if found and leads else found[1] if found else ""
        if not said or _NO_HEADING.fullmatch(said) or len(said.split()) > _WORDS:
            return line
        if len(said) < _SHORTEST and not is_chinese(said):
            return line
        return f"{'#' * min(self.level + 1, 6)} {said}"

    def _is_code(self, line: str) -> bool:
        if self.fence:
            closing = line.strip()
            if len(closing) >= len(self.fence) and not closing.strip(self.fence[0]):
                self.fence = ""
            return True
        found = _FENCE.match(line)
        if found and not (found["mark"].startswith("`") and "`" in line[found.end() :]):
            self.fence = found["mark"]
            return True
        if not line.startswith(("    ", "\t")):
            return False
        return not any(_ITEM.match(each) or each.startswith(" ") for each in self._above())

    def _above(self) -> Iterator[str]:
        """Yield the nearest line with words above, if it is not code itself."""
        for each in reversed(self.written[-4:]):
            if each.strip():
                yield each
                return


def _prose(line: str) -> str:
    """Return a line of prose: short codes outside code spans, HTML, escapes, bold."""
    if not line.strip():
        return line
    line = without_shortcodes(line)
    if not _needs_work(line):
        return line
    parts = _spans(line)
    kept = [part if is_code else _unmarked(part, begins=at == 0) for at, (part, is_code) in enumerate(parts)]
    return "".join(kept).rstrip() + ("  " if line.endswith("  ") else "")


def _needs_work(line: str) -> bool:
    return any(mark in line for mark in ("\\", "<", "&", "**"))


def _spans(line: str) -> list[tuple[str, bool]]:
    """Cut a line into prose and code spans, with the backticks of the latter."""
    pieces = _SPAN.split(line)
    parts: list[tuple[str, bool]] = []
    at = 0
    while at < len(pieces):
        if at % 2 and pieces[at] in pieces[at + 2 :: 2]:
            end = at + 2 + 2 * pieces[at + 2 :: 2].index(pieces[at])
            parts.append(("".join(pieces[at : end + 1]), True))
            at = end + 1
        else:
            parts.append((pieces[at], False))
            at += 1
    return parts


def _unmarked(text: str, *, begins: bool) -> str:
    if "<" in text:
        text = _HREF.sub(lambda found: f"[{found[2]}]({found[1]})", text)
        text = _TAG.sub(lambda found: _MARKS.get(found["name"].lower(), ""), _ANCHOR.sub("", text))
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]).replace("\xa0", " "), text)
    if "\\" in text:
        kept = _BEGINS.match(text) if begins else None
        start = kept.end() if kept else 0
        text = text[:start] + _INSIDE_WORD.sub("_", _ESCAPE.sub(r"\1", text[start:]))
    return _mended_bold(text) if "**" in text else text


def _mended_bold(text: str) -> str:
    """Return a line whose bold marks touch the words they mark; one that nothing closes goes."""
    parts = text.split("**")
    if len(parts) % 2 == 0 or "***" in text:
        return text
    for at in range(1, len(parts), 2):
        inside = parts[at]
        if inside.strip():
            parts[at - 1] += inside[: len(inside) - len(inside.lstrip())]
            parts[at + 1] = inside[len(inside.rstrip()) :] + parts[at + 1]
            parts[at] = inside.strip()
    return "**".join(parts)
