"""What is shown of passages found for a question with its subject, where no place of a page surely answers it."""

from collections.abc import Sequence

from agent.brains.rules.answering.extractive import choose, in_short
from agent.brains.rules.answering.passages import Passage
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.threads.asking_on import holds_characters
from agent.brains.rules.answering.threads.going_on import Answering, answer_on_page, is_cited
from agent.brains.rules.understanding.message import GoingOn

#: The least likelihood of an answer on another page than the one cited before, and how much likelier it has to be.
ELSEWHERE, CLEARLY = 0.6, 0.15
#: The least weight of what a question names that may be a matter of its own.
LEAST_MATTER = 1.0
#: The share of what a short question names that the page cited before must speak of to be asked about it.
ON_PAGE = 0.6
#: … and of what is told beside a draft, to be shown what it says of that.
WITH_REPORT = 0.4


def likelier_elsewhere(
    more: GoingOn, language: str, found: Sequence[Passage], page: Sequence[Passage]
) -> Answering | None:
    """Return what another page than the one cited before clearly is likelier to answer; None where none is.

    It has to speak of what was asked before: a word that it shares with the follow-up alone leads nowhere.
    """
    question = Question.of(more.whole, language)
    ranked = rank(question, found)
    if not ranked or is_cited(ranked[0].passage, more.before) or (more.before and more.points):
        return None
    best = ranked[0].passage
    if not Question.of(more.subject, language).coverage(Text.of(best.title, best.heading, best.text)):
        return None
    likely = judge(question, ranked).likelihood
    here = judge(question, rank(question, page)).likelihood if page else 0.0
    if likely < max(ELSEWHERE, here + CLEARLY):
        return None
    return question, ranked, choose(question, ranked)


def nearest_of_cited(more: GoingOn, language: str, found: Sequence[Passage]) -> Answering | None:
    """Return the section that comes nearest where it is of the page cited before; None where another page does."""
    question = Question.of(more.whole, language)
    ranked = rank(question, found)
    if not ranked or not is_cited(ranked[0].passage, more.before):
        return None
    return question, ranked, (in_short(question, ranked[0].passage),)


def said_on(question: Question, page: Sequence[Passage]) -> float:
    """Return the share of what a message names that a page speaks of; all where it names next to nothing."""
    if question.weight < LEAST_MATTER:
        return 1.0
    said = question.coverage(Text.of(*(text for each in page for text in (each.title, each.section, each.text))))
    if said >= ON_PAGE or question.language != "zh":
        return said
    pieces = (Text.of(piece.text) for each in page for piece in each.pieces)
    return 1.0 if any(holds_characters(question, each) for each in pieces) else said


def said_beside(more: GoingOn, question: Question, page: Sequence[Passage]) -> Answering | None:
    """Return what the page of the answer before says of what is told beside a draft; None where it names none of it."""
    if question.weight < LEAST_MATTER or said_on(question, page) < WITH_REPORT:
        return None
    return answer_on_page(more, question.language, page, strictly=True, perhaps=True)
