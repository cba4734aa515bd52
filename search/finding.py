"""One search, from the question's words to hits: the legs, fusion, the second look, one page's claim."""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search.access import Scope
from search.closeness import Closeness
from search.config import SearchConfig
from search.coverage import Coverage
from search.documents import Hit, SearchResult, Signals
from search.embedding.port import Embedder, FloatArray
from search.errors import EmbedderUnavailable
from search.index import Findings, Index, Passage, Question
from search.judging import Judged, judge
from search.query import AnalysedQuery, analyse
from search.ranking import Ranked, fuse, repeats

_LOG = logging.getLogger(__name__)
#: Candidates that get the second look, for each hit that is wanted.
_LOOKED_AT = 4


@dataclass(frozen=True)
class Finder:
    """An index, the model that reads questions, and how legs are weighed."""

    index: Index
    embedder: Embedder
    config: SearchConfig
    closeness: Closeness = field(init=False)

    def __post_init__(self) -> None:
        """Begin without any sentence in mind."""
        object.__setattr__(self, "closeness", Closeness(self.embedder))

    async def find(self, query: str, scope: Scope, *, language: str, limit: int) -> SearchResult:
        """Return the best permitted passages; nothing for a question without a word in it."""
        analysed = analyse(query)
        if not analysed.tokens:
            return SearchResult(hits=(), legs=(), hidden=0)
        started = time.perf_counter()
        vector = await self._vector(analysed, language)
        embedded = time.perf_counter()
        question = Question(terms=analysed.terms, vector=vector, depth=self.config.depth)
        findings = await self.index.search(question, scope)
        judged = await self._judged(analysed, findings, scope, looked_at=limit * _LOOKED_AT)
        hits = await self._compared(analysed, vector, self._hits(judged, scope, limit=limit))
        ended = time.perf_counter()
        return SearchResult(
            hits=hits,
            legs=tuple(name for name, found in findings.legs.items() if found),
            hidden=findings.hidden,
            timings_ms={"embed": (embedded - started) * 1_000, "search": (ended - embedded) * 1_000},
        )

    async def _vector(self, analysed: AnalysedQuery, language: str) -> FloatArray | None:
        """Return the question's vector, or None where the model cannot read it: the leg then stays out."""
        if not self.embedder.reads(analysed.language or language):
            return None
        try:
            vectors = await self.embedder.embed([analysed.text])
        except EmbedderUnavailable as error:
            _LOG.warning("searching by words alone: %s", error)
            return None
        vector: FloatArray = vectors[0]
        return vector

    async def _compared(
        self, analysed: AnalysedQuery, vector: FloatArray | None, hits: tuple[Hit, ...]
    ) -> tuple[Hit, ...]:
        """Tell of the best hits how near their nearest sentence is; they are told without when the model is away."""
        if vector is None or not hits:
            return hits
        try:
            closest = await self.closeness.of(vector, frozenset(analysed.terms), hits)
        except EmbedderUnavailable as error:
            _LOG.warning("judging passages as a whole: %s", error)
            return hits
        return tuple(replace(hit, signals=replace(hit.signals, closest=closest.get(hit.chunk.id))) for hit in hits)

    async def _judged(
        self, analysed: AnalysedQuery, findings: Findings, scope: Scope, *, looked_at: int
    ) -> Sequence[Judged]:
        fused = fuse(findings.legs, self.config.fusion, dense_share=findings.vectors_share)
        candidates = await self._passages(findings, fused.ranked[:looked_at], scope)
        coverage = Coverage(analysed.tokens, findings.frequencies, findings.total, corrections=findings.corrections)
        return judge(analysed, coverage, candidates, dense_weight=fused.dense_weight, config=self.config.fusion)

    async def _passages(
        self, findings: Findings, ranked: Sequence[Ranked], scope: Scope
    ) -> list[tuple[Ranked, Passage]]:
        missing = [found.key for found in ranked if found.key not in findings.passages]
        read = await self.index.passages(missing, scope) if missing else {}
        known = {**findings.passages, **read}
        return [(found, known[found.key]) for found in ranked if found.key in known]

    def _hits(self, judged: Sequence[Judged], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        taken: Counter[str] = Counter()
        kept: list[frozenset[str]] = []
        hits: list[Hit] = []
        for one in judged:
            page = one.ranked.document
            if taken[page] >= self.config.hits_per_page or repeats(one.words, kept, alike=self.config.alike):
                continue
            taken[page] += 1
            kept.append(one.words)
            hits.append(_hit(one, scope))
            if len(hits) == limit:
                break
        return tuple(hits)


def _hit(judged: Judged, scope: Scope) -> Hit:
    ranked, passage = judged.ranked, judged.passage
    return Hit(
        chunk=passage.chunk,
        source=passage.source,
        document_path=passage.document_path,
        title=passage.title,
        language=passage.language,
        updated=passage.updated,
        score=ranked.score,
        signals=Signals(
            bm25_rank=ranked.bm25_rank,
            bm25=ranked.bm25,
            dense_rank=ranked.dense_rank,
            cosine=ranked.cosine,
            coverage=judged.coverage,
        ),
        authz=scope.reason(passage.allow),
    )
