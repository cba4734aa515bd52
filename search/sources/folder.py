"""A folder of Markdown files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from search.errors import FolderUnreadable
from search.source import Listing, Loaded, Problem, SourcePage
from search.sources.pages import instant, page_hash, read_page
from search.sources.walk import Found, Walk


class FolderSource:
    """Every Markdown file below a folder. Files are read in threads."""

    def __init__(
        self, name: str, folder: Path, *, default_allow: tuple[str, ...] = (), longest_file_bytes: int = 20_000_000
    ) -> None:
        self.name = name
        self._folder = folder
        self._default_allow = default_allow
        self._longest = longest_file_bytes
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
            content = self._read(found, walk.problems)
            if content is not None:
                hashes[path] = page_hash(content, found.allow)
        return Listing(hashes=hashes, problems=tuple(walk.problems))

    def _load(self, paths: Sequence[str]) -> Loaded:
        pages: list[SourcePage] = []
        problems: list[Problem] = []
        for path in paths:
            found = self._found[path]
            content = self._read(found, problems)
            if content is None:
                continue
            modified_at = instant(found.file.stat().st_mtime)
            page, wrong = read_page(content, source=self.name, path=path, allow=found.allow, modified_at=modified_at)
            problems.extend(wrong)
            if page is not None:
                pages.append(page)
        return Loaded(pages=tuple(pages), problems=tuple(problems))

    def _read(self, found: Found, problems: list[Problem]) -> bytes | None:
        try:
            size = found.file.stat().st_size
            if size > self._longest:
                limit = self._longest // 1_000_000
                problems.append(Problem(path=found.path, what=f"has {size // 1_000_000} MB, more than {limit} MB"))
                return None
            return found.file.read_bytes()
        except OSError as error:
            problems.append(Problem(path=found.path, what=f"cannot be read: {error.strerror}"))
            return None
