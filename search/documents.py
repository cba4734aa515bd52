"""The words of this package: documents, their sections, chunks, and hits with provenance."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


class SectionKind(StrEnum):
    """Where a section stands in the tree."""

    ROOT = "root"  # the document itself
    SECTION = "section"  # has text and children
    CONTAINER = "container"  # has children only
    LEAF = "leaf"  # has text only


class UnitKind(StrEnum):
    """What a run of text is; tables and code stay whole."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    NAVIGATION = "navigation"  # "see also", "next steps": kept, searched, never an answer by itself


@dataclass(frozen=True)
class Unit:
    """One block of a section, verbatim as it stands in the source."""

    kind: UnitKind
    text: str
    gap: str = "\n\n"  # what stands between the unit before and this one, so that both together stay verbatim


@dataclass(frozen=True)
class Section:
    """A node of the section tree. `path` holds the headings from the document's top down to this one."""

    heading: str
    level: int  # 0 for the root
    path: tuple[str, ...]
    anchor: str  # id of the heading in the rendered page; "" for the root
    kind: SectionKind
    units: tuple[Unit, ...] = ()
    children: tuple["Section", ...] = ()

    def walk(self) -> Iterator["Section"]:
        """Yield this section and everything below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Validity:
    """The days on which a page holds, the first and the last included; written as an interval of ISO 8601."""

    since: date | None = None
    until: date | None = None

    @classmethod
    def of(cls, interval: str) -> "Validity":
        """Return what `str` of one gave."""
        since, _, until = interval.partition("/")
        days = (date.fromisoformat(day) if day not in ("", "..") else None for day in (since, until))
        return cls(*days)

    def __str__(self) -> str:
        """Return `2026-01-01/2026-12-31`, with `..` for an open end; "" for what always holds."""
        if self == ALWAYS:
            return ""
        return "/".join(day.isoformat() if day else ".." for day in (self.since, self.until))

    def not_on(self, day: date) -> str:
        """Return why the page does not hold on a day: `from` or `until` and the day that says so; "" where it holds."""
        if self.since is not None and day < self.since:
            return f"from {self.since}"
        return f"until {self.until}" if self.until is not None and self.until < day else ""


ALWAYS = Validity()


@dataclass(frozen=True)
class Document:
    """One page of a source. `path` is relative to the source's folder, with `/`."""

    source: str
    path: str
    title: str
    root: Section
    content_hash: str
    allow: tuple[str, ...]  # principals; empty: the local operator only
    language: str  # "en", "zh", or "" when unclear
    updated: date | None = None  # front matter `date`/`updated`, else None
    modified_at: datetime | None = None  # the file's own time
    url: str = ""  # where the page can be read on its own site; only an address that may be linked to
    valid: Validity = ALWAYS  # front matter `valid_from`, `valid_until`

    @property
    def id(self) -> str:
        """Return `source:path`, stable across re-indexing."""
        return f"{self.source}:{self.path}"


@dataclass(frozen=True)
class ChangedPage:
    """A page that came, or whose content changed."""

    source: str
    path: str
    title: str
    is_new: bool

    @property
    def id(self) -> str:
        """Return the id of its document."""
        return f"{self.source}:{self.path}"


@dataclass(frozen=True)
class ChangedPages:
    """How many pages came or changed, and the latest of them."""

    count: int = 0
    pages: tuple[ChangedPage, ...] = ()


@dataclass(frozen=True)
class IndexedPage:
    """A whole page as it may be shown: what a citation's link opens."""

    document: Document
    markdown: str  # without front matter and comments

    @property
    def sections(self) -> tuple[Section, ...]:
        """Return every section in reading order, each with its anchor; the first is the root."""
        return tuple(self.document.root.walk())


@dataclass(frozen=True)
class Chunk:
    """A passage that is found and cited: whole units of one section path, at most one embedding window long."""

    document_id: str
    number: int  # 0, 1, 2 … within the document, in reading order
    section_path: tuple[str, ...]
    anchor: str
    text: str  # verbatim
    tokens: int
    kind: UnitKind = UnitKind.PARAGRAPH
    windows: tuple[str, ...] = ()  # what the dense leg embeds when the text is longer than the model's window
    gap: str = "\n\n"  # what stands on the page between the passage before and what this one adds to it
    repeated: int = 0  # characters at the beginning of the text that the passage before ends with

    @property
    def id(self) -> str:
        """Return `document_id#number`."""
        return f"{self.document_id}#{self.number}"


@dataclass(frozen=True)
class Stretch:
    """Passages of one section that follow one another, found ones among them."""

    chunks: tuple[Chunk, ...]

    @property
    def added(self) -> tuple[str, ...]:
        """Return what each passage adds to the one before it; with their gaps between them they are what is written."""
        return tuple(chunk.text[chunk.repeated if number else 0 :] for number, chunk in enumerate(self.chunks))

    @property
    def text(self) -> str:
        """Return the stretch as it stands on the page, each word once."""
        first, *rest = self.added
        return first + "".join(chunk.gap + text for chunk, text in zip(self.chunks[1:], rest, strict=True))


@dataclass(frozen=True)
class Signals:
    """How each leg judged a hit; None where the leg stayed out or did not find it."""

    bm25_rank: int | None = None
    bm25: float | None = None
    dense_rank: int | None = None
    cosine: float | None = None
    coverage: float = 0.0  # idf-weighted share (0..1) of the query's content words that title, path or text hold


@dataclass(frozen=True)
class Hit:
    """A permitted passage for one actor and query, best first; `score` is 0..1 and only ranks within one answer."""

    chunk: Chunk
    source: str
    document_path: str
    title: str
    language: str
    updated: date | None
    score: float
    signals: Signals
    authz: str = ""  # why the actor may read it: the principal that matched
    url: str = ""  # as the document's
    own: bool = False  # of a folder that was indexed as it is: neither crawled nor sent in chat
    valid: Validity = ALWAYS
    not_in_force: str = ""  # why it does not hold on the day of the search: as `Validity.not_on`, or `edition`


@dataclass(frozen=True)
class Meaning:
    """A question as the embedding model reads it: the vector that it was searched with, of length 1."""

    model: str  # the embedder's name
    vector: tuple[float, ...]


@dataclass(frozen=True)
class SearchResult:
    """Hits, and what the run store needs to explain them."""

    hits: tuple[Hit, ...]
    legs: tuple[str, ...]  # the legs that took part: "bm25", "dense"
    hidden: int  # passages above the cut that the actor may not see: for the run and the audit, never for the reply
    more_alone: bool = False  # the best passage is one that somebody who reads along may not see: for the asker's ears
    is_reading: bool = False  # some passages still wait for their vectors: what answers may not be found yet
    timings_ms: dict[str, float] = field(default_factory=dict)  # "embed", "search"
    meant: Meaning | None = field(default=None, compare=False)  # None where no model read the question
    stretches: tuple[Stretch, ...] = ()  # what stands around the best of them in their sections; no passage is in two
