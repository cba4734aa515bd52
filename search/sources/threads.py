"""Files that were sent in chat: one folder for each thread, and each file for that thread only.

A file comes from anybody who may write to the desk, so nothing that stands in it decides who may read it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from search.access import principal_of_key
from search.parsing.isolation import Readers
from search.sources.folder import FolderSource
from search.sources.port import Listing, Loaded, SourcePage


class ThreadFilesSource:
    """Every file below a folder of threads, or those of the thread `only`. Paths begin with the thread's key."""

    def __init__(
        self, name: str, folder: Path, *, longest_file_bytes: int, readers: Readers | None = None, only: str = ""
    ) -> None:
        self.name = name
        self._root = folder
        self._prefix = f"{only}/" if only else ""
        self._folder = FolderSource(name, folder / only, longest_file_bytes=longest_file_bytes, readers=readers)

    async def listing(self) -> Listing:
        """Walk the folder and hash every file."""
        found = await self._folder.listing()
        return Listing(
            hashes={self._prefix + path: content for path, content in found.hashes.items()},
            problems=tuple(replace(each, path=self._prefix + each.path) for each in found.problems),
        )

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Read files that the last listing named."""
        loaded = await self._folder.load([path.removeprefix(self._prefix) for path in paths])
        return Loaded(
            pages=tuple(self._of_thread(page) for page in loaded.pages),
            problems=tuple(replace(each, path=self._prefix + each.path) for each in loaded.problems),
        )

    async def gone(self, paths: Sequence[str]) -> frozenset[str]:
        """Return the files of these that were taken out since they were listed."""
        return await asyncio.to_thread(lambda: frozenset(path for path in paths if not (self._root / path).is_file()))

    def _of_thread(self, page: SourcePage) -> SourcePage:
        path = self._prefix + page.document.path
        allow = (principal_of_key(path.partition("/")[0]),)
        return replace(page, document=replace(page.document, path=path, allow=allow))
