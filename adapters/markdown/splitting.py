"""Long Markdown in pieces that each stand alone: fences are closed and reopened, table heads and quotes repeated."""

import re
from dataclasses import dataclass, field

from adapters.markdown.text import WORD_JOINER, exceeds, fit, size

#: The least that a piece may hold; below it there is no room for what is repeated.
SMALLEST = 200
_REPEATED_MAX = 60
_OPENING = re.compile(r"(?P<lead>(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*+)(?P<mark>`{3,}+|~{3,}+)(?P<info>[^\n]*)\Z")
_DELIMITER = re.compile(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*\Z")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
#: What a line is not cut within, unless it is all there is.
_WHOLE = re.compile(
    r"(?<!`)(?P<ticks>`++)[^\n]{0,300}?(?<!`)(?P=ticks)(?!`)|!?\[[^\[\]\n]{0,300}\]\((?:[^()\s]|\([^()\s]*\))*+\)"
    r"|\*\*[^*\n]*\*\*|https?://\S+|&#?\w{1,8};|<[^<>\s]*>"
)
#: A line's rest must not begin what the whole line did not: a list, a quote, a heading, a fence.
_BEGINS = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-+*][ \t]|>|\d{1,9}[.)][ \t]|`{3}|~{3}|(?:-{3}|={3}|\*{3}|_{3})[ \t]*\Z)")
_REST = re.compile(r"[。！？；]|[.!?;](?=\s)|\s+")


@dataclass
class Fence:
    """Code between two lines of marks."""

    mark: str
    opening: str
    closing: str

    @classmethod
    def of(cls, line: str) -> "Fence | None":
        """Return the fence that a line opens, wherever it stands."""
        found = _OPENING.match(line) if "```" in line or "~~~" in line else None
        if found is None or (found["mark"][0] == "`" and "`" in found["info"]):
            return None
        lead, mark = re.sub(r"[^\s>]", " ", found["lead"]), found["mark"]
        closing = f"{lead}{mark}" if size(lead + mark) <= _REPEATED_MAX else mark[:3]
        opening = f"{closing}{found['info'].rstrip()}"
        return cls(mark, opening if size(opening) <= _REPEATED_MAX else closing, closing)

    def ends(self, line: str) -> bool:
        """Return True for the line that closes it."""
        bare = line.lstrip(" \t>").rstrip()
        return bare.startswith(self.mark) and not bare.strip(self.mark[0])


