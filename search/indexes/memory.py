"""The fake index: the same promises as the embedded one, by brute force over a list of pages."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from language.spelling import corrected, may_be_misspelt
from search.access import Scope
from search.documents import Chunk
from search.embedding.port import FloatArray
from search.indexes.bm25f import K1, WEIGHTS, B, field_terms, rarity
from search.indexes.port import (
    ALONE_DEPTH,
    Candidate,
    EmbeddedText,
    IndexEntry,
    IndexQuery,
    Leg,
    LegFindings,
    Statistics,
    StoredPage,
    StoredPassage,
)

_HIDDEN_DEPTH = 10


@dataclass(frozen=True)
class _Stored:
    key: str
    entry: IndexEntry
    chunk: Chunk
    terms: Mapping[str, float]  # weighted frequencies
    windows: tuple[EmbeddedText, ...]

    @property
    def allow(self) -> tuple[str, ...]:
        return self.entry.document.allow

    @property
    def source(self) -> str:
        return self.entry.document.source

    @property
    def length(self) -> float:
        return sum(self.terms.values())

    @property
    def page(self) -> str:
        return self.entry.document.id


@dataclass
class MemoryIndex:
    """Pages in a dictionary. Nothing in it waits, so every change is whole."""

    _pages: dict[tuple[str, str], IndexEntry] = field(default_factory=dict)
    _vectors: dict[str, FloatArray] = field(default_factory=dict)
    _model: str = ""

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash."""
        return {path: entry.document.content_hash for (name, path), entry in self._pages.items() if name == source}

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        """Put pages in."""
        for entry in entries:
            self._pages[entry.document.source, entry.document.path] = entry

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Remove pages."""
        gone = [key for key in self._pages if key[0] == source and (paths is None or key[1] in paths)]
        for key in gone:
            del self._pages[key]
        return len(gone)

    async def pending(self, model: str, *, limit: int) -> Sequence[EmbeddedText]:
        """Return texts without a vector; vectors of another model are forgotten."""
        if model != self._model:
            self._model, self._vectors = model, {}
        missing = {each.key: each for each in self._windows() if each.key not in self._vectors}
        return sorted(missing.values(), key=lambda each: each.abroad)[:limit]

    async def put_vectors(self, model: str, vectors: Mapping[str, FloatArray]) -> None:
        """Store vectors."""
        if model != self._model:
            self._model, self._vectors = model, {}
        self._vectors.update(vectors)

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        """Score everything, then keep what the scope allows."""
        chunks = list(self._chunks())
        permitted = [stored for stored in chunks if scope.opens(stored.source, stored.allow)]
        holding = Counter(term for stored in permitted for term in stored.terms)
        unknown = [term for term in question.terms if not holding[term] and may_be_misspelt(term)]
        near = {term: [pair for pair in holding.items() if pair[0][:1] == term[0]] for term in unknown}
        meant = {term: other for term in unknown if (other := corrected(term, near[term]))}
        asked = tuple(dict.fromkeys((*question.terms, *meant.values())))
        frequencies = {term: holding[term] for term in asked}
        legs: dict[Leg, list[tuple[_Stored, float]]] = {}
        if question.terms:
            legs["bm25"] = _bm25f(chunks, permitted, frequencies)
        served = question.model in ("", self._model)
        if question.vector is not None and served:
            legs["dense"] = self._dense(chunks, question.vector, abroad=question.abroad)
        texts = [each.key for each in self._windows() if each.abroad is question.abroad]
        return LegFindings(
            legs={name: _kept(scored, scope.opens, question.depth) for name, scored in legs.items()},
            alone={
                name: best
                for name, scored in legs.items()
                if (best := _kept(scored, scope.opens_alone_only, ALONE_DEPTH))
            },
            hidden=max((_hidden(scored, scope) for scored in legs.values()), default=0),
            frequencies=frequencies,
            corrections=meant,
            total=len(permitted),
            vectors_share=served * sum(text in self._vectors for text in texts) / len(texts) if texts else 1.0,
        )

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        """Return passages that the scope allows."""
        wanted = set(keys)
        return {
            stored.key: _passage(stored)
            for stored in self._chunks()
            if stored.key in wanted and scope.opens(stored.source, stored.allow)
        }

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it."""
        page = next((e for e in self._pages.values() if any(chunk.id == chunk_id for chunk in e.chunks)), None)
        if page is None or not scope.opens(page.document.source, page.document.allow):
            return ()
        place = next(number for number, chunk in enumerate(page.chunks) if chunk.id == chunk_id)
        return page.chunks[max(place - before, 0) : place + after + 1]

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page."""
        entry = self._pages.get((source, path))
        if entry is None or not scope.opens(entry.document.source, entry.document.allow):
            return None
        document = entry.document
        return StoredPage(
            source=source,
            path=path,
            title=document.title,
            language=document.language,
            updated=document.updated,
            content_hash=document.content_hash,
            allow=document.allow,
            markdown=entry.markdown,
            url=document.url,
            valid=document.valid,
        )

    async def readable(self, documents: Collection[str], scope: Scope) -> frozenset[str]:
        """Return the pages that the scope allows."""
        found = (entry.document for entry in self._pages.values())
        return frozenset(each.id for each in found if each.id in documents and scope.opens(each.source, each.allow))

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count what is there."""
        entries = [entry for (name, _), entry in self._pages.items() if source in (None, name)]
        missing = {each for entry in entries for of_one in entry.windows for each in of_one}
        missing = {each for each in missing if each.key not in self._vectors}
        return Statistics(
            documents=len(entries),
            chunks=sum(len(entry.chunks) for entry in entries),
            without_access=sum(not entry.document.allow for entry in entries),
            vectors_pending=sum(not each.abroad for each in missing),
            abroad_pending=sum(each.abroad for each in missing),
            model=self._model,
        )

    async def verify(self) -> tuple[str, ...]:
        """Return nothing: there is nothing that could come apart."""
        return ()

    async def close(self) -> None:
        """Keep everything: there is nothing to give back."""

    def _windows(self) -> Iterator[EmbeddedText]:
        return (each for entry in self._pages.values() for of_one in entry.windows for each in of_one)

    def _chunks(self) -> Iterator[_Stored]:
        for entry in self._pages.values():
            for chunk, windows, found in zip(entry.chunks, entry.windows, field_terms(entry), strict=True):
                weighted: dict[str, float] = {}
                for terms, weight in zip(found, WEIGHTS, strict=True):
                    for term in terms:
                        weighted[term] = weighted.get(term, 0.0) + weight
                yield _Stored(chunk.id, entry, chunk, weighted, windows)

    def _dense(self, chunks: Iterable[_Stored], vector: FloatArray, *, abroad: bool) -> list[tuple[_Stored, float]]:
        scored = []
        for stored in chunks:
            meant = (each.key for each in stored.windows if each.abroad is abroad)
            made = (self._vectors[key] for key in meant if key in self._vectors)
            known = [other for other in made if len(other) == len(vector)]
            if known:
                scored.append((stored, max(float(np.dot(vector, other)) for other in known)))
        return sorted(scored, key=lambda pair: -pair[1])


