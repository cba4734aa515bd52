"""The two legs of a search over one snapshot."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from language.spelling import corrected, may_be_misspelt
from search.embedding.port import FloatArray
from search.indexes.bm25f import rarity
from search.indexes.embedded import vocabulary
from search.indexes.embedded.snapshot import Ints, Permitted, Snapshot, Vectors
from search.indexes.port import ALONE_DEPTH, Candidate

#: A pasted page is no question; the terms beyond are not looked for.
_MOST_TERMS = 64
#: How far down a leg the count of hidden passages looks.
_HIDDEN_DEPTH = 10


@dataclass(frozen=True)
class LegResult:
    """The candidates that the scope allows, best first, and how many others stood among the best."""

    candidates: tuple[Candidate, ...]
    hidden: int
    alone: tuple[Candidate, ...] = ()  # the few best that the actor may read where nobody reads along


@dataclass(frozen=True)
class WantedTerms:
    """The terms that are looked for: by number the permitted chunks with each, and what is told of them by name."""

    holding: Mapping[int, int]
    frequencies: Mapping[str, int]
    corrections: Mapping[str, str]


def wanted(
    connection: sqlite3.Connection, snapshot: Snapshot, permitted: Permitted, *, terms: Sequence[str]
) -> WantedTerms:
    """Return what a question's terms look for; a word that no chunk holds is taken for the one that was meant."""
    terms = tuple(dict.fromkeys(terms))[:_MOST_TERMS]
    numbers = vocabulary.numbers(connection, terms)
    holding = {number: snapshot.holding(number, permitted) for number in numbers.values()}
    frequencies = {term: holding[numbers[term]] if term in numbers else 0 for term in terms}
    corrections: dict[str, str] = {}
    for term in terms:
        if frequencies[term] or not may_be_misspelt(term):
            continue
        similar = dict(vocabulary.one_edit_away(connection, term))
        near = {other: count for other, number in similar.items() if (count := snapshot.holding(number, permitted))}
        if meant := corrected(term, near.items()):
            corrections[term] = meant
            frequencies[meant] = holding[similar[meant]] = near[meant]
    return WantedTerms(holding=holding, frequencies=frequencies, corrections=corrections)


def lexical(snapshot: Snapshot, permitted: Permitted, *, wanted: WantedTerms, depth: int) -> LegResult:
    """Score by BM25F every chunk that holds one of the terms."""
    scores = np.zeros(len(snapshot.ids), dtype=np.float32)
    for number, holding in wanted.holding.items():
        worth = np.float32(rarity(holding, permitted.total))
        for segment in snapshot.segments:
            chunks, frequencies = segment.of(number)
            scores[chunks] += worth * frequencies / (frequencies + snapshot.norms(chunks, permitted))
    found = np.flatnonzero(scores)
    return _best(snapshot, permitted, found, scores[found], depth=depth)


def dense(snapshot: Snapshot, permitted: Permitted, vectors: Vectors, *, vector: FloatArray, depth: int) -> LegResult:
    """Score every window of these vectors by its cosine, exactly; a chunk counts by its best window."""
    if not len(vectors.rows) or vectors.matrix.shape[1] != len(vector):
        return LegResult(candidates=(), hidden=0)
    # Row by row: `@` wakes the threads of the linear algebra, which spin on while the search needs the cores.
    scores: FloatArray = np.vecdot(vectors.used, vector.astype(np.float32))
    return _best(snapshot, permitted, vectors.rows, scores, depth=depth)


def _best(snapshot: Snapshot, permitted: Permitted, ordinals: Ints, scores: FloatArray, *, depth: int) -> LegResult:
    allowed = permitted.mask[ordinals]
    candidates = _candidates(snapshot, ordinals[allowed], scores[allowed], depth=depth)
    bar = candidates[_HIDDEN_DEPTH - 1].score if len(candidates) >= _HIDDEN_DEPTH else -np.inf
    unseen = ordinals[~allowed & (scores > bar)]
    unseen = unseen[snapshot.alive[unseen]]
    kept_out = permitted.alone[ordinals] if permitted.alone is not None else None
    return LegResult(
        candidates=candidates,
        hidden=min(len(np.unique(unseen)), _HIDDEN_DEPTH),
        alone=()
        if kept_out is None
        else _candidates(snapshot, ordinals[kept_out], scores[kept_out], depth=ALONE_DEPTH),
    )


def _candidates(snapshot: Snapshot, ordinals: Ints, scores: FloatArray, *, depth: int) -> tuple[Candidate, ...]:
    best: dict[int, float] = {}
    # Several windows may belong to one chunk, so a few more than asked for are looked at.
    for place in _top(scores, depth * 3).tolist():
        ordinal = int(ordinals[place])
        if ordinal not in best and len(best) < depth:
            best[ordinal] = float(scores[place])
    return tuple(
        Candidate(key=str(snapshot.ids[ordinal]), document=str(snapshot.documents[ordinal]), score=score)
        for ordinal, score in best.items()
    )


def _top(scores: FloatArray, count: int) -> Ints:
    if len(scores) > count:
        some = np.argpartition(-scores, count)[:count]
        return some[np.argsort(-scores[some], kind="stable")]
    return np.argsort(-scores, kind="stable")