@dataclass
class _Splitter:
    limit: int
    pieces: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    used: int = 0
    fence: Fence | None = None
    head: list[str] = field(default_factory=list)  # of the table that is being read
    opened_at: int = 0  # lines up to and with the opening of the fence
    rest_at: int = 0  # lines up to here may stand alone: a blank line follows them
    before: str = ""

    def add(self, line: str) -> None:
        if self._over(line):
            self._make_room(line)
        if self._over(line):
            for part in self._parts(line):
                if self._over(part):
                    self._cut()
                self._take(part)
        else:
            self._take(line)
        self._follow(line)

    def finish(self) -> list[str]:
        self._flush(len(self.lines))
        return self.pieces

    def _over(self, line: str) -> bool:
        fence = self.fence or Fence.of(line)
        closing = size(fence.closing) + 1 if fence else 0
        return self.used + size(line) + 1 + closing > self.limit

    def _take(self, line: str) -> None:
        self.lines.append(line)
        self.used += size(line) + 1

    def _follow(self, line: str) -> None:
        """Keep in mind what the following lines are part of."""
        if self.fence:
            self.fence = None if self.fence.ends(line) else self.fence
        elif "|" in self.before and delimits(line):
            self.head = [self.before, line]
        elif "|" not in line:
            self.head = []
            self.fence, self.opened_at = Fence.of(line), len(self.lines)
            if not line.strip():
                self.rest_at = len(self.lines)
        self.before = line

    def _make_room(self, line: str) -> None:
        """End the piece: after its last paragraph when little follows, else right here."""
        tail = self.lines[self.rest_at :]
        if self.rest_at and sum(map(size, tail)) + len(tail) + size(line) + _REPEATED_MAX <= self.limit // 2:
            self.opened_at -= self.rest_at
            self._flush(self.rest_at)
            for each in tail:
                self._take(each)
        else:
            self._cut(line)

    def _cut(self, line: str = "") -> None:
        """End the piece here and begin the next one with what the rest needs to mean the same."""
        again: list[str] = []
        if self.fence:
            self.lines[self.opened_at - 1 :] = self._closed(self.fence)
            again, self.opened_at = [self.fence.opening], 1
        elif self.head and "|" in line and sum(map(size, self.head)) + size(line) + 3 <= self.limit:
            again = self.head
        self._flush(len(self.lines))
        for each in again:
            self._take(each)

    def _closed(self, fence: Fence) -> list[str]:
        """Return the code in this piece with its end; none when there is only the opening."""
        code = self.lines[self.opened_at - 1 :]
        return [*code, fence.closing] if len(code) > 1 else []

    def _flush(self, count: int) -> None:
        piece = "\n".join(self.lines[:count]).strip("\n")
        if piece.strip():
            self.pieces.append(piece)
        del self.lines[:count]
        self.lines, self.used, self.rest_at = [], 0, 0

    def _parts(self, line: str) -> list[str]:
        if self.fence:
            room = self.limit - size(self.fence.opening) - size(self.fence.closing) - 3
            return _cut_anywhere(line, room)
        found = _QUOTE.match(line)
        lead = found[0] if found and size(found[0]) <= _REPEATED_MAX else ""
        first, *rest = cut_line(line[len(lead) :], self.limit - size(lead) - 2)
        parts = [f"{WORD_JOINER}{part}" if _BEGINS.match(part) else part for part in rest]
        return [f"{lead}{part}" for part in (first, *parts)]


def delimits(line: str) -> bool:
    """Return True for the line between the head of a table and its rows."""
    return "|" in line and _DELIMITER.match(line) is not None


def split_markdown(text: str, limit: int) -> list[str]:
    """Return the text in pieces of at most `limit` (>= SMALLEST) units; blank text has none."""
    if limit < SMALLEST:
        raise ValueError(f"a piece holds at least {SMALLEST} units")
    if not exceeds(text, limit):
        return [text] if text.strip() else []
    splitter = _Splitter(limit)
    for line in text.split("\n"):
        splitter.add(line)
    return splitter.finish()


def split_words(text: str, limit: int) -> list[str]:
    """Return text without markup in pieces of at most `limit` units, cut at line ends where possible."""
    pieces: list[str] = []
    while exceeds(text, limit):
        end = fit(text, limit)
        at = text.rfind("\n", end // 2, end)
        parts = (text[:at], text[at + 1 :]) if at > 0 else _first(text, limit)
        pieces.append(parts[0])
        text = parts[1]
    return [piece for piece in [*pieces, text] if piece.strip()]


def cut_line(line: str, limit: int) -> list[str]:
    """Return a line in parts of at most `limit` units: after sentences or words, not within links, code or entities."""
    parts: list[str] = []
    while exceeds(line, limit):
        part, line = _first(line, limit)
        parts.append(part)
    return [*parts, line]


def _first(line: str, limit: int) -> tuple[str, str]:
    end = fit(line, limit)
    window = line[: end + limit]
    whole = [(found.start(), found.end()) for found in _WHOLE.finditer(window)]
    places = [found.end() for found in _REST.finditer(line, end // 2, end)]
    at = next((at for at in reversed(places) if not any(start < at < stop for start, stop in whole)), None)
    if at is None:
        around = next((start for start, stop in whole if start < end < stop), end)
        at = around if around > 0 else end
    return line[:at], line[at:]


def _cut_anywhere(line: str, limit: int) -> list[str]:
    parts: list[str] = []
    while exceeds(line, limit):
        end = fit(line, limit)
        parts.append(line[:end])
        line = line[end:]
    return [*parts, line]
