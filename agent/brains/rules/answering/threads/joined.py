"""What is shown of passages found for a question with its subject, where no place of a page surely answers it."""

from collections.abc import Sequence

from agent.brains.rules.answering.extractive import choose, in_short
from agent.brains.rules.answering.passages import Passage
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.threads.going_on import Answering, is_cited
from agent.brains.rules.understanding.message import GoingOn

#: The least likelihood of an answer on another page than the one cited before, and how much likelier it has to be.
ELSEWHERE, CLEARLY = 0.6, 0.15


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
