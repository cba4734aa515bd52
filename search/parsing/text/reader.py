"""Plain text to Markdown: underlined and numbered lines are headings, indented and drawn blocks are code."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from search.errors import FileUnreadable, Reason
from search.parsing.blocks import Block, CodeBlock, HeadingBlock, ListItem, Paragraph, inline, to_markdown
from search.parsing.converted import Converted
from search.parsing.markdown.clauses import label_of, with_headings
from search.parsing.markdown.front_matter import cut
from search.parsing.text.encoding import decode

_BULLET = re.compile(r"\s*(?P<mark>[-*+•●○▪■◆◇‣·–\uf0b7\uf0a7\uf06c]|\d{1,3}[.)])\s+(?=\S)")
_UNDERLINE = re.compile(r"(?P<mark>[=\-~])\1{2,}\s*$")
_UNDERLINES = "=-~"
_DRAWN = re.compile(r"\s*[|+┌├└│╔╠╚║]")
_ENDED = re.compile(r"[.!?:;。！？：；…][\"')\]”’」』）]*\s*$")
#: Characters that are written without spaces between them, their punctuation among them.
CJK = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003134f]"
_CJK = re.compile(CJK)
#: A line this much shorter than the longest ended because its writer ended it.
_FULL = 0.8


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a plain text, parted by empty lines, indents, marks of lists and underlines."""
    lines = text.expandtabs(4).split("\n")
    full = _width_of_full_lines(lines)
    return [block for group in _groups(lines) for block in _blocks(group, full=full)]


def joined(lines: Sequence[str]) -> str:
    """Return lines that were one sentence as one; Chinese needs no space between them."""
    text = ""
    for line in (line.strip() for line in lines):
        glue = "" if not text or not line or (_CJK.match(text[-1]) and _CJK.match(line)) else " "
        text += glue + line
    return text


def width(text: str) -> int:
    """Return how wide a line looks, in columns."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def bullet(line: str) -> tuple[str, str] | None:
    """Return the mark of a list ("" for any bullet) and the item's text, or None."""
    found = _BULLET.match(line)
    if found is None:
        return None
    return ("" if not found["mark"][0].isdigit() else found["mark"]), line[found.end() :]


def ends_sentence(line: str) -> bool:
    """Say whether a line ends as a sentence does."""
    return _ENDED.search(line) is not None


def _width_of_full_lines(lines: Sequence[str]) -> int:
    """Return the width to which a text was wrapped, or a width that no line has when it was not."""
    widths = sorted(width(line) for line in lines if line.strip())
    if len(widths) < 4:
        return 10**9
    return widths[int(len(widths) * 0.95)] if widths[-1] <= 120 else 10**9


def _groups(lines: Sequence[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for line in lines:
        if line.strip():
            group.append(line.rstrip())
        elif group:
            yield group
            group = []
    if group:
        yield group


def _blocks(group: Sequence[str], *, full: int) -> Iterator[Block]:
    if _is_code(group):
        margin = min(len(line) - len(line.lstrip()) for line in group)
        yield CodeBlock("\n".join(line[margin:] for line in group))
        return
    growing = _Growing(full)
    pairs = zip(group, [*group[1:], ""], strict=True)
    for line, after in pairs:
        if level := _underlined(line, after):
            yield from growing.ended()
            yield HeadingBlock(level, inline(line.strip()))
            next(pairs)
        else:
            yield from growing.take(line)
    yield from growing.ended()


def _underlined(line: str, after: str) -> int:
    """Return the level of a heading that the next line underlines, or 0."""
    mark = after.strip()
    if not _UNDERLINE.fullmatch(mark) or _UNDERLINE.fullmatch(line.strip()) or len(mark) * 2 < width(line.strip()):
        return 0
    return 1 + _UNDERLINES.index(mark[0])


def _is_code(group: Sequence[str]) -> bool:
    if all(_DRAWN.match(line) for line in group) and len(group) > 1:
        return True
    return all(line.startswith("    ") for line in group) and not any(_CJK.search(line) for line in group)


@dataclass
class _Growing:
    """A paragraph or an item that is still growing, line by line."""

    full: int
    lines: list[str] = field(default_factory=list)
    mark: str | None = None
    depth: int = 0

    def take(self, line: str) -> Iterator[Block]:
        item = bullet(line)
        if item is not None or (label_of(line.strip()) is not None and self._ended_before()):
            yield from self.ended()
        if item is not None:
            self.mark, first = item
            self.depth = min((len(line) - len(line.lstrip())) // 2, 3)
            self.lines = [first]
        else:
            self.lines.append(line)

    def ended(self) -> Iterator[Block]:
        """Yield what has grown, and begin anew."""
        if self.lines:
            text = inline("\n".join(joined(run) for run in self._runs()))
            yield Paragraph(text) if self.mark is None else ListItem(text, self.depth, self.mark)
        self.lines, self.mark, self.depth = [], None, 0

    def _runs(self) -> Iterator[list[str]]:
        """Yield the lines that were one before they were wrapped."""
        run: list[str] = []
        for line in self.lines:
            run.append(line)
            if not self._is_full(line):
                yield run
                run = []
        if run:
            yield run

    def _ended_before(self) -> bool:
        return not self.lines or not self._is_full(self.lines[-1]) or ends_sentence(self.lines[-1])

    def _is_full(self, line: str) -> bool:
        return width(line.rstrip()) >= self.full * _FULL


def convert(content: bytes) -> Converted:
    """Return a text file as Markdown; raises `FileUnreadable`."""
    decoded = decode(content)
    head, text = cut(decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    blocks = blocks_of(text.replace("\f", "\n\n").replace("\v", "\n"))
    if not blocks:
        raise FileUnreadable("is empty", Reason.EMPTY)
    if not any(isinstance(block, HeadingBlock) for block in blocks):
        blocks = with_headings(blocks)
    title = next((block.text for block in blocks if isinstance(block, HeadingBlock) and block.level == 1), "")
    single = sum(isinstance(block, HeadingBlock) and block.level == 1 for block in blocks) == 1
    return Converted(
        markdown=to_markdown(blocks), title=title if single else "", remark=decoded.remark, front_matter=head
    )
