"""How sure an answer is: the likelihood that what was found answers the words that were searched.

One judge for both languages, with and without vectors, whatever brain wrote the answer: `tests/calibration` grows it
over questions whose page can be read, the same ones with that page taken away, and questions off the subject.
What it returns is calibrated: of ten answers that it calls likely by nine tenths, nine are right.
"""

import re
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from agent.brains.rules.answering.certainty.forest import Forest
from agent.brains.rules.answering.certainty.signs import signs_of
from agent.brains.rules.answering.passages import passages_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import Ranked, rank
from agent.brains.rules.answering.shapes import counts
from agent.brains.rules.answering.tables import from_table
from language.words import normalise

WEIGHTS = Path(__file__).with_name("forest.json")
#: What a table says whose column and rows the question names: the words around them hardly matter.
COMPUTED = 0.8
#: … as long as it is of the same subject: the least share of the question's words.
COMPUTED_WORDS = 0.3
#: Somebody under age who is spoken of, and what a rule for some ages speaks of.
_UNDER_AGE = re.compile(
    r"\b1[3-7][ -]?(?:years?[ -]?olds?|yr[ -]?olds?|yo\b|y/o\b)|"
    r"(?:\b(?:is|are|am|im|hes|shes|aged?|only|just|turned)|'s|'m|'re) 1[3-7]"
    r"(?=\s?(?:[,.!?;)]|$)|,? (?:and|so|but|can|may)\b)|"
    r"\b(?:under|below) (?:18|eighteen|age)\b(?! ?%)|\bunder-?aged?\b|\bminors\b|\ba minor(?=\s?(?:[,.!?;)]|$))|"
    r"(?<!\d)1[3-7] ?周?岁|十[三四五六七]周?岁|未成年|[未不]满(?:18|十八)"
)
#: … at home, and not at work.
_OWN_CHILD = re.compile(r"\bmy 1[3-7]\b|\b(?:son|daughter|child|kid|niece|nephew)\b|孩子|儿子|女儿")
_AGE = re.compile(
    r"\b(?:ages?|aged|minors?|under-?aged?|juveniles?|young (?:people|persons?|workers?|staff)|years? old|of age)\b|"
    r"\b(?:under|over|below|above|from|turn\w*|least) (?:1[3-9]|2[0-5]|eighteen|twenty-?one)"
    r"(?!\d| ?(?:%|m\b|metres?|kg|km|:))|"
    r"岁|成年|[未不]满(?:1\d|十)"
)
#: Read with the module, never on the event loop: 13 kB.
_FOREST = Forest.read(WEIGHTS)


def how_likely(query: str, language: str, content: Any) -> tuple[str, float]:
    """Return the evidence of the best passage that a search gave, and how likely it answers what was searched."""
    question = Question.of(query, language)
    ranked = rank(question, passages_of(content))
    return ranked[0].passage.evidence if ranked else "", likelihood(question, ranked)


def likelihood(question: Question, ranked: Sequence[Ranked]) -> float:
    """Return how likely the best passage answers; a page of links never does."""
    if not ranked or question.weight <= 0 or ranked[0].passage.is_navigation:
        return 0.0
    judged = _FOREST.likelihood(astuple(signs_of(question, ranked)))
    computed = ranked[0].coverage >= COMPUTED_WORDS and from_table(question, ranked[0].passage.pieces) is not None
    return max(judged, COMPUTED) if computed else judged


def lacks_age(query: str, answer: str) -> bool:
    """Tell whether a question is about somebody under age and its answer says nothing of any age.

    What holds for everybody may be forbidden to them, on a page that was not found.
    """
    asked, said = normalise(query).lower(), normalise(answer).lower()
    if _UNDER_AGE.search(asked) is None or _OWN_CHILD.search(asked):
        return False
    return _AGE.search(said) is None


def holds_number(query: str, language: str, answer: str) -> bool:
    """Tell whether an answer holds a number or a time where the question asks for one; True where it does not."""
    return counts(normalise(answer), Question.of(query, language).wanted)