def _bm25f(
    chunks: Sequence[_Stored], permitted: Sequence[_Stored], frequencies: Mapping[str, int]
) -> list[tuple[_Stored, float]]:
    """Score every chunk by what the permitted ones say of words and lengths."""
    average = sum(stored.length for stored in permitted) / max(len(permitted), 1)
    scored = []
    for stored in chunks:
        norm = K1 * (1 - B + B * stored.length / average) if average else K1
        held = ((term, stored.terms[term]) for term in frequencies if term in stored.terms)
        score = sum(rarity(frequencies[term], len(permitted)) * count / (count + norm) for term, count in held)
        if score > 0:
            scored.append((stored, score))
    return sorted(scored, key=lambda pair: -pair[1])


def _kept(
    scored: Sequence[tuple[_Stored, float]], opens: Callable[[str, Sequence[str]], bool], depth: int
) -> tuple[Candidate, ...]:
    mine = [(stored, score) for stored, score in scored if opens(stored.source, stored.allow)]
    return tuple(Candidate(key=stored.key, document=stored.page, score=score) for stored, score in mine[:depth])


def _hidden(scored: Sequence[tuple[_Stored, float]], scope: Scope) -> int:
    """Count what stands above the tenth allowed passage and is not allowed."""
    seen = hidden = 0
    for stored, _ in scored:
        if scope.opens(stored.source, stored.allow):
            seen += 1
            if seen == _HIDDEN_DEPTH:
                break
        else:
            hidden += 1
    return min(hidden, _HIDDEN_DEPTH)


def _passage(stored: _Stored) -> StoredPassage:
    document = stored.entry.document
    return StoredPassage(
        chunk=stored.chunk,
        source=document.source,
        document_path=document.path,
        title=document.title,
        language=document.language,
        updated=document.updated,
        allow=document.allow,
        url=document.url,
        valid=document.valid,
    )
