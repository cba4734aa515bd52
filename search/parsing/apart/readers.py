"""Reading files in processes of their own, each file within limits of time, memory and what may come of it.

Whatever others wrote is read there, Markdown and text as well as PDF, Office and HTML: whatever a file does to the
library that reads it, the desk goes on and says so in one line. Only finished pages come back.
"""

import math
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import LifoQueue
from types import TracebackType
from typing import IO, Self

import search
from search.config import SearchConfig
from search.errors import Reason
from search.parsing.apart.exchange import NoAnswer, ReaderFile, Unreadable, request, understood
from search.parsing.apart.threads import LongWork
from search.parsing.converted import Converted, Kind, ParsedPage

#: Where the packages lie: the reading process starts there.
_ROOT = Path(search.__file__).resolve().parents[1]
_PROGRAM = "search.parsing.apart.program"
#: Bytes of an answer for each character of text that a page may have, and for whatever else it says: a text stands in
#: it twice, as the page that is shown and as the tree, and some of its characters have three bytes.
_BYTES_EACH, _BYTES_ELSE = 8, 20_000_000
_PIPE = 65_536
#: Kinds of files of which this many bytes take less time to read than a process takes to start.
_PLAIN, _LITTLE_BYTES = frozenset({Kind.MARKDOWN, Kind.TEXT}), 100_000


@dataclass(frozen=True)
class ReaderLimits:
    """What one file may cost and how much text may come of it, and how many are read at once."""

    seconds: float = 120
    memory_mb: int = 1_000
    most_text: int = 20_000_000  # characters
    processes: int = min(os.cpu_count() or 1, 4)


def limits_of(config: SearchConfig) -> ReaderLimits:
    """Return the limits for files of folders, uploads and sites, as they are set."""
    return ReaderLimits(
        seconds=config.file_seconds, memory_mb=config.file_memory_mb, most_text=int(config.file_text_mb * 1_000_000)
    )


class _TooLate(Exception):
    """The time for a file is over."""


