"""How good an order of documents is, for one question: the field's usual measures. Pure."""

import math
from collections.abc import Mapping, Sequence

#: Grades by document; a document that is not named is not relevant.
Grades = Mapping[str, float]


def ndcg(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return the discounted gain of the first `at` documents over that of the best possible order, 0..1."""
    best = _gain(sorted(grades.values(), reverse=True)[:at])
    return _gain([grades.get(document, 0) for document in ranked[:at]]) / best if best else 0.0


def recall(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return the share of the relevant documents that are among the first `at`."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranked[:at])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return 1 over the rank of the first relevant document, 0 when none is among the first `at`."""
    ranks = (rank for rank, document in enumerate(ranked[:at], start=1) if grades.get(document, 0) > 0)
    return 1 / next(ranks, math.inf)


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / math.log2(place + 2) for place, grade in enumerate(grades))
