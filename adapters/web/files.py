"""Files on their way from a page to the desk: on disk, each for the person who sent it, until it is read."""

import asyncio
import hashlib
from collections.abc import AsyncIterable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from adapters.port import TooLarge, Undeliverable

#: Files of one person that wait for their message; the oldest makes room for one more.
MOST_WAITING = 50
#: What a file is called that is not all there yet.
_PART = ".part"


class WebFiles:
    """Keeps files by their sender and the id that the page gave them; the same id again is the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def keep(self, user: str, identifier: str, pieces: AsyncIterable[bytes], *, at_most: int) -> int:
        """Write a file and return its size; raise `TooLarge` as soon as it is, and then nothing is kept."""
        file = self._at(user, identifier)
        part = file.with_suffix(_PART)
        await asyncio.to_thread(_begin, part)
        size, whole = 0, False
        try:
            async for piece in pieces:
                size += len(piece)
                if size > at_most:
                    raise TooLarge(f"a file has more than {at_most} bytes")
                await asyncio.to_thread(_append, part, piece)
            await asyncio.to_thread(part.replace, file)
            whole = True
        finally:
            if not whole:  # a full disk needs the place
                await asyncio.to_thread(part.unlink, missing_ok=True)
        return size

    async def fetch(self, user: str, identifier: str, *, at_most: int) -> bytes:
        """Return what a person sent; raise `Undeliverable` when it is not there any more."""
        try:
            return await asyncio.to_thread(_read, self._at(user, identifier), at_most)
        except OSError as error:
            raise Undeliverable("the file is not there any more") from error

    async def forget(self, *, before: datetime) -> int:
        """Delete what came before that instant; return how many files there were."""
        return await asyncio.to_thread(self._forget, before.timestamp())

    def _at(self, user: str, identifier: str) -> Path:
        """Return where a file lies; the id was checked to be plain letters, the user's is not one's own choice."""
        return self._folder / hashlib.sha256(user.encode()).hexdigest()[:32] / identifier

    def _forget(self, before: float) -> int:
        old = [file for age, file in _by_age(self._folder.glob("*/*")) if age < before]
        for file in old:
            file.unlink(missing_ok=True)
        return len(old)


def _begin(part: Path) -> None:
    part.parent.mkdir(parents=True, exist_ok=True)
    waiting = _by_age(part.parent.iterdir())
    for _, oldest in waiting[: max(0, len(waiting) - MOST_WAITING + 1)]:
        oldest.unlink(missing_ok=True)
    part.write_bytes(b"")


def _by_age(files: Iterable[Path]) -> list[tuple[float, Path]]:
    """Return files with their times, the oldest first; others come and go at the same time."""
    found: list[tuple[float, Path]] = []
    for file in files:
        with suppress(FileNotFoundError):
            found.append((file.stat().st_mtime, file))
    return sorted(found)


def _append(part: Path, piece: bytes) -> None:
    with part.open("ab") as file:
        file.write(piece)


def _read(file: Path, at_most: int) -> bytes:
    if file.stat().st_size > at_most:
        raise TooLarge(f"the file has {file.stat().st_size} bytes")
    return file.read_bytes()