class _Process:
    """One reading process; it is started when the first file comes and again after one that ended it."""

    def __init__(self, limits: ReaderLimits) -> None:
        self._limits = limits
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._reads = self._ended = False

    def read(self, file: ReaderFile) -> Converted | ParsedPage | Unreadable:
        """Return what the file became; blocks for at most the time limit."""
        self._reads = True
        try:
            return self._read(file)
        finally:
            with self._lock:
                self._reads = False
                if self._ended:
                    self.close()

    def end(self) -> None:
        """Let no process be started any more, and end the one there is; whoever reads from it closes its pipes."""
        with self._lock:
            self._ended = True
            if not self._reads:
                self.close()
            elif self._running is not None:
                self._running.kill()

    def _read(self, file: ReaderFile) -> Converted | ParsedPage | Unreadable:
        until = time.monotonic() + self._limits.seconds
        try:
            line = self._asked(file, until)
            if not line and self._ended_well():  # it had been idle, or had grown: another one takes its place
                self.close()
                line = self._asked(file, until)
            if line.endswith(b"\n"):
                return understood(line)
        except _TooLate:
            self.close()
            words = f"takes longer than {self._limits.seconds:.0f} seconds to read and was left out"
            return Unreadable(words, Reason.TOO_SLOW)
        except NoAnswer:
            pass
        self.close()
        words = "breaks the program that reads it (too large inside, or damaged) and was left out"
        return Unreadable(words, Reason.BREAKS)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None

    def _asked(self, file: ReaderFile, until: float) -> bytes:
        """Return the line that the process answers, cut off where it ended before or said too much."""
        process = self._running or self._start()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a reader without pipes")
        most = _BYTES_EACH * self._limits.most_text + _BYTES_ELSE
        return _exchanged(process.stdin, process.stdout, request(file), until=until, most=most)

    def _ended_well(self) -> bool:
        if self._running is None:
            return False
        try:
            return self._running.wait(timeout=1) == 0
        except subprocess.TimeoutExpired:
            return False

    def _start(self) -> subprocess.Popen[bytes]:
        limits = (self._limits.memory_mb, math.ceil(self._limits.seconds) + 1, self._limits.most_text)
        with self._lock:
            if self._ended:
                raise NoAnswer
            started = self._running = subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
                [sys.executable, "-m", _PROGRAM, *(str(limit) for limit in limits)],
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        for pipe in (started.stdin, started.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        return started


class FileReaders:
    """Processes that read files; they start when the first file comes, and end when long idle or closed."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self._limits = limits or ReaderLimits()
        self._all = [_Process(self._limits) for _ in range(self._limits.processes)]
        self._idle: LifoQueue[_Process] = LifoQueue()  # the one that was used last is warm
        for process in self._all:
            self._idle.put(process)
        #: Where whoever is on an event loop calls what blocks here.
        self.waiting = LongWork("wait-for-readers", threads=len(self._all))

    def read(self, files: Sequence[tuple[Kind, bytes]]) -> list[Converted | Unreadable]:
        """Return the Markdown that each file became, in their order. Blocks; call it in a thread."""
        return self.convert([ReaderFile(kind, content) for kind, content in files])

    def convert(self, files: Sequence[ReaderFile]) -> list[Converted | Unreadable]:
        """Return the same for files that come with what is known of them."""
        found = self._read_all(files)
        return [each if not isinstance(each, ParsedPage) else _MIXED_UP for each in found]

    def pages(self, files: Sequence[ReaderFile]) -> list[ParsedPage | Unreadable]:
        """Return the page that each file became, in their order; each has a path. Blocks; call it in a thread."""
        return [each if not isinstance(each, Converted) else _MIXED_UP for each in self._read_all(files)]

    def close(self) -> None:
        """End the processes for good; a file that is being read, and whatever is still asked for, is unreadable."""
        self.waiting.close()
        for process in self._all:
            process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_all(self, files: Sequence[ReaderFile]) -> list[Converted | ParsedPage | Unreadable]:
        if len(self._all) == 1 or _is_little(files):
            return [self._read(file) for file in files]
        with ThreadPoolExecutor(max_workers=len(self._all), thread_name_prefix="read-files") as threads:
            return list(threads.map(self._read, files))

    def _read(self, file: ReaderFile) -> Converted | ParsedPage | Unreadable:
        process = self._idle.get()
        try:
            return process.read(file)
        finally:
            self._idle.put(process)


def _is_little(files: Sequence[ReaderFile]) -> bool:
    """Say whether one process has read them before another one would have started."""
    if len(files) == 1:
        return True
    return all(file.kind in _PLAIN for file in files) and sum(len(file.content) for file in files) < _LITTLE_BYTES


#: What a reader that was taken over may have said.
_MIXED_UP = Unreadable("breaks the program that reads it and was left out", Reason.BREAKS)


def _exchanged(asking: IO[bytes], answering: IO[bytes], sent: bytes, *, until: float, most: int) -> bytes:
    """Write a request and read the line that answers it, neither longer than until that moment; `_TooLate`."""
    rest = memoryview(sent)
    line = bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(answering, selectors.EVENT_READ)
        ready.register(asking, selectors.EVENT_WRITE)
        while not line.endswith(b"\n") and len(line) <= most:
            events = ready.select(max(0.0, until - time.monotonic()))
            if not events:
                raise _TooLate
            for key, _ in events:
                if key.fileobj is answering:
                    piece = os.read(answering.fileno(), _PIPE * 4)
                    if not piece:
                        return bytes(line)
                    line += piece
                    continue
                try:
                    rest = rest[os.write(asking.fileno(), rest[: _PIPE * 4]) :]
                except BrokenPipeError:
                    rest = memoryview(b"")
                if not rest:
                    ready.unregister(asking)
    return bytes(line)
