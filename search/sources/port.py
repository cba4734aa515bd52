"""Where pages come from: the port. Implementations are in `sources`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from search.documents import Document
from search.errors import Reason


@dataclass(frozen=True)
class SourceProblem:
    """Something that could not be taken in, in one line; `path` is below the source's folder."""

    path: str
    what: str
    reason: Reason = Reason.OTHER  # why it could not be read, as a code


@dataclass(frozen=True)
class SourcePage:
    """One page, read and parsed."""

    document: Document
    markdown: str  # what may be shown of it


@dataclass(frozen=True)
class Listing:
    """What a source holds now: path → a hash of the file and of its effective access list."""

    hashes: Mapping[str, str]
    problems: tuple[SourceProblem, ...] = ()
    passed_over: Mapping[str, int] = field(default_factory=dict)  # ending → files of it that nobody reads


@dataclass(frozen=True)
class Loaded:
    """The pages that were asked for; what could not be read is missing and stands in `problems`."""

    pages: tuple[SourcePage, ...]
    problems: tuple[SourceProblem, ...] = ()


class PageSource(Protocol):
    """A named set of pages. Listing is cheap enough to be done on every run; loading is for what changed."""

    @property
    def name(self) -> str:
        """Return the name under which its pages are indexed."""
        ...

    async def listing(self) -> Listing:
        """Return every page with its hash; raise `FolderUnreadable` when the source itself is not there."""
        ...

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Return these pages parsed, with their access lists."""
        ...


@runtime_checkable
class Fleeting(Protocol):
    """A source whose pages may be taken away for good at any moment, also while they are being read."""

    async def gone(self, paths: Sequence[str]) -> frozenset[str]:
        """Return those of these pages that are not there any more."""
        ...
