"""A folder of files: Markdown, HTML, PDF, Word, Excel and plain text."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from search.errors import FolderUnreadable
from search.parsing.isolation import Readers
from search.source import Listing, Loaded, Problem
from search.sources.pages import instant
from search.sources.reading import File, read_files
from search.sources.walk import Found, Walk


class FolderSource:
    """Every readable file below a folder. Files are read in threads, most formats in processes of their own.

    `readers` are those processes, for whoever keeps them over several loads and closes them then.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        default_allow: tuple[str, ...] = (),
        longest_file_bytes: int = 50_000_000,
        readers: Readers | None = None,
    ) -> None:
        self.name = name
        self._folder = folder
        self._default_allow = default_allow
        self._longest = longest_file_bytes
        self._readers = readers
        self._found: dict[str, Found] = {}

    async def listing(self) -> Listing:
        """Walk the folder and hash every page."""
        return await asyncio.to_thread(self._list)

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Read and parse pages that the last listing named."""
        return await asyncio.to_thread(self._load, tuple(paths))

    def _list(self) -> Listing:
        if not self._folder.is_dir():
            what = "is no folder" if self._folder.exists() else "does not exist"
            raise FolderUnreadable(f"{self._folder} {what}")
        walk = Walk(root=self._folder, default_allow=self._default_allow)
        self._found = {found.path: found for found in walk.files()}
        hashes: dict[str, str] = {}
        for path, found in self._found.items():
            file = self._read(found, walk.problems)
            if file is not None:
                hashes[path] = file.hash
        return Listing(hashes=hashes, problems=tuple(walk.problems))

    def _load(self, paths: Sequence[str]) -> Loaded:
        problems: list[Problem] = []
        read = [self._read(self._found[path], problems) for path in paths]
        files = [file for file in read if file is not None]
        if self._readers is not None:
            loaded = read_files(files, source=self.name, readers=self._readers)
        else:
            with Readers() as readers:
                loaded = read_files(files, source=self.name, readers=readers)
        return Loaded(pages=loaded.pages, problems=(*problems, *loaded.problems))

    def _read(self, found: Found, problems: list[Problem]) -> File | None:
        try:
            state = found.file.stat()
            if state.st_size > self._longest:
                limit = self._longest // 1_000_000
                problems.append(
                    Problem(path=found.path, what=f"has {state.st_size // 1_000_000} MB, more than {limit} MB")
                )
                return None
            content = found.file.read_bytes()
        except OSError as error:
            problems.append(Problem(path=found.path, what=f"cannot be read: {error.strerror}"))
            return None
        return File(path=found.path, content=content, allow=found.allow, modified_at=instant(state.st_mtime))
