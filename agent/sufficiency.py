"""Whether passages support an answer at all: the line between answering and saying that nothing was found.

A wrong answer is worse than none, so a question is answered only when its words stand in the best passage. The
figures were fitted on pages that are not part of the evaluation: docs/explanation says how.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive import Ranked
from agent.question import Question, Term, Text


@dataclass(frozen=True)
class Threshold:
    """The least that the best passage must show for a question in one language."""

    total: float
    coverage: float


#: English has a second witness, the cosine of the dense leg; Chinese has words alone.
THRESHOLDS = {"en": Threshold(total=0.56, coverage=0.34), "zh": Threshold(total=0.60, coverage=0.50)}
#: A cosine is turned into 0..1 between these two values.
_COSINE_FLOOR, _COSINE_CEILING = 0.20, 0.70


@dataclass(frozen=True)
class Sufficiency:
    """How well the best passage carries an answer, and whether that is enough."""

    total: float
    enough: bool
    missing: tuple[Term, ...] = ()


def judge(question: Question, ranked: Sequence[Ranked]) -> Sufficiency:
    """Return whether the best passage supports an answer."""
    if not ranked or question.weight <= 0:
        return Sufficiency(total=0.0, enough=False)
    best = ranked[0]
    threshold = THRESHOLDS.get(question.language, THRESHOLDS["en"])
    missing = question.missing(Text.of(best.passage.title, best.passage.section, best.passage.text))
    coverage = max(best.passage.coverage, best.coverage)
    total = strength(best)
    exact_missing = any(term.exact for term in missing)
    enough = total >= threshold.total and coverage >= threshold.coverage and not exact_missing
    return Sufficiency(total=total, enough=enough, missing=missing)


def strength(best: Ranked) -> float:
    """Return one figure (0..1) for how much of the question the passage speaks of."""
    words = 0.5 * best.passage.coverage + 0.5 * best.coverage
    if best.passage.cosine is None:
        return 0.80 * words + 0.20 * min(1.0, best.heading + best.best_piece)
    meaning = (best.passage.cosine - _COSINE_FLOOR) / (_COSINE_CEILING - _COSINE_FLOOR)
    return 0.55 * words + 0.35 * min(1.0, max(0.0, meaning)) + 0.10 * min(1.0, best.heading + best.best_piece)
