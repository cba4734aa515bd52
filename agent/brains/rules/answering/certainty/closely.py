"""How likely a section answers whose sentences were compared with the question: the judge where words tell too little.

A question in other words than its page's shares few with the section that answers, and the judge of words sends it
away. What its sentences mean puts the sections in another order and says anew how likely the first one answers.
`tests/calibration/closely.py` fits both: a pairwise logistic regression for the order, a logistic one for the rest.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.brains.rules.answering.certainty.likelihood import likelihood
from agent.brains.rules.answering.passages import passages_of
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import (
    Ranked,
    holds_kind,
    is_foreign_page,
    overlap,
    own_heading,
    rank,
    satisfies,
)
from agent.brains.rules.understanding.sought import head_of, sought

WEIGHTS = Path(__file__).with_name("closely.json")
#: The least and the most likelihood of the judge of words that is told apart from none and from certainty.
_LEAST = 1e-3
#: How far the first section can stand before the next one, and the lead where there is none.
_FAR = 6.0
_ALONE = 4.0
#: What a sentence is compared with where it is asked closely: the question alone, and no subject before it.
_ALONE_COMPARED = 1
#: What speaks for a section in the order, and for the first one, by name.
IN_ORDER = ("fit", "cosine", "sentence", "of_kind", "both", "rare", "shape", "heading", "speaks")
FOR_FIRST = (
    *("odds", "cosine", "sentence", "of_kind", "both", "sentence_lead", "lead", "rare", "words", "shape", "heading"),
    *("speaks", "same", "first", "length", "fact", "cosine_lead"),
)


@dataclass(frozen=True)
class ClosenessWeights:
    """What each sign is worth in one language."""

    order: tuple[float, ...]
    base: float
    first: tuple[float, ...]


@dataclass(frozen=True)
class Closest:
    """The sections in the order of what they mean, and how likely the first one answers."""

    ranked: tuple[Ranked, ...]
    likelihood: float


#: Read with the module, never on the event loop.
_WEIGHTS = {
    language: ClosenessWeights(order=tuple(raw["order"]), base=raw["base"], first=tuple(raw["first"]))
    for language, raw in json.loads(WEIGHTS.read_text(encoding="utf-8")).items()
}


def closest(question: Question, ranked: Sequence[Ranked]) -> Closest:
    """Return the sections in the question's language as their sentences mean it; none where none was compared.

    Nor is there any in a language without weights: English sentences of strangers told no more than their words.
    """
    own = own_sections(question, ranked)
    weights = _WEIGHTS.get(question.language)
    compared = any(len(each) == _ALONE_COMPARED for item in own for each in item.passage.likeness)
    if weights is None or question.weight <= 0 or not compared:
        return Closest((), 0.0)
    signs = {item: signs_in_order(question, item) for item in own}
    ordered = sorted(own, key=lambda item: -_weighed(weights.order, signs[item]))
    first = signs_of_first(question, ranked, ordered, weights.order)
    return Closest(tuple(ordered), 1 / (1 + math.exp(-weights.base - _weighed(weights.first, first))))


def how_closely(query: str, language: str, content: object) -> tuple[str, float]:
    """Return the evidence of the closest section that a search gave, and how likely it answers; "" and 0 for none."""
    question = Question.of(query, language)
    found = closest(question, rank(question, passages_of(content)))
    return (found.ranked[0].passage.evidence, found.likelihood) if found.ranked else ("", 0.0)


def own_sections(question: Question, ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return what may answer: passages in the question's language that are more than links."""
    return tuple(item for item in ranked if not (item.passage.is_navigation or is_foreign_page(question, item.passage)))


def signs_in_order(question: Question, item: Ranked) -> tuple[float, ...]:
    """Return what speaks for a section in the order, as `IN_ORDER` names it."""
    passage = item.passage
    near = [each[0] if each else 0.0 for each in passage.likeness]
    pairs = tuple(zip(near, passage.pieces, strict=False))
    headings, below = Text.of(passage.title, passage.section), Text.of(passage.heading)
    said = (meant + overlap(question, piece, headings, below=below) for meant, piece in pairs)
    return (
        item.fit,
        passage.cosine or 0.0,
        max(near, default=0.0),
        max((meant for meant, piece in pairs if holds_kind(question, piece)), default=0.0),
        max(said, default=0.0),
        passage.coverage,
        satisfies(question, passage),
        own_heading(question, passage),
        float(_speaks(question, item)),
    )


def signs_of_first(
    question: Question, ranked: Sequence[Ranked], ordered: Sequence[Ranked], weights: Sequence[float]
) -> tuple[float, ...]:
    """Return what speaks for the first of the ordered sections, as `FOR_FIRST` names it.

    `ranked`: what was found as its words put it; `weights`: of the order.
    """
    first = ordered[0]
    others = [item for item in ordered if not item.passage.is_beside(first.passage)]
    own, rest = signs_in_order(question, first), [signs_in_order(question, item) for item in others]
    lead = _weighed(weights, own) - max((_weighed(weights, each) for each in rest), default=-math.inf)
    is_same = own_sections(question, ranked)[0] is first
    sure = min(max(likelihood(question, ranked), _LEAST), 1 - _LEAST)
    _, cosine, sentence, of_kind, both, rare, shape, heading, speaks = own
    return (
        math.log(sure / (1 - sure)) - (0.0 if is_same else 1.0),
        cosine,
        sentence,
        of_kind,
        both,
        sentence - max((each[2] for each in rest), default=0.0),
        min(lead, _FAR) if others else _ALONE,
        rare,
        first.coverage,
        shape,
        heading,
        speaks,
        float(is_same),
        float(first.order == 0),
        question.weight,
        float(question.wants_one_fact),
        cosine - max((each[1] for each in rest), default=0.0),
    )


def _speaks(question: Question, item: Ranked) -> bool:
    """Tell whether a section says half of the thing that is asked for; where it is not clear which, it may."""
    named = Question.of(head_of(sought(question.text)), question.language)
    return named.weight < 1 or named.coverage(item.whole) >= 1 / 2


def _weighed(weights: Sequence[float], signs: Sequence[float]) -> float:
    return sum(weight * sign for weight, sign in zip(weights, signs, strict=True))
