"""From files, as they lie on disk or were uploaded, to pages: each by the reader of its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from search.errors import Reason
from search.parsing.apart.readers import FileReaders, Unreadable
from search.parsing.converted import Converted, Kind, kind_of
from search.parsing.page import parsed
from search.sources.origins import NOWHERE, Origins
from search.sources.pages import page_hash, page_of, read_page
from search.sources.port import Loaded, SourcePage, SourceProblem

#: Characters of one page: some ten thousand pages of a book, and what cutting them to passages can bear.
_MOST_TEXT = 20_000_000
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
    apart = [file for file in files if file.kind is not Kind.MARKDOWN]
    converted = iter(readers.read([(file.kind, file.content) for file in apart]) if apart else ())
    pages: list[SourcePage] = []
    problems: list[SourceProblem] = []
    for file in files:
        page, wrong = _page(file, None if file.kind is Kind.MARKDOWN else next(converted), source=source)
        problems.extend(wrong)
        if page is not None:
            pages.append(page)
    return Loaded(pages=tuple(pages), problems=tuple(problems))


def _page(
    file: SourceFile, found: Converted | Unreadable | None, *, source: str
) -> tuple[SourcePage | None, tuple[SourceProblem, ...]]:
    text = len(found.markdown) if isinstance(found, Converted) else len(file.content) if found is None else 0
    if text > _MOST_TEXT:
        what = f"holds {text / 1_000_000:.0f} MB of text, more than {_MOST_TEXT // 1_000_000} MB; split it"
        return None, (SourceProblem(path=file.path, what=what, reason=Reason.TOO_MUCH_INSIDE),)
    if found is None:
        return read_page(
            file.content,
            source=source,
            path=file.path,
            allow=file.allow,
            modified_at=file.modified_at,
            origins=file.origins,
        )
    if isinstance(found, Unreadable):
        return None, (SourceProblem(path=file.path, what=found.why, reason=found.reason),)
    return page_of(
        parsed(found, kind=file.kind, path=file.path),
        source=source,
        path=file.path,
        allow=file.allow,
        content_hash=file.hash,
        modified_at=file.modified_at,
        origins=file.origins,
        address=file.address,
    )
