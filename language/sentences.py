"""Cutting a long text into spans at its own seams: blocks that stay whole, lines of a list, sentences.

Every function of a text returns spans, `(start, end)` in characters, that follow one another and leave only white space
out; those of a row of a table return its cells, and tell what marks one.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<mark>`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_TABLE_ROW = re.compile(r"[ \t>]*\|")
# A full stop ends a sentence when white space and no lower-case letter follow; the Chinese ones always do.
_SENTENCE_END = re.compile(r"[.!?][\"')\]\u201d*_`]*(?=\s+[^a-z\s])|[。！？；…]+[”’」』）)]*")
_CLAUSE_END = re.compile(r"[,;:，；：、]\s*|\s+")
_CELL = re.compile(r"(?<!\\)\|")
_MARKS = frozenset({"x", "✓", "✔", "✅", "☑", "yes", "y", "true", "是", "有", "√"})
_UNMARKED = frozenset({"", "-", "–", "—", "no", "n", "false", "否", "无", "✗", "✘", "❌"})
#: How a line begins that is no prose: a list, a table, code, a heading, a quotation.
BLOCK = re.compile(r"^\s*(?:[-*+]\s|\d{1,3}[.)]|\||```|~~~|#{1,6}\s|>)")
_LISTED = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s")


def blocks(text: str) -> Iterator[tuple[Span, bool]]:
    """Yield the spans of a text, each with whether it must stay whole (a code fence, a run of table rows)."""
    at = 0
    start = 0
    fence = ""
    rows = False
    for line in text.splitlines(keepends=True):
        opens = _FENCE.match(line) if not fence else None
        is_row = not fence and _TABLE_ROW.match(line) is not None
        if opens or is_row != rows:
            if at > start and not fence:
                yield (start, at), rows
                start = at
            rows = is_row
        if fence and _closes(line, fence):
            fence = ""
            yield (start, at + len(line)), True
            start = at + len(line)
        elif opens:
            fence = opens["mark"]
        at += len(line)
    if at > start:
        yield (start, at), rows or bool(fence)


def sentences(text: str, span: Span) -> Iterator[Span]:
    """Yield the sentences of a span; a list's item begins a new one, and so does a blank line."""
    for start, end in paragraphs(text, span):
        begin = start
        item = _ITEM.match(text, start, end)  # the full stop of its number ends nothing
        for found in _SENTENCE_END.finditer(text, item.end() if item else start, end):
            if text[begin : found.end()].strip():
                yield begin, found.end()
                begin = found.end()
        if text[begin:end].strip():
            yield begin, end


def clauses(text: str, span: Span) -> Iterator[Span]:
    """Yield the pieces of a sentence between commas and spaces, for one that is longer than a window."""
    start, end = span
    begin = start
    for found in _CLAUSE_END.finditer(text, start, end):
        if found.end() > begin:
            yield begin, found.end()
            begin = found.end()
    if begin < end:
        yield begin, end


def trimmed(text: str, span: Span) -> Span:
    """Return the span without blank lines and trailing space around it; a whole first line keeps its indent."""
    start, end = span
    end = start + len(text[start:end].rstrip())
    inside = start + len(text[start:end]) - len(text[start:end].lstrip())
    line = text.rfind("\n", 0, inside) + 1
    return (line if line >= start else inside), end


def _closes(line: str, fence: str) -> bool:
    closing = line.strip()
    return len(closing) >= len(fence) and not closing.strip(fence[0])


def paragraphs(text: str, span: Span) -> Iterator[Span]:
    """Yield the paragraphs and list items of a span."""
    start, end = span
    at = begin = start
    for line in text[start:end].splitlines(keepends=True):
        if at > begin and (not line.strip() or _ITEM.match(line)):
            yield begin, at
            begin = at
        at += len(line)
    if at > begin:
        yield begin, at


def cells_of(row: str) -> tuple[str, ...]:
    """Return the cells of a row, without the bars around them."""
    return tuple(cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|")))


def is_mark(cell: str) -> bool:
    """Tell whether a cell only says that its row counts."""
    return cell.strip("*_` ").lower() in _MARKS


def is_unmarked(cell: str) -> bool:
    """Tell whether a cell only says that its row does not count."""
    return cell.strip("*_` ").lower() in _UNMARKED


def unwrapped(text: str) -> str:
    """Return prose without the line breaks of its source; lists, tables and code keep theirs."""
    return "\n".join(part if is_code else _prose_unwrapped(part) for part, is_code in _fenced_apart(text))


def _fenced_apart(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the runs of lines of a text in order, each with whether it is code between fences."""
    run: list[str] = []
    mark = ""
    for line in text.split("\n"):
        opens = None if mark else _FENCE.match(line)
        if opens and run:
            yield "\n".join(run), False
            run = []
        run.append(line)
        if opens:
            mark = opens["mark"]
        elif mark and line.strip().startswith(mark):
            yield "\n".join(run), True
            run, mark = [], ""
    if run:
        yield "\n".join(run), bool(mark)


def _prose_unwrapped(text: str) -> str:
    body = text.strip("\n")
    before, after = text[: len(text) - len(text.lstrip("\n"))], text[len(text.rstrip("\n")) :] if body else ""
    return before + _paragraphs_unwrapped(body) + after


def _paragraphs_unwrapped(text: str) -> str:
    return "\n\n".join(
        _kept_apart(part) if any(BLOCK.match(line) for line in part.splitlines()) else _on_one_line(part)
        for part in re.split(r"\n\s*\n", text)
    )


def _kept_apart(part: str) -> str:
    """Return a list with each of its items on a line; whatever else has marks of its own stays as it is."""
    lines: list[str] = []
    for line in part.splitlines():
        if lines and not BLOCK.match(line) and line.startswith(" ") and _LISTED.match(lines[-1]):
            lines[-1] = _on_one_line(f"{lines[-1]}\n{line.strip()}")
        else:
            lines.append(line)
    return "\n".join(lines)


def _on_one_line(text: str) -> str:
    return re.sub(
        r"\s++",
        lambda found: " " if "\n" in found[0] else found[0],
        re.sub(r"(?<=[\u3000-\uffef])\n\s*(?=[\u3000-\uffef])|(?<=[。！？；])\n\s*", "", text),
    )
