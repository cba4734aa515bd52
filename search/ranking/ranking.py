"""From the legs' findings to one order: fusion and near-duplicates. Pure.

Fusion is the weighted sum of scores that are scaled to 0..1 within each leg. The weight of the dense leg rises with
the lead of its best over its last: a match of meaning that stands out speaks for the vectors, a flat leg for the words.
A fixed weight cannot hold all kinds of questions that we measured, nor can ranks; and a bare cosine means another thing
with each model. docs/explanation/retrieval.md has the figures.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from search.config import FusionConfig
from search.indexes.port import Candidate, Leg


@dataclass(frozen=True)
class RankedPassage:
    """One candidate after fusion, with each leg's judgement."""

    key: str
    document: str
    score: float
    bm25_rank: int | None = None
    bm25: float | None = None
    dense_rank: int | None = None
    cosine: float | None = None


@dataclass(frozen=True)
class Fused:
    """Every candidate once, best first, and the share that the dense leg had in that order."""

    ranked: tuple[RankedPassage, ...]
    dense_weight: float


def fuse(
    legs: Mapping[Leg, Sequence[Candidate]],
    config: FusionConfig,
    *,
    dense_share: float = 1.0,
    unread: Collection[str] = frozenset(),
    literal: float = 0.0,
) -> Fused:
    """Put the legs together; one leg alone keeps its own order.

    `dense_share` tells how much of what matters has a vector: a leg that has seen half of the pages has half a say.
    `unread` are passages in a language that the embedding model does not read: words alone judge them, since a missing
    vector says nothing against a passage. `literal` (0..1) tells how far the question is about an identifier, which is
    noise to the model: by so much the dense leg comes down to its least say.
    """
    lexical = legs.get("bm25", ())
    dense = legs.get("dense", ())
    weight = dense_weight(lead(dense), config) if dense else 0.0
    weight = dense_share * (weight - literal * max(0.0, weight - config.dense_least))
    if dense and not lexical:
        weight = 1.0
    by_word = _scaled(lexical)
    by_meaning = _scaled(dense)
    bm25 = {found.key: (rank, found.score) for rank, found in enumerate(lexical, start=1)}
    cosine = {found.key: (rank, found.score) for rank, found in enumerate(dense, start=1)}
    documents = {found.key: found.document for found in (*lexical, *dense)}
    ranked = (
        RankedPassage(
            key,
            document,
            (1 - share) * by_word.get(key, 0.0) + share * by_meaning.get(key, 0.0),
            *bm25.get(key, (None, None)),
            *cosine.get(key, (None, None)),
        )
        for key, document in documents.items()
        for share in (0.0 if key in unread else weight,)
    )
    return Fused(ranked=tuple(sorted(ranked, key=lambda found: -found.score)), dense_weight=weight)


def lead(dense: Sequence[Candidate]) -> float:
    """Return how far (0..1) the best cosine is on its way from the leg's last one to a perfect match."""
    best, last = dense[0].score, dense[-1].score
    return (best - last) / (1 - last) if last < 1 else 0.0


def dense_weight(best_lead: float, config: FusionConfig) -> float:
    """Return the share of the dense leg: from `dense_least` to `dense_most`, by a logistic of its best one's lead."""
    rise = 1 / (1 + math.exp(-config.slope * (best_lead - config.middle)))
    return config.dense_least + (config.dense_most - config.dense_least) * rise


def alike(words: frozenset[str], other: frozenset[str], *, least: float) -> bool:
    """Say whether two texts, given as their terms, say nearly the same in the same words."""
    shorter, longer = sorted((len(words), len(other)))
    # The sizes alone rule most pairs out.
    return shorter > 0 and least * longer <= shorter and _likeness(words, other) >= least


def _scaled(candidates: Sequence[Candidate]) -> dict[str, float]:
    if not candidates:
        return {}
    highest, lowest = candidates[0].score, candidates[-1].score
    if highest <= lowest:
        return {found.key: 1.0 for found in candidates}
    return {found.key: (found.score - lowest) / (highest - lowest) for found in candidates}


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
