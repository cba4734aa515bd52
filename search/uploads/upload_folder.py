"""Files that came in by upload, on disk: names that lead nowhere, each put in place whole or not at all."""

import os
import re
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from search.errors import FileUnreadable, Reason
from search.parsing.converted import KINDS, kind_of, unread
from storage.ids import new_id

# Below the root `NAME/` is a source of that name, and `threads/KEY/` what was sent in one chat thread.
_ARRIVING = ".arriving"  # what is still on its way
_REMOVED = ".removed"  # what was taken out, for a day
#: What would make a name a path, hide it from the walk, or break a line; `#` and `:` stand in citations' ids.
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069<>:"|?*#]')
_NAME_BYTES = 180


@dataclass(frozen=True)
class Arrival:
    """A file on its way: it lies at `path` until it is put in place under `name`."""

    name: str
    path: Path

    def write(self, piece: bytes) -> None:
        """Add bytes; blocks."""
        with self.path.open("ab") as file:
            file.write(piece)

    def drop(self) -> None:
        """Forget it; nothing when it is in place already. Blocks."""
        self.path.unlink(missing_ok=True)


def safe_name(given: str) -> str:
    """Return a file's name without anything that leads elsewhere; raise `FileUnreadable` for what has no reader."""
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    plain = _NOT_IN_NAMES.sub("", last.encode(errors="ignore").decode()).lstrip(". ~$").rstrip(". ")
    if kind_of(plain) is None:
        if old := unread(plain):
            raise FileUnreadable(old, Reason.OLD_FORMAT)
        raise FileUnreadable(f"is of no format that is read ({', '.join(sorted(_SHOWN))})", Reason.FORMAT)
    path = PurePosixPath(plain)
    stem = path.stem.encode()[: _NAME_BYTES - len(path.suffix)].decode(errors="ignore").strip() or "file"
    return f"{stem}{path.suffix}"


#: The suffixes by which people know the formats.
_SHOWN = set(KINDS) - {".markdown", ".text", ".htm", ".xhtml", ".docm", ".xlsm"}


class UploadFolder:
    """The folder of all uploads. Every method blocks: call it in a thread."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def of(self, name: str) -> Path:
        """Return where the files of a source lie."""
        return (self.root / name).resolve()

    def holds(self, path: Path) -> bool:
        """Return whether a source's folder is one of uploads."""
        return path.resolve().parent == self.root.resolve()

    def arriving(self, name: str, *, attempt: str = "") -> Arrival:
        """Return a file to write to; raise `FileUnreadable` where its name says that nobody can read it.

        What goes by the name of an `attempt` takes the place of what an earlier one left, which was killed.
        """
        folder = self.root / _ARRIVING
        folder.mkdir(parents=True, exist_ok=True)
        if attempt:
            self.drop_arriving(attempt)
        arrival = Arrival(name=safe_name(name), path=folder / f"{attempt}.{new_id('file')}".lstrip("."))
        arrival.path.touch()
        return arrival

    def drop_arriving(self, attempt: str) -> None:
        """Delete what attempts of that name, or whose names begin with it and a full stop, left on its way."""
        for left in (self.root / _ARRIVING).glob(f"{attempt}.*"):
            left.unlink(missing_ok=True)

    def place(self, arrival: Arrival, folder: Path) -> bool:
        """Put a file in place; return whether one of that name stood there before."""
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / arrival.name
        stood = target.exists()
        arrival.path.replace(target)
        return stood

    def put_away(self, name: str, *, now: datetime) -> Path:
        """Take a source's files out of the way; return where they are kept until `forget` takes them."""
        kept = self.root / _REMOVED / f"{name} {new_id('at')}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        self.of(name).replace(kept)
        os.utime(kept, (now.timestamp(), now.timestamp()))
        return kept.resolve()

    def forget(self, *, before: datetime) -> int:
        """Delete what was taken out, or began to arrive, before that instant; return how many things there were."""
        old = [each for each in self._leftovers() if is_older(each, before)]
        for each in old:
            if each.is_dir():
                shutil.rmtree(each, ignore_errors=True)
            else:
                each.unlink(missing_ok=True)
        return len(old)

    def _leftovers(self) -> Iterator[Path]:
        for name in (_ARRIVING, _REMOVED):
            folder = self.root / name
            if folder.is_dir():
                yield from folder.iterdir()


def is_older(path: Path, instant: datetime) -> bool:
    """Return whether something was last written before an instant; what is gone meanwhile was not."""
    try:
        return path.lstat().st_mtime < instant.timestamp()
    except FileNotFoundError:
        return False
