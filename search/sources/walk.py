"""Finding the pages below a folder, and who may read each (`.access.yaml`), without reading what they say."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from search.access import read_allow
from search.errors import AccessInvalid
from search.parsing.converted import kind_of, unread
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
        if not file.is_file():
            continue
        try:
            loaded = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
            return FolderAccess(allow=read_allow(loaded), file=name)
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, AccessInvalid) as error:
            why = " ".join(str(error).split())
            return FolderAccess(
                allow=(), file=name, problem=f"cannot be read, only the operator sees this folder: {why}"
            )
    return FolderAccess(allow=inherited)


#: Hidden files, and what Word and Excel leave beside a file that is open.
_PASSED_OVER = (".", "~$")


#: Names of files that one line tells.
_NAMED = 3


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
        if here in above:
            self._report(folder, "links back to a folder above it")
            return
        access = folder_access(folder, inherited)
        if access.problem:
            self._report(folder / access.file, access.problem)
        for entry in entries:
            if entry.name.startswith(_PASSED_OVER) or self._leads_out(entry, inside):
                continue
            path = Path(entry.path)
            if entry.is_dir():
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
        return path.relative_to(self.root).as_posix()

    def _report(self, path: Path, what: str) -> None:
        self.problems.append(SourceProblem(path=self._below(path), what=what))


def _named(paths: Sequence[str]) -> str:
    return ", ".join((*paths[:_NAMED], *(["…"] if len(paths) > _NAMED else [])))
