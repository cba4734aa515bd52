"""What a crawl knows between and within its runs: a file of lines in the crawl's folder, added to as it goes.

Each line stands by itself, so that a run that is killed loses the last one at most. The name is hidden, so that what
reads the folder passes it over. A *round* is one crawl of the whole site, in one run or in several.
"""

import asyncio
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from io import BufferedWriter
from pathlib import Path
from typing import Any

from search.errors import CrawlFolderUnusable

NAME = ".crawl.jsonl"
LOCK = ".crawl.lock"
#: A round that was left unfinished longer ago is begun anew, or its first pages would never be asked for again.
_STALE = timedelta(days=1)


class State(StrEnum):
    """What came of an address."""

    KEPT = "kept"  # its page is in the folder
    ALIAS = "alias"  # another name of `target`
    GONE = "gone"  # 404 or 410
    LEFT_OUT = "left_out"  # not wanted, `why` says on what grounds
    FAILED = "failed"  # no answer that counts; what is in the folder stays


@dataclass(frozen=True)
class JournalRecord:
    """One address in its latest round. What is not kept but has a `path` has a file that is still to be removed."""

    address: str
    state: State
    round: int
    depth: int
    path: str = ""
    etag: str = ""
    modified: str = ""  # as the server wrote it
    digest: str = ""
    target: str = ""
    why: str = ""
    links: tuple[str, ...] = ()  # found here first


def addresses(folder: Path) -> dict[str, str]:
    """Return for each file of a folder that a crawl fills where it was fetched; nothing for another folder. Blocks."""
    latest: dict[str, dict[str, Any]] = {}
    with suppress(OSError):
        latest = {told["address"]: told for told in _lines(folder / NAME) if isinstance(told.get("address"), str)}
    kept = (told for told in latest.values() if told.get("state") in {State.KEPT, State.FAILED})
    return {str(told["path"]): told["address"] for told in kept if told.get("path")}


class Journal:
    """The records of one folder; `open` takes the folder for this process alone, `begin` begins to write."""

    def __init__(self, folder: Path, *, start: str, terms: str, now: datetime) -> None:
        self._folder = folder
        self._start = start
        self._terms = terms
        self._now = now
        self._file: BufferedWriter | None = None
        self._lock: int | None = None
        self._writing = asyncio.Lock()
        self.records: dict[str, JournalRecord] = {}
        self.round = 0
        self.goes_on = False  # this run goes on with a round that was not finished
        self.same_terms = False  # as in the round before: then unchanged pages need not be read for their links

    async def open(self) -> None:
        """Read what is known; raise `CrawlFolderUnusable` for a folder that is somebody else's."""
        await asyncio.to_thread(self._open)

    async def begin(self) -> None:
        """Begin the round, or go on with it."""
        await asyncio.to_thread(self._begin)

    async def put(self, record: JournalRecord) -> None:
        """Keep a record from now on, whatever happens to this process."""
        self.records[record.address] = record
        line = _line(asdict(record))
        async with self._writing:
            await asyncio.to_thread(self._append, line)

    async def give_up(self, record: JournalRecord) -> None:
        """Keep that an address does not belong to the crawl any more; its file is removed at the round's end."""
        await self.put(replace(record, state=State.LEFT_OUT, round=self.round, why="scope"))

    async def finish(self) -> None:
        """End the round and write the file anew with what the next one needs."""
        async with self._writing:
            await asyncio.to_thread(self._compact)

    async def close(self) -> None:
        """Let go of the folder."""
        await asyncio.to_thread(self._close)

    def is_done(self, address: str) -> bool:
        """Say whether an address was dealt with in this round; a failure is tried again by the next run."""
        record = self.records.get(address)
        return record is not None and record.round == self.round and record.state is not State.FAILED

    def known(self) -> Iterator[tuple[str, int]]:
        """Yield every address that was ever found, with its depth, the nearest first."""
        depths = {address: record.depth for address, record in self.records.items()}
        for record in self.records.values():
            for link in record.links:
                depths.setdefault(link, record.depth + 1)
        yield from sorted(depths.items(), key=lambda found: found[1])

    def _open(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / NAME
        if not path.exists() and any(entry.name not in {LOCK, NAME} for entry in self._folder.iterdir()):
            raise CrawlFolderUnusable(f"{self._folder} holds other files; name a folder of its own (--out)")
        self._lock = os.open(self._folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._close()
            raise CrawlFolderUnusable(f"{self._folder} is being filled by another crawl") from error
        try:
            finished, began = self._read(path)
        except CrawlFolderUnusable:
            self._close()
            raise
        self.goes_on = not finished and self.same_terms and self._now - began < _STALE
        self.round += not self.goes_on

    def _begin(self) -> None:
        self._file = (self._folder / NAME).open("ab")
        self._append(b"\n")  # the last line of a run that was killed may lack its end
        if not self.goes_on:
            self._append(_line(self._header()))

    def _read(self, path: Path) -> tuple[bool, datetime]:
        finished, began = True, self._now
        for told in _lines(path):
            if "address" in told:
                record = JournalRecord(**{**told, "state": State(told["state"]), "links": tuple(told["links"])})
                self.records[record.address] = record
            elif "finished" in told:
                finished = True
            else:
                if told["start"] != self._start:
                    raise CrawlFolderUnusable(
                        f"{self._folder} holds the crawl of {told['start']}; name another folder for this one (--out)"
                    )
                self.round, began, finished = told["round"], datetime.fromisoformat(told["began"]), False
                self.same_terms = told["terms"] == self._terms
        return finished, began

    def _header(self) -> dict[str, object]:
        return {"round": self.round, "start": self._start, "terms": self._terms, "began": self._now.isoformat()}

    def _append(self, line: bytes) -> None:
        if self._file is not None:
            self._file.write(line)
            self._file.flush()

    def _compact(self) -> None:
        # What is not there is only remembered as a link of another page.
        stays = [record for record in self.records.values() if record.state is not State.GONE or record.path]
        self.records = {record.address: record for record in stays}
        path = self._folder / NAME
        fresh = path.with_suffix(".tmp")
        with fresh.open("wb") as file:
            file.write(_line(self._header()))
            file.writelines(_line(asdict(record)) for record in self.records.values())
            file.write(_line({"finished": self.round}))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        if self._file is not None:
            self._file.close()
            self._file = path.open("ab")

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _line(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield each whole line; the last one of a killed run may be none."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        for line in file:
            with suppress(ValueError):
                told = json.loads(line)
                if isinstance(told, dict):
                    yield told
