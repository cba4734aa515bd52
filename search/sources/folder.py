"""A folder of files: Markdown, HTML, PDF, Word, Excel and plain text; and the files of a thread."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from search.access import principal_of_key
from search.errors import FolderUnreadable, Reason
from search.parsing.apart.readers import FileReaders
from search.parsing.converted import Kind, kind_of
from search.sources.crawling.kept.journal import addresses
from search.sources.origins import NOWHERE, Origins
from search.sources.pages import instant
from search.sources.port import Listing, Loaded, SourcePage, SourceProblem
from search.sources.reading import SourceFile, read_files
from search.sources.walk import FoundFile, Walk, read_regular

#: Bytes of files that are held at once.
_HELD = 64_000_000


class FolderSource:
    """Every readable file below a folder. Files are read in threads, most formats in processes of their own.

    `readers` are those processes, for whoever keeps them over several loads and closes them then; `origins` are the
    places that pages may lead to.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        default_allow: tuple[str, ...] = (),
        longest_file_bytes: int = 50_000_000,
        readers: FileReaders | None = None,
        origins: Origins = NOWHERE,
    ) -> None:
        self.name = name
        self._folder = folder
        self._default_allow = default_allow
        self._longest = longest_file_bytes
        self._readers = readers
        self._origins = origins
        self._found: dict[str, FoundFile] = {}
        self._addresses: Mapping[str, str] = {}

    async def listing(self) -> Listing:
        """Walk the folder and hash every page."""
        return await asyncio.to_thread(self._list)

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Read and parse pages that the last listing named."""
        if self._readers is None:
            return await asyncio.to_thread(self._load, tuple(paths))
        return await self._readers.waiting.run(self._load, tuple(paths))

    def _list(self) -> Listing:
        if not self._folder.is_dir():
            what = "is no folder" if self._folder.exists() else "does not exist"
            raise FolderUnreadable(f"{self._folder} {what}")
        walk = Walk(root=self._folder, default_allow=self._default_allow)
        self._found = {found.path: found for found in walk.files()}
        self._addresses = addresses(self._folder) if self._origins.site else {}
        hashes: dict[str, str] = {}
        for path, found in self._found.items():
            file = self._read(found, walk.problems)
            if file is not None:
                hashes[path] = file.hash
        return Listing(hashes=hashes, problems=(*walk.problems, *walk.unread()), passed_over=dict(walk.passed_over))

    def _load(self, paths: Sequence[str]) -> Loaded:
        if self._readers is not None:
            return self._load_with(self._readers, paths)
        with FileReaders() as readers:
            return self._load_with(readers, paths)

    def _load_with(self, readers: FileReaders, paths: Sequence[str]) -> Loaded:
        pages: list[SourcePage] = []
        problems: list[SourceProblem] = []
        for files in self._handfuls(paths, problems):
            loaded = read_files(files, source=self.name, readers=readers)
            pages.extend(loaded.pages)
            problems.extend(loaded.problems)
        return Loaded(pages=tuple(pages), problems=tuple(problems))

    def _handfuls(self, paths: Sequence[str], problems: list[SourceProblem]) -> Iterator[list[SourceFile]]:
        """Yield the files, no more of them at once than may be in memory."""
        files: list[SourceFile] = []
        held = 0
        for path in paths:
            file = self._read(self._found[path], problems)
            if file is None:
                continue
            if files and held + len(file.content) > _HELD:
                yield files
                files, held = [], 0
            files.append(file)
            held += len(file.content)
        if files:
            yield files

    def _read(self, found: FoundFile, problems: list[SourceProblem]) -> SourceFile | None:
        try:
            state = found.file.stat()
            read = read_regular(found.file, most=self._longest + 1) if state.st_size <= self._longest else None
            if read is None or len(read.content) > self._longest:
                limit = self._longest // 1_000_000
                what = f"has {state.st_size // 1_000_000} MB, more than {limit} MB"
                problems.append(SourceProblem(path=found.path, what=what, reason=Reason.TOO_LARGE))
                return None
        except OSError as error:
            problems.append(SourceProblem(path=found.path, what=f"cannot be read: {error.strerror}"))
            return None
        return SourceFile(
            path=found.path,
            content=read.content,
            allow=found.allow,
            modified_at=instant(read.state.st_mtime),
            origins=self._origins,
            address="" if kind_of(found.path) is Kind.MARKDOWN else self._addresses.get(found.path, ""),
        )


class ThreadFilesSource:
    """Every file below a folder of threads, or those of the thread `only`. Paths begin with the thread's key."""

    def __init__(
        self, name: str, folder: Path, *, longest_file_bytes: int, readers: FileReaders | None = None, only: str = ""
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
