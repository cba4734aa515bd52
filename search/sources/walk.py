"""Finding the pages below a folder, and who may read each (`.access.yaml`), without reading what they say."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from search.access import read_allow
from search.errors import AccessInvalid
from search.parsing.converted import kind_of, unread
from search.parsing.markdown.safe_yaml import LONGEST, YamlRefused, load_plain
from search.sources.port import SourceProblem

NAMES = (".access.yaml", ".access.yml")


@dataclass(frozen=True)
class FolderAccess:
    """The list that holds in a folder. `problem` tells why one could not be read; then the folder is closed."""

    allow: tuple[str, ...]
    problem: str = ""
    file: str = ""


def folder_access(folder: Path, inherited: tuple[str, ...]) -> FolderAccess:
    """Return the folder's own list, else the inherited one. A list that cannot be read closes the folder."""
    for name in NAMES:
        file = folder / name
        if not os.path.lexists(file):
            continue
        try:
            # A byte more than is taken, so that what is too long is told and not cut.
            text = read_regular(file, most=4 * LONGEST + 1).content.decode("utf-8-sig")
            return FolderAccess(allow=read_allow(load_plain(text)), file=name)
        except (OSError, UnicodeDecodeError, YamlRefused, AccessInvalid) as error:
            why = " ".join(str(error).split())
            return FolderAccess(
                allow=(), file=name, problem=f"cannot be read, only the operator sees this folder: {why}"
            )
    return FolderAccess(allow=inherited)


@dataclass(frozen=True)
class RegularFile:
    """What a file holds, up to the bytes that were asked for, and its state when it was opened."""

    content: bytes
    state: os.stat_result


def read_regular(file: Path, *, most: int) -> RegularFile:
    """Return the first bytes of a file that is one; raise `OSError` for a pipe, a device or a socket.

    It is judged after it was opened, since a name may stand for something else a moment later.
    """
    # Without waiting for somebody at the other end of a pipe.
    opened = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(opened, "rb") as held:
        state = os.fstat(held.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, _what(state.st_mode))
        return RegularFile(held.read(most), state)


def _what(mode: int) -> str:
    """Return what a thing that is no file is, to be read after its name."""
    named = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
    return f"it is {next((words for judge, words in named if judge(mode)), 'a device')}, no file"


#: Hidden files, and what Word and Excel leave beside a file that is open.
_PASSED_OVER = (".", "~$")


#: Names of files that one line tells.
_NAMED = 3
#: Folders within folders; a copy that fell into itself goes on until no path is long enough.
_DEEPEST = 100


@dataclass(frozen=True)
class FoundFile:
    """One file: its path below the root with `/`, and the list that its folders give it."""

    path: str
    file: Path
    allow: tuple[str, ...]


@dataclass
class Walk:
    """One walk over a folder; what it tells besides the files fills while it goes on."""

    root: Path
    default_allow: tuple[str, ...]
    problems: list[SourceProblem] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)
    _unread: dict[str, list[str]] = field(default_factory=dict)

    def files(self) -> Iterator[FoundFile]:
        """Yield every page below the root, in the order of paths; hidden files and folders are left out."""
        real = Path(os.path.realpath(self.root))
        yield from self._folder(self.root, inherited=self.default_allow, inside=real, above=frozenset())

    def unread(self) -> Iterator[SourceProblem]:
        """Yield one line for each format that is not read, however many files there are of it."""
        for ending, (first, *more) in sorted(self._unread.items()):
            others = f" ({len(more)} more {ending}: {_named(more)})" if more else ""
            yield SourceProblem(path=first, what=f"{unread(first)}{others}")

    def _folder(
        self, folder: Path, *, inherited: tuple[str, ...], inside: Path, above: frozenset[tuple[int, int]]
    ) -> Iterator[FoundFile]:
        try:
            state = folder.stat()
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self._report(folder, f"cannot be opened: {error.strerror}")
            return
        here = (state.st_dev, state.st_ino)
        if here in above or len(above) > _DEEPEST:
            deep = f"lies more than {_DEEPEST} folders deep and is left out"
            self._report(folder, "links back to a folder above it" if here in above else deep)
            return
        access = folder_access(folder, inherited)
        if access.problem:
            self._report(folder / access.file, access.problem)
        for entry in entries:
            if entry.name.startswith(_PASSED_OVER) or self._leads_out(entry, inside):
                continue
            path = Path(entry.path)
            wrong = _unusable(entry)
            if wrong:
                self._report(path, wrong)
            elif entry.is_dir():
                yield from self._folder(path, inherited=access.allow, inside=inside, above=above | {here})
            elif kind_of(entry.name) is not None:
                yield FoundFile(path=self._below(path), file=path, allow=access.allow)
            elif unread(entry.name):
                self._unread.setdefault(path.suffix.lower(), []).append(self._below(path))
            else:
                self.passed_over[path.suffix.lower()] += 1

    def _leads_out(self, entry: os.DirEntry[str], inside: Path) -> bool:
        if not entry.is_symlink() or Path(os.path.realpath(entry.path)).is_relative_to(inside):
            return False
        self._report(Path(entry.path), "is a link that leads out of the folder and is not followed")
        return True

    def _below(self, path: Path) -> str:
        """Return the path as it is told, also where its name is no text."""
        return os.fsencode(path.relative_to(self.root).as_posix()).decode(errors="backslashreplace")

    def _report(self, path: Path, what: str) -> None:
        self.problems.append(SourceProblem(path=self._below(path), what=what))


def _unusable(entry: os.DirEntry[str]) -> str:
    """Return why an entry of a folder is neither a file nor a folder that is read, or ""."""
    try:
        entry.name.encode()
    except UnicodeEncodeError:
        return "has a name that is no UTF-8 and is left out; rename it"
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        return "is a link that leads nowhere" if entry.is_symlink() else f"cannot be read: {error.strerror}"
    return "" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else f"is left out: {_what(mode)}"


def _named(paths: Sequence[str]) -> str:
    return ", ".join((*paths[:_NAMED], *(["…"] if len(paths) > _NAMED else [])))
