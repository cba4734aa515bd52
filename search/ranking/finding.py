"""One search, from the question's words to hits: the legs, fusion, reranking, one page's claim."""

import logging
import time
from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any

from language.scripts import is_chinese
from search.access import Scope
from search.config import SearchConfig
from search.documents import Hit, Meaning, SearchResult, Signals
from search.embedding.port import Embedder, FloatArray
from search.errors import EmbedderUnavailable
from search.indexes.port import Candidate, Index, IndexQuery, Leg, LegFindings, StoredPassage
from search.ranking.choosing import Selection, choose
from search.ranking.coverage import Coverage
from search.ranking.query import AnalysedQuery, analyse
from search.ranking.ranking import Fused, RankedPassage, fuse
from search.ranking.reranking import Judged, judge

_LOG = logging.getLogger(__name__)
#: Shares of a question up to which an identifier is only mentioned, and from which it is what was asked about.
_PASSING, _MEANT = 0.10, 0.23
#: Candidates that are reranked, for each hit that is wanted.
_LOOKED_AT = 4
#: The best by words get it too: fused, passages that the model does not read stand lower than they should.
_BEST_BY_WORDS = 10
#: Share of a question's words from which the files that came with it are what it is about.
_ABOUT_FILES = 0.6
#: Places by words at which a passage without a cosine may only wait for its vector, while some still do.
_FOREMOST = 3
#: Candidates of each leg where another language is searched: what words lead to is to have its cosine, too.
_DEEP = 400
_Ordered = Coroutine[Any, Any, tuple[Fused, tuple[Judged, ...]]]


class NotEmbedded(StrEnum):
    """Why a question was not read by the embedding model."""

    LANGUAGE = "language"  # the model does not read the question's language
    MODEL = "model"  # the model is not there


