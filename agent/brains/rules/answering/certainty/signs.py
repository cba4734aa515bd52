"""What speaks for and against an answer in what was found: the signs that the judge weighs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, own_heading, satisfies
from agent.brains.rules.answering.wanted import Wanted
from language.words import normalise

#: Passages among which the best one's page is counted.
_NEAR = 4
#: The margin where no other section was found.
MARGIN = 8.0
#: Not known: the search had no vectors, or they say nothing of this passage.
UNKNOWN = math.nan


@dataclass(frozen=True)
class EvidenceSigns:
    """What is known of the passage that would answer, and of those beside it; shares are 0..1."""

    words: float  # share of the question's words in its title, headings and text
    headings: float  # … in title and headings alone
    heading: float  # … in its own heading
    asked: float  # share of its own heading's words in the question
    piece: float  # share of the question's words in the one sentence, row or item that holds most
    rare: float  # share of the question's words, weighed by how rare they are in the index
    least: float  # the lesser of the two
    ahead: float  # how far its share of words is above that of the best other page
    ahead_rare: float  # … weighed by how rare they are
    cosine: float
    lead: float  # how far its cosine is above that of the best other page
    above: float  # … above the mean of all that were found
    score: float  # its place in the order of the search, by the best one's
    page: float  # share of the best few passages that are of the same page
    margin: float  # how far it fits better than the best other section
    first: float  # 1 when the search put it first
    names: float  # 1 when every name and identifier of the question is there
    codes: float  # identifiers of the question that it holds, up to 2
    lacking: float  # share of the things asked about that it does not name
    halves: float  # 1 when it names one word only of two that make one thing
    shape: float  # 1 when it holds what is asked for: a time, an amount, a person; a half when nothing is
    said: float  # weight of the question's words that it holds
    unsaid: float  # … and of those that it does not hold
    length: float  # weight of all of the question's words
    fact: float  # 1 when one fact is asked for
    defines: float  # 1 when it is asked what something is
    chinese: float


NAMES = tuple(each.name for each in fields(EvidenceSigns))


def signs_of(question: Question, ranked: Sequence[Ranked]) -> EvidenceSigns:
    """Return what is known of the best passage; there must be one."""
    best = ranked[0]
    passage = best.passage
    others = [item for item in ranked if item.passage.source != passage.source and not _same_heading(item, best)]
    cosines = [item.passage.cosine for item in ranked if item.passage.cosine is not None]
    near = sorted(ranked, key=lambda item: item.order)[:_NEAR]
    missing = question.missing(best.whole)
    return EvidenceSigns(
        words=best.coverage,
        headings=best.heading,
        heading=question.coverage(Text.of(passage.heading)),
        asked=own_heading(question, passage),
        piece=best.best_piece,
        rare=passage.coverage,
        least=min(best.best_piece, passage.coverage),
        ahead=best.coverage - max((item.coverage for item in others), default=0.0),
        ahead_rare=passage.coverage - max((item.passage.coverage for item in others), default=0.0),
        cosine=UNKNOWN if passage.cosine is None else passage.cosine,
        lead=_lead(passage.cosine, [item.passage.cosine for item in others if item.passage.cosine is not None]),
        above=UNKNOWN if passage.cosine is None else passage.cosine - sum(cosines) / len(cosines),
        score=passage.score / (max(item.passage.score for item in ranked) or 1.0),
        page=sum(item.passage.source == passage.source for item in near) / _NEAR,
        margin=best.fit
        - max((item.fit for item in ranked if not item.passage.is_beside(passage)), default=best.fit - MARGIN),
        first=float(best.order == 0),
        names=float(not any(term.weight > 1.2 for term in missing)),
        codes=min(2.0, sum(term.exact for term in question.terms) - sum(term.exact for term in missing)),
        lacking=question.lacking(best.whole),
        halves=float(question.halves(best.whole)),
        shape=satisfies(question, passage),
        said=question.found_weight(best.whole),
        unsaid=question.weight - question.found_weight(best.whole),
        length=question.weight,
        fact=float(question.wants_one_fact),
        defines=float(Wanted.DEFINITION in question.wanted),
        chinese=float(question.language == "zh"),
    )


def _same_heading(one: Ranked, other: Ranked) -> bool:
    """Tell whether two passages stand below the same heading: they agree or disagree, but both answer."""
    return normalise(one.passage.heading) == normalise(other.passage.heading)


def _lead(cosine: float | None, others: Sequence[float]) -> float:
    return cosine - max(others) if cosine is not None and others else UNKNOWN
