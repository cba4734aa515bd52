"""What can go wrong with search, and the reasons for which a file is not read.

SearchError
├── SourceNotFound        no source of that name
├── SourceNameInvalid     a source cannot go by that name
├── SourceNameTaken       another folder already goes by that name
├── FolderUnreadable      the folder is missing, is no folder, or cannot be read
├── FileUnreadable        one file cannot be taken in; its words say why, after the file's name
├── AccessInvalid         an access list holds something that is no principal
├── EmbedderUnavailable   the embedding model's files are not there
├── CrawlImpossible       the site cannot be crawled: the address, the site or robots.txt stands against it
├── CrawlFolderUnusable   a crawl cannot fill this folder
├── NoGenerations         the index is changed in place and keeps no earlier one
├── NothingToRollBack     no earlier index was kept
├── IndexUnavailable      the index does not answer now; it may later
│   └── IndexBeingMade    it is being made from the sources, as after damage or a restore
└── IndexUnusable         the index cannot be opened as it is set up: somebody has to mend it
"""

from enum import StrEnum


class Reason(StrEnum):
    """What stands against one file; `OTHER` is said by the error's own words alone."""

    EMPTY = "empty"
    NO_TEXT = "no_text"
    SCAN = "scan"
    LOCKED = "locked"
    BROKEN = "broken"
    MISLABELLED = "mislabelled"
    FORMAT = "format"
    OLD_FORMAT = "old_format"
    ENCODING = "encoding"
    TOO_LARGE = "too_large"
    TOO_MUCH_INSIDE = "too_much_inside"
    TOO_SLOW = "too_slow"
    BREAKS = "breaks"
    OTHER = "other"


class SearchError(Exception):
    """Base of this package's errors."""


class SourceNotFound(SearchError):
    """No source of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no source is called {name!r}")
        self.name = name


class SourceNameInvalid(SearchError):
    """A source cannot go by that name."""


class SourceNameTaken(SearchError):
    """Another folder already goes by that name."""

    def __init__(self, name: str, *, taken_by: str, wanted_for: str) -> None:
        super().__init__(
            f"the name {name!r} already belongs to {taken_by}; index {wanted_for} under another name (--name), "
            f"or remove the old source first (dutydesk knowledge remove {name})"
        )
        self.name = name
        self.taken_by = taken_by
        self.wanted_for = wanted_for


class FolderUnreadable(SearchError):
    """The folder is missing, is no folder, or cannot be read."""


class FileUnreadable(SearchError):
    """One file cannot be taken in; its words say why, to be read after the file's name, and `reason` as a code."""

    def __init__(self, words: str, reason: Reason = Reason.OTHER) -> None:
        super().__init__(words)
        self.reason = reason


class AccessInvalid(SearchError):
    """An access list holds something that is no principal."""


class EmbedderUnavailable(SearchError):
    """The embedding model's files are not there."""


class CrawlImpossible(SearchError):
    """The site cannot be crawled: its address, its answer or its robots.txt stands against it."""


class CrawlFolderUnusable(SearchError):
    """A crawl cannot fill this folder: it holds other files, another crawl, or is being filled."""


class NoGenerations(SearchError):
    """The index is changed in place and keeps no earlier one."""


class NothingToRollBack(SearchError):
    """No earlier index was kept."""


class IndexUnavailable(SearchError):
    """The index does not answer now; it may later."""


class IndexBeingMade(IndexUnavailable):
    """The index is being made from the sources: `done` pages are in it, `left` are still to go, about."""

    def __init__(self, *, done: int, left: int = 0) -> None:
        super().__init__(
            f"the index is being made from the sources, about {left} pages to go; "
            "dutydesk serve does it by itself, dutydesk knowledge rebuild at once"
        )
        self.done = done
        self.left = left


class IndexUnusable(SearchError):
    """The index cannot be opened as it is set up, or was written by a newer version: somebody has to mend it."""