@dataclass(frozen=True)
class Trace:
    """One search with all that it saw on its way, for whoever wants to know why."""

    analysed: AnalysedQuery
    findings: LegFindings
    fused: Fused
    coverage: Coverage
    choice: Selection
    hits: tuple[Hit, ...]
    unread: NotEmbedded | None
    timings_ms: Mapping[str, float]  # "embed", "legs", "order"
    more_alone: bool = False
    meant: Meaning | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Finder:
    """An index, the model that reads questions, and how legs are weighed."""

    index: Index
    embedder: Embedder
    config: SearchConfig

    async def find(
        self, query: str, scope: Scope, *, language: str, limit: int, files: str = "", meant: str = ""
    ) -> SearchResult:
        """Return the best permitted passages; nothing for a question without a word in it.

        `files` is the principal of the files that came with the question: where they meet it, they alone answer it.
        `meant`: passages in another language are looked for, by what is meant in this one, and by the words of the
        query where those are in the other one.
        """
        trace = await self.trace(query, scope, language=language, limit=limit, files=files, meant=meant)
        spent = trace.timings_ms
        return SearchResult(
            hits=trace.hits,
            legs=tuple(name for name, found in trace.findings.legs.items() if found),
            hidden=trace.findings.hidden,
            more_alone=trace.more_alone,
            is_reading=trace.unread is None and trace.findings.vectors_share < 1,
            timings_ms={"embed": spent["embed"], "search": sum(spent.values()) - spent["embed"]} if spent else {},
            meant=trace.meant,
        )

    async def trace(
        self, query: str, scope: Scope, *, language: str, limit: int, files: str = "", meant: str = ""
    ) -> Trace:
        """Search, and return what was seen on the way to the hits too."""
        analysed = analyse(query)
        if not analysed.tokens:
            return _nothing(analysed)
        if meant and query.startswith(meant):  # none of its words is known in the other language
            analysed = replace(analysed, language="en" if is_chinese(meant) else "zh", tokens=())
        watch = _Watch()
        across = self._across() if meant else None
        vector = await (self._vector_of(meant, across) if across else self._vector(analysed, language))
        watch.lap("embed")
        known = None if isinstance(vector, NotEmbedded) else vector
        question = IndexQuery(
            terms=analysed.terms,
            vector=known,
            model=self.embedder.name,
            depth=_DEEP if meant else self.config.depth,
            abroad=across is not None and across is not self.embedder and is_chinese(meant),
        )
        findings = self._likened(await self.index.search(question, scope))
        watch.lap("legs")
        coverage = Coverage(analysed.tokens, findings.frequencies, findings.total, corrections=findings.corrections)
        rare = self._rare(analysed, findings)
        literal = _literal(coverage.of(rare))
        ordered = partial(self._ordered, analysed, coverage, identifiers=rare, literal=literal)
        fused, judged = await ordered(findings, scope, looked_at=limit * _LOOKED_AT)
        about_files = _of_files(judged, files)
        more_alone = not about_files and await self._is_more_alone(ordered, findings, scope)
        choice = choose(about_files or judged, limit=limit, config=self.config)
        watch.lap("order")
        hits = tuple(hit_of(one, scope) for one in choice.kept)
        return Trace(
            analysed=analysed,
            findings=findings,
            fused=fused,
            coverage=coverage,
            choice=choice,
            hits=tuple(map(_by_words, hits)) if findings.vectors_share < 1 and any(map(_may_wait, hits)) else hits,
            unread=vector if isinstance(vector, NotEmbedded) else None,
            timings_ms=watch.laps,
            more_alone=more_alone,
            meant=None if known is None or meant else Meaning(self.embedder.name, tuple(known.tolist())),
        )

    async def _ordered(
        self,
        analysed: AnalysedQuery,
        coverage: Coverage,
        findings: LegFindings,
        scope: Scope,
        *,
        identifiers: frozenset[str],
        literal: float,
        looked_at: int,
    ) -> tuple[Fused, tuple[Judged, ...]]:
        """Return the findings in one order, with the shares of the legs in it."""
        weighed = partial(fuse, findings.legs, self.config.fusion, dense_share=findings.vectors_share, literal=literal)
        fused, candidates = await self._fused(weighed, findings, scope, asked=analysed.language, looked_at=looked_at)
        judged = judge(
            analysed,
            coverage,
            candidates,
            dense_weight=fused.dense_weight,
            config=self.config.fusion,
            identifiers=identifiers,
            literal=literal,
        )
        return fused, judged

    async def _is_more_alone(self, ordered: "partial[_Ordered]", findings: LegFindings, scope: Scope) -> bool:
        """Return whether the best passage would be another one if nobody read along."""
        if not findings.alone:
            return False
        legs = {
            leg: tuple(sorted((*findings.legs.get(leg, ()), *kept_out), key=lambda found: -found.score))
            for leg, kept_out in findings.alone.items()
        }
        every = replace(findings, legs={**findings.legs, **legs}, alone={})
        _, judged = await ordered(every, scope.alone, looked_at=_LOOKED_AT)
        kept_out = {found.key for leg in findings.alone.values() for found in leg}
        return bool(judged) and judged[0].ranked.key in kept_out

    async def _vector(self, analysed: AnalysedQuery, language: str) -> FloatArray | NotEmbedded:
        """Return the question's vector, or why there is none: the leg then stays out."""
        if not self.embedder.reads(analysed.language or language):
            return NotEmbedded.LANGUAGE
        return await self._vector_of(analysed.text, self.embedder)

    def _across(self) -> Embedder | None:
        """Return the model by which a question is compared with passages in the other language; None without one."""
        return self.embedder.across() or (self.embedder if self.embedder.compares("en", "zh") else None)

    async def _vector_of(self, text: str, embedder: Embedder) -> FloatArray | NotEmbedded:
        try:
            vectors = await embedder.embed([text], role="question")
        except EmbedderUnavailable as error:
            _LOG.warning("searching by words alone: %s", error)
            return NotEmbedded.MODEL
        vector: FloatArray = vectors[0]
        return vector

    def _likened(self, findings: LegFindings) -> LegFindings:
        """Return the findings with cosines in the dense leg, and none there of which a cosine tells nothing."""

        def likened(legs: Mapping[Leg, tuple[Candidate, ...]]) -> dict[Leg, tuple[Candidate, ...]]:
            cosines = [(found, self.embedder.cosine(found.score)) for found in legs.get("dense", ())]
            known = tuple(
                Candidate(found.key, found.document, cosine) for found, cosine in cosines if cosine is not None
            )
            return {
                **{leg: found for leg, found in legs.items() if leg != "dense"},
                **({"dense": known} if known else {}),
            }

        return replace(findings, legs=likened(findings.legs), alone=likened(findings.alone))

    def _rare(self, analysed: AnalysedQuery, findings: LegFindings) -> frozenset[str]:
        """Return the question's identifiers that stand in a few passages."""
        most = self.config.fusion.identifier_passages
        return frozenset(term for term in analysed.identifiers if 0 < findings.frequencies.get(term, 0) <= most)

    async def _fused(
        self, weighed: "partial[Fused]", findings: LegFindings, scope: Scope, *, asked: str, looked_at: int
    ) -> tuple[Fused, list[tuple[RankedPassage, StoredPassage]]]:
        """Fuse the legs, anew when some of the best passages are in a language that the model does not read."""
        fused = weighed()
        best_by_words = [found.key for found in findings.legs.get("bm25", ())[:_BEST_BY_WORDS]]
        best = dict.fromkeys((*(found.key for found in fused.ranked[:looked_at]), *best_by_words))
        passages = await self._passages(findings, tuple(best), scope)
        unread = {key for key, passage in passages.items() if not self.embedder.compares(asked, passage.language)}
        if unread:
            fused = weighed(unread=unread, dense_share=findings.vectors_share * _readable(best_by_words, unread))
        return fused, [(found, passages[found.key]) for found in fused.ranked if found.key in passages]

    async def _passages(self, findings: LegFindings, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        missing = [key for key in keys if key not in findings.passages]
        read = await self.index.passages(missing, scope) if missing else {}
        known = {**findings.passages, **read}
        return {key: known[key] for key in keys if key in known}


def _of_files(judged: Sequence[Judged], files: str) -> tuple[Judged, ...]:
    """Return the candidates of the files that came with a question, if one of them meets it; else nothing."""
    own = tuple(one for one in judged if files in one.passage.allow)
    return own if any(one.coverage >= _ABOUT_FILES for one in own) else ()


def _readable(best_by_words: Sequence[str], unread: Collection[str]) -> float:
    """Return how much say the dense leg has by what it reads of the passages that words find best; never none.

    Where words lead to pages in another language, the nearest of the few that the model reads is near by chance.
    """
    return (sum(key not in unread for key in best_by_words) + 1) / (len(best_by_words) + 1)


def _literal(share: float) -> float:
    """Return how far (0..1) a question is meant to the letter, by the share of it that rare identifiers make up."""
    return min(1.0, max(0.0, (share - _PASSING) / (_MEANT - _PASSING)))


class _Watch:
    """Times the steps of a search in milliseconds."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = (now - self._since) * 1_000
        self._since = now


def _nothing(analysed: AnalysedQuery) -> Trace:
    return Trace(
        analysed=analysed,
        findings=LegFindings(legs={}),
        fused=Fused(ranked=(), dense_weight=0.0),
        coverage=Coverage((), {}, 0),
        choice=Selection(kept=(), left_out=()),
        hits=(),
        unread=None,
        timings_ms={},
    )


def _may_wait(hit: Hit) -> bool:
    """Tell whether a passage that is foremost by words has no cosine, as one has that still waits for its vector."""
    rank = hit.signals.bm25_rank
    return hit.signals.cosine is None and rank is not None and rank <= _FOREMOST


def _by_words(hit: Hit) -> Hit:
    """Return a hit without its cosine: others have none yet, and cannot be compared with it."""
    return replace(hit, signals=replace(hit.signals, cosine=None))


def hit_of(judged: Judged, scope: Scope) -> Hit:
    """Return what is shown of a candidate; it has been asked for within this scope."""
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
        url=passage.url,
        valid=passage.valid,
    )
