"""Reading files in processes of their own, each file within a time and a memory limit.

Libraries that read PDF, Office and HTML files are large and meet files that somebody else made; whatever a file does
to one, the desk goes on and says so in one line.
"""

import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self

import search
from search.errors import Reason
from search.parsing.converted import Converted, Kind, PageLink

#: Where the packages lie: the reading process starts there.
_ROOT = Path(search.__file__).resolve().parents[1]
_PROGRAM = "search.parsing.apart.program"


@dataclass(frozen=True)
class ReaderLimits:
    """What one file may cost, and how many are read at once."""

    seconds: float = 120
    memory_mb: int = 2_000
    processes: int = min(os.cpu_count() or 1, 4)


@dataclass(frozen=True)
class Unreadable:
    """Why a file could not be read, in one line to be read after its name, and as a code."""

    why: str
    reason: Reason = Reason.OTHER


class _Process:
    """One reading process; it is started when the first file comes and again after one that ended it."""

    def __init__(self, limits: ReaderLimits) -> None:
        self._limits = limits
        self._running: subprocess.Popen[bytes] | None = None

    def read(self, kind: Kind, content: bytes) -> Converted | Unreadable:
        """Return what the file became; blocks for at most the time limit."""
        process = self._running or self._start()
        late = threading.Event()
        timer = threading.Timer(self._limits.seconds, _stop, (process, late))
        timer.start()
        try:
            line = _asked(process, kind, content)
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            return _understood(line)
        self.close()
        if late.is_set():
            words = f"takes longer than {self._limits.seconds:.0f} seconds to read and was left out"
            return Unreadable(words, Reason.TOO_SLOW)
        words = "breaks the program that reads it (too large inside, or damaged) and was left out"
        return Unreadable(words, Reason.BREAKS)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None

    def _start(self) -> subprocess.Popen[bytes]:
        self._running = subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
            [sys.executable, "-m", _PROGRAM, str(self._limits.memory_mb), str(math.ceil(self._limits.seconds) + 1)],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self._running


class FileReaders:
    """Processes that read files; they start when the first file comes and wait for more until they are closed."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self._limits = limits or ReaderLimits()
        self._all = [_Process(self._limits) for _ in range(self._limits.processes)]
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for process in self._all:
            self._idle.put(process)

    def read(self, files: Sequence[tuple[Kind, bytes]]) -> list[Converted | Unreadable]:
        """Return what each file became, in their order. Blocks; call it in a thread."""
        with ThreadPoolExecutor(max_workers=len(self._all), thread_name_prefix="read-files") as threads:
            return list(threads.map(self._read, files))

    def close(self) -> None:
        """End the processes; more files may still be read, by new ones. Not to be called while files are read."""
        for process in self._all:
            process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, file: tuple[Kind, bytes]) -> Converted | Unreadable:
        process = self._idle.get()
        try:
            return process.read(*file)
        finally:
            self._idle.put(process)


def _asked(process: subprocess.Popen[bytes], kind: Kind, content: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(json.dumps({"kind": kind, "size": len(content)}).encode() + b"\n" + content)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline()


def _stop(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _understood(line: bytes) -> Converted | Unreadable:
    told = json.loads(line)
    if "unreadable" in told:
        return Unreadable(str(told["unreadable"]), Reason(told["reason"]))
    return Converted(
        markdown=str(told["markdown"]),
        title=str(told["title"]),
        updated=date.fromisoformat(told["updated"]) if told["updated"] else None,
        remark=str(told["remark"]),
        front_matter=str(told["front_matter"]),
        links=tuple(PageLink(str(address), updated=str(updated)) for address, updated in told["links"]),
        about={str(name): str(value) for name, value in told["about"].items()},
    )
