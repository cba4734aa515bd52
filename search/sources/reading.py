"""From files, as they lie on disk or were uploaded, to pages: each by the reader of its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from search.parsing.apart.exchange import ReaderFile, Unreadable
from search.parsing.apart.readers import FileReaders
from search.parsing.converted import Kind, ParsedPage, kind_of
from search.sources.origins import NOWHERE, Origins
from search.sources.pages import page_hash, page_of
from search.sources.port import Loaded, SourcePage, SourceProblem

#: Counted up when a reader gets more out of a file than before, so that files are read again.
_READERS = 3


@dataclass(frozen=True)
class SourceFile:
    """One file: its path below the source, what it holds, and the list that its folders give it."""

    path: str
    content: bytes
    allow: tuple[str, ...]
    modified_at: datetime | None = None
    origins: Origins = NOWHERE
    address: str = ""  # that it was fetched from, for a format that cannot say so itself

    @property
    def kind(self) -> Kind:
        """Return its format; a name that no reader knows counts as Markdown."""
        return kind_of(self.path) or Kind.MARKDOWN

    @property
    def hash(self) -> str:
        """Return what changes when the page may change."""
        reader = "" if self.kind is Kind.MARKDOWN else f"{self.kind}-{_READERS}"
        return page_hash(self.content, self.allow, reader=reader, origins=self.origins, address=self.address)


def read_files(files: Sequence[SourceFile], *, source: str, readers: FileReaders) -> Loaded:
    """Return the pages of these files, in their order. Blocks for as long as reading takes; call it in a thread."""
    found = readers.pages([ReaderFile(file.kind, file.content, path=file.path) for file in files])
    pages: list[SourcePage] = []
    problems: list[SourceProblem] = []
    for file, each in zip(files, found, strict=True):
        page, wrong = _page(file, each, source=source)
        problems.extend(wrong)
        if page is not None:
            pages.append(page)
    return Loaded(pages=tuple(pages), problems=tuple(problems))


def _page(
    file: SourceFile, found: ParsedPage | Unreadable, *, source: str
) -> tuple[SourcePage | None, tuple[SourceProblem, ...]]:
    if isinstance(found, Unreadable):
        return None, (SourceProblem(path=file.path, what=found.why, reason=found.reason),)
    return page_of(
        found,
        source=source,
        path=file.path,
        allow=file.allow,
        content_hash=file.hash,
        modified_at=file.modified_at,
        origins=file.origins,
        address=file.address,
    )
