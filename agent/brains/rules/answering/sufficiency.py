"""Whether passages support an answer at all: the line between answering and saying that nothing was found.

A wrong answer is worse than none. The weights are those of a logistic regression over questions with and without an
answering page: our own to two handbooks, in the words of a chat; where no vectors are, also headings of a documentation
and paraphrased questions of a public set. The evaluation's questions were not used.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.brains.rules.answering.certainty.likelihood import likelihood as likely
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import Ranked, is_foreign_page, own_heading, satisfies
from agent.brains.rules.answering.tables import from_table

#: The least likelihood at which an answer is given.
LEAST = 0.45
#: … and what is asked of passages that were only found with other words than the asker's.
LEAST_WIDENED = 0.85
#: Below this the judge that was grown over many collections calls an answer chance: most that it says so of are wrong,
#: unless the desk's own likelihood is this high.
UNLIKELY, SURE = 0.1, 0.85
#: One sentence that holds most words of a question answers it, whatever else speaks against it: the longer the
#: question, the smaller the share that is no accident. (Weight of the question's words, least share.)
SAID = ((3.0, 0.7), (1.8, 0.85))
#: A code, letters and then digits, that the passage holds is no accident; `identified` sees to it that it does.
_CODE = re.compile(r"[a-z]{1,5}[-_]\d{2,6}")
#: What speaks for a section that says the question in other words: a cosine that is high, and clearly above those of
#: other pages. Off the subject, and with the answering page taken away, few of two handbooks' questions have both.
MEANT, MEANT_LEAD = 0.42, 0.14
#: … or its own heading agrees with the question: the share of either that the other says, and the least cosine then.
HEADED, HEADED_COSINE = 0.5, 0.35
#: … or, where nothing is known of meaning, the shares of the heading that is asked for and of the question that no
#: other page says, and the weight of the words that are found.
SHARED_HEADING, SHARED_AHEAD, SHARED_SAID = 0.4, 0.3, 1.0
#: Passages among which the best one's page is counted.
_NEAR = 4


@dataclass(frozen=True)
class Signs:
    """What speaks for an answer, each 0..1."""

    words: float  # share of the question's words in title, headings and text of the best passage
    headings: float  # … in title and headings alone
    cosine: float  # of the best passage
    lead: float  # how far its cosine is above that of the best other page
    ahead: float  # how far its share of words is above that of the best other page
    names: float  # 1 when every name and identifier of the question is there
    shape: float  # 1 when the passage holds what is asked for: a time, an amount, a person
    page: float  # share of the best few passages that are of the same page
    agreed: float  # 1 when search put the same passage first
    piece: float  # share of the question's words in the one sentence, row or item that holds most
    clear: float = 0.0  # how far that is above the nearest one of any other section
    lacking: float = 0.0  # share of the things asked about that the best passage does not name
    said: float = 0.0  # how many of the question's words it holds, 1 from about three on
    length: float = 0.0  # how many words the question has, 1 from about four on: the longer, the more is only a story
    halves: float = 0.0  # 1 when it names one word only of two that make one thing


@dataclass(frozen=True)
class _Weights:
    words: float
    headings: float
    cosine: float
    lead: float
    ahead: float
    names: float
    shape: float
    page: float
    agreed: float
    piece: float
    base: float
    clear: float = 0.0
    lacking: float = 0.0
    said: float = 0.0
    length: float = 0.0
    halves: float = 0.0
    least: float = LEAST  # from where on it is safe to answer

    def likelihood(self, signs: Signs) -> float:
        """Return how likely the passages answer the question."""
        total = self.base + sum(
            getattr(self, name) * value  # the two classes name the same things
            for name, value in vars(signs).items()
        )
        return 1 / (1 + math.exp(-total))


#: With the dense leg, by words alone, and Chinese (which has words alone).
_DENSE = _Weights(
    words=2.61,
    headings=0.0,
    cosine=10.17,
    lead=7.2,
    ahead=0.0,
    names=1.38,
    shape=0.58,
    page=0.0,
    agreed=0.0,
    piece=0.0,
    clear=2.46,
    lacking=-1.7,
    said=2.54,
    halves=-1.5,
    base=-7.5,
    least=0.63,
)
_WORDS = _Weights(1.79, 3.33, 0.0, 0.0, 2.02, 1.05, 1.23, 0.2, 0.96, 0.32, base=-5.57)
_CHINESE = _Weights(
    words=2.02,
    headings=2.84,
    cosine=0.0,
    lead=0.0,
    ahead=0.0,
    names=0.0,
    shape=0.0,
    page=1.21,
    agreed=0.0,
    piece=4.59,
    said=2.85,
    length=2.78,
    base=-7.44,
    least=0.65,
)


@dataclass(frozen=True)
class Sufficiency:
    """How likely the passages answer the question, and whether that is enough."""

    likelihood: float
    enough: bool


def judge(question: Question, ranked: Sequence[Ranked], *, least: float = LEAST) -> Sufficiency:
    """Return whether the best passage supports an answer."""
    if not ranked or question.weight <= 0 or ranked[0].passage.is_navigation:
        return Sufficiency(likelihood=0.0, enough=False)
    best = ranked[0]
    signs = _signs(question, ranked)
    weights = _weights(question, best)
    likelihood, least = weights.likelihood(signs), max(least, weights.least)
    identified = all(not term.exact for term in question.missing(best.whole))
    if question.language == "zh":  # whose weights give names no weight of their own
        identified = identified and signs.names > 0
    share = min(signs.piece, best.passage.coverage)
    believed = likelihood >= SURE or likely(question, ranked) >= UNLIKELY
    said = any(question.weight >= weight and share >= least for weight, least in SAID)
    coded = any(term.exact and _CODE.fullmatch(term.word) for term in question.terms)
    computed = from_table(question, best.passage.pieces) is not None
    return Sufficiency(
        likelihood=likelihood, enough=identified and (coded or computed or (believed and (said or likelihood >= least)))
    )


def is_meant(question: Question, ranked: Sequence[Ranked]) -> bool:
    """Tell whether the best passage says in other words what is asked, though too few of its words to be sure of it.

    It stands clearly before all other pages in meaning, or its own heading agrees with the question. The judge calls
    what is shown of it unsure.
    """
    if (
        not ranked
        or question.weight < 1.0
        or ranked[0].passage.is_navigation
        or is_foreign_page(question, ranked[0].passage)
    ):
        return False
    signs, asked = _signs(question, ranked), own_heading(question, ranked[0].passage)
    if any(term.exact for term in question.missing(ranked[0].whole)):
        return False
    if ranked[0].passage.cosine is None:
        said, ahead = question.found_weight(ranked[0].whole), signs.ahead
        return asked >= SHARED_HEADING and said >= SHARED_SAID and ahead >= SHARED_AHEAD
    near = signs.cosine >= MEANT and signs.lead >= MEANT_LEAD
    return near or (min(asked, signs.headings, signs.words) >= HEADED and signs.cosine >= HEADED_COSINE)


def _weights(question: Question, best: Ranked) -> _Weights:
    if question.language == "zh":
        return _CHINESE
    return _WORDS if best.passage.cosine is None else _DENSE


def _signs(question: Question, ranked: Sequence[Ranked]) -> Signs:
    best = ranked[0]
    others = [item for item in ranked if item.passage.source != best.passage.source]
    cosine = best.passage.cosine or 0.0
    other_cosines = [item.passage.cosine for item in others if item.passage.cosine is not None]
    other_words = [item.coverage for item in others]
    near = sorted(ranked, key=lambda item: item.order)[:_NEAR]
    return Signs(
        words=best.coverage,
        headings=best.heading,
        cosine=cosine,
        lead=cosine - max(other_cosines) if other_cosines and cosine else 0.0,
        ahead=best.coverage - max(other_words, default=0.0),
        names=float(not any(term.weight > 1.2 for term in question.missing(best.whole))),
        shape=satisfies(question, best.passage),
        page=sum(item.passage.source == best.passage.source for item in near) / _NEAR,
        agreed=float(best.order == 0),
        piece=best.best_piece,
        clear=cosine - max((item.passage.cosine or 0.0 for item in ranked if _elsewhere(best, item)), default=0.0),
        lacking=question.lacking(best.whole),
        said=min(1.0, question.found_weight(best.whole) / 3),
        length=min(1.0, question.weight / 4),
        halves=float(question.halves(best.whole)),
    )


def _elsewhere(best: Ranked, item: Ranked) -> bool:
    return (item.passage.source, item.passage.section) != (best.passage.source, best.passage.section)
