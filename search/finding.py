"""One search, from the question's words to hits: the legs, fusion, one page's claim, coverage."""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from search.access import Scope
from search.analysis import terms
from search.config import SearchConfig
from search.coverage import Coverage
from search.documents import Hit, SearchResult, Signals, UnitKind
from search.embedding.port import Embedder, FloatArray
from search.errors import EmbedderUnavailable
from search.index import Findings, Index, Passage, Question
from search.passage_text import searched_text
from search.query import AnalysedQuery, analyse
from search.ranking import Ranked, fuse, repeats

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Finder:
    """An index, the model that reads questions, and how legs are weighed."""

    index: Index
    embedder: Embedder
    config: SearchConfig

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
        ranked = fuse(findings.legs, self.config.fusion, dense_share=findings.vectors_share)
        chosen = await self._passages(findings, ranked[: limit * 4], scope)
        hits = _hits(analysed, findings, chosen, scope=scope, config=self.config, limit=limit)
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

    async def _passages(
        self, findings: Findings, ranked: Sequence[Ranked], scope: Scope
    ) -> list[tuple[Ranked, Passage]]:
        """Return the candidates with their text, best first; what only leads elsewhere goes down."""
        missing = [found.key for found in ranked if found.key not in findings.passages]
        read = await self.index.passages(missing, scope) if missing else {}
        known = {**findings.passages, **read}
        found_again = [(found, known[found.key]) for found in ranked if found.key in known]
        weighed = [(_lowered(found, passage, self.config), passage) for found, passage in found_again]
        return sorted(weighed, key=lambda pair: -pair[0].score)


def _lowered(found: Ranked, passage: Passage, config: SearchConfig) -> Ranked:
    if passage.chunk.kind is not UnitKind.NAVIGATION:
        return found
    return replace(found, score=found.score * config.navigation_weight)


def _hits(
    analysed: AnalysedQuery,
    findings: Findings,
    ranked: Sequence[tuple[Ranked, Passage]],
    *,
    scope: Scope,
    config: SearchConfig,
    limit: int,
) -> tuple[Hit, ...]:
    coverage = Coverage(analysed.tokens, findings.frequencies, findings.total)
    taken: Counter[str] = Counter()
    kept: list[frozenset[str]] = []
    hits: list[Hit] = []
    for found, passage in ranked:
        if taken[found.document] >= config.hits_per_page:
            continue
        words = frozenset(terms(searched_text(passage.chunk.text)))
        if repeats(words, kept, alike=config.alike):
            continue
        taken[found.document] += 1
        kept.append(words)
        hits.append(_hit(found, passage, covered=coverage.of(words.union(_heading(passage))), scope=scope))
        if len(hits) == limit:
            break
    return tuple(hits)


def _heading(passage: Passage) -> list[str]:
    return terms("\n".join((passage.title, *passage.chunk.section_path)))


def _hit(found: Ranked, passage: Passage, *, covered: float, scope: Scope) -> Hit:
    return Hit(
        chunk=passage.chunk,
        source=passage.source,
        document_path=passage.document_path,
        title=passage.title,
        language=passage.language,
        updated=passage.updated,
        score=found.score,
        signals=Signals(
            bm25_rank=found.bm25_rank,
            bm25=found.bm25,
            dense_rank=found.dense_rank,
            cosine=found.cosine,
            coverage=covered,
        ),
        authz=scope.reason(passage.allow),
    )
