"""The last lines of a log as it streams by, whatever it holds: little is kept of however much comes."""

import hashlib
import re
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

#: A longer line is cut; more bytes of lines are not kept; more bytes of a log are not read.
LONGEST_LINE = 8_000
MOST_KEPT = 2_000_000
MOST_READ = 64_000_000
#: Sequences by which a text would move a terminal's cursor, colour it, or set its title.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?|\][^\x07\x1b]*+(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), 127, *range(128, 160)))


@dataclass(frozen=True)
class LinesRead:
    """The last lines; `cut` where there were more or longer ones."""

    lines: tuple[str, ...]
    sha256: str
    cut: bool


async def last_lines(chunks: AsyncIterator[bytes], *, lines: int) -> LinesRead:
    """Return the last lines of what comes, without escapes and control characters."""
    kept = _NewestLines(lines)
    digest = hashlib.sha256()
    read = 0
    async for chunk in chunks:
        read += len(chunk)
        digest.update(chunk)
        kept.feed(chunk)
        if read > MOST_READ:
            kept.cut = True
            break
    kept.end()
    return LinesRead(tuple(map(plain, kept.lines)), digest.hexdigest(), kept.cut)


def plain(line: bytes) -> str:
    """Return a line as text that draws nothing but its letters."""
    text = line.decode("utf-8", "replace")
    return _ESCAPES.sub("", text).translate(_CONTROLS) if not text.isprintable() else text


class _NewestLines:
    """The newest lines so far, and the beginning of the one that is not ended yet."""

    def __init__(self, most: int) -> None:
        self.lines: deque[bytes] = deque()
        self.cut = False
        self._most = most
        self._bytes = 0
        self._open = bytearray()

    def feed(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\n")
        self._grow(first)
        for piece in others:
            self._close()
            self._grow(piece)

    def end(self) -> None:
        if self._open:
            self._close()

    def _grow(self, piece: bytes) -> None:
        room = LONGEST_LINE - len(self._open)
        self._open += piece[:room]
        self.cut = self.cut or len(piece) > room

    def _close(self) -> None:
        line = bytes(self._open)
        self._open.clear()
        self.lines.append(line)
        self._bytes += len(line)
        while len(self.lines) > self._most or self._bytes > MOST_KEPT:
            self._bytes -= len(self.lines.popleft())
            self.cut = True
