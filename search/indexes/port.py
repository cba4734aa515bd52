"""The index: where passages lie and are found. The port; implementations are in `indexes`.

An index finds candidates, each leg for itself, and never fuses: how legs are weighed is one pure function for all
back ends (`ranking`). The scope goes into every leg, so that no leg ever ranks what the actor may not read.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol, runtime_checkable

from language.scripts import is_chinese
from search.access import Scope
from search.documents import ALWAYS, Chunk, Document, Validity
from search.embedding.port import FloatArray
from search.indexes.passage_text import embedded_key

Leg = Literal["bm25", "dense"]
#: Candidates of each leg that only those who read along keep out: the best decide whether more is found alone.
ALONE_DEPTH = 10


@dataclass(frozen=True)
class EmbeddedText:
    """A text that has a vector, or is to have one."""

    key: str  # hash of the text
    text: str
    abroad: bool = False  # by the model that compares languages: who asks in the other one finds it by this vector


@dataclass(frozen=True)
class IndexEntry:
    """One page as it goes into the index: replaced as a whole, never in parts."""

    document: Document
    chunks: tuple[Chunk, ...]
    markdown: str  # what may be shown of the page
    embedded: tuple[tuple[str, ...], ...]  # for each chunk the texts that the dense leg embeds
    abroad: bool = False  # chunks that are not in Chinese have a second vector, for who asks in Chinese

    @property
    def windows(self) -> tuple[tuple[EmbeddedText, ...], ...]:
        """Return for each chunk what has a vector of it; last what is for another language, its first text alone.

        That is the whole of it, or the beginning of a long one: vectors of its rows and paragraphs found no more there.
        """
        return tuple(
            (
                *(EmbeddedText(embedded_key(text), text) for text in texts),
                *(
                    EmbeddedText(embedded_key(text, abroad=True), text, abroad=True)
                    for text in texts[:1]
                    if self.abroad and not is_chinese(text)
                ),
            )
            for texts in self.embedded
        )


@dataclass(frozen=True)
class IndexQuery:
    """What is looked for: terms for the BM25 leg, a vector for the dense leg; either may be missing."""

    terms: tuple[str, ...] = ()
    vector: FloatArray | None = None
    model: str = ""  # whose vector it is; an index with another model's vectors leaves the leg out. Empty: not asked
    depth: int = 100  # candidates of each leg
    abroad: bool = False  # the dense leg compares with the vectors for who asks in another language, and no others


@dataclass(frozen=True)
class StoredPassage:
    """A chunk with what is shown of its document."""

    chunk: Chunk
    source: str
    document_path: str
    title: str
    language: str
    updated: date | None
    allow: tuple[str, ...]
    words: frozenset[str] | None = None  # the terms of the text, from an index that keeps them
    url: str = ""
    valid: Validity = ALWAYS


@dataclass(frozen=True)
class Candidate:
    """One finding of one leg. `key` names the chunk and `document` its page within this index only."""

    key: str
    document: str
    score: float


@dataclass(frozen=True)
class LegFindings:
    """Each leg's candidates, best first; a leg that had nothing to look for is absent.

    Nothing but `hidden` and `vectors_share` speaks of what the scope does not allow: counts, totals and corrections are
    of permitted chunks, so that nobody learns from them what hidden pages hold.
    `passages` may hold some of them already; the others are fetched with `Index.passages`.
    `alone` is for one question only: whether the actor would find more where nobody reads along. It is asked for in the
    same search and scored by what is permitted, and nothing of it is shown.
    """

    legs: Mapping[Leg, tuple[Candidate, ...]]
    alone: Mapping[Leg, tuple[Candidate, ...]] = field(default_factory=dict)  # the few best that only others keep out
    hidden: int = 0  # passages among the best that the scope kept out
    frequencies: Mapping[str, int] = field(default_factory=dict)  # term → permitted chunks that hold it
    corrections: Mapping[str, str] = field(default_factory=dict)  # unknown term → the one that was looked for instead
    total: int = 0  # permitted chunks in the index
    vectors_share: float = 1.0  # of the texts to embed that are asked for, how many have their vector by now
    passages: Mapping[str, StoredPassage] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredPage:
    """A page as the index keeps it."""

    source: str
    path: str
    title: str
    language: str
    updated: date | None
    content_hash: str
    allow: tuple[str, ...]
    markdown: str
    url: str = ""
    valid: Validity = ALWAYS


@dataclass(frozen=True)
class Statistics:
    """What an index holds of one source, or of all."""

    documents: int
    chunks: int
    without_access: int  # documents that only the local operator may read
    vectors_pending: int
    abroad_pending: int = 0  # vectors for who asks in another language that are missing beside those
    model: str = ""  # whose vectors are searched; empty when there were none yet
    exceeds: int = 0  # the chunks, of all sources, that this back end is made for, where there are more; else 0


class Index(Protocol):
    """Every method is safe to call from several tasks at once; a write is visible whole or not at all."""

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash of every document of a source."""
        ...

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        """Put documents in, in one step, in place of what stood under their source and path."""
        ...

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Remove documents of a source (all of them without `paths`); return how many there were."""
        ...

    async def pending(self, model: str, *, limit: int) -> Sequence[EmbeddedText]:
        """Return texts that have no vector of this model, those for another language last.

        An index serves one model at a time.
        """
        ...

    async def put_vectors(self, model: str, vectors: Mapping[str, FloatArray]) -> None:
        """Store vectors by the key of their text; they take part in the next search."""
        ...

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        """Return each leg's best candidates among what the scope allows."""
        ...

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        """Return passages by key, leaving out what is gone or not allowed (asked again on purpose)."""
        ...

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it in its document; nothing when it is gone or not allowed."""
        ...

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page; None when it is absent or not allowed."""
        ...

    async def readable(self, documents: Collection[str], scope: Scope) -> frozenset[str]:
        """Return which of these pages, by the id of their document, are there and allowed."""
        ...

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count what is there."""
        ...

    async def verify(self) -> tuple[str, ...]:
        """Return what does not fit together; nothing when all is well."""
        ...

    async def close(self) -> None:
        """Give back files and threads."""
        ...


class Building(Index, Protocol):
    """An index that is being filled beside the one that serves."""

    async def hold(self) -> None:
        """Let writes to what serves wait for this one; what changed there meanwhile has to be caught up now."""
        ...

    async def publish(self) -> None:
        """Serve in place of what serves now, in one step; raise `IndexUnavailable` when the hold has lapsed."""
        ...

    async def discard(self) -> None:
        """Go away unpublished."""
        ...


@runtime_checkable
class Generational(Protocol):
    """What an index can do that keeps the one it took the place of."""

    async def model(self) -> str:
        """Return the model whose vectors are searched; empty when there are none yet."""
        ...

    async def begin(self) -> Building:
        """Return a new empty index beside this one, which goes on serving."""
        ...

    async def rollback(self) -> None:
        """Let the index of before serve again, without what changed or went since; raise `NothingToRollBack`."""
        ...


@runtime_checkable
class Recovering(Protocol):
    """What an index can do that begins anew by itself when its file is damaged."""

    async def set_aside(self) -> None:
        """Put what serves out of the way and begin a new one, which is unfilled."""
        ...

    async def unfilled(self) -> str:
        """Return the mark of an index that was begun in place of another one and not filled since; else nothing."""
        ...

    async def filled(self, mark: str) -> None:
        """Serve again, unless that mark is not the one of what is there now."""
        ...
