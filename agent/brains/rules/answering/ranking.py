"""Which of the found passages answers: their order for one question, with what speaks for each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.brains.rules.answering.passages import Passage, Piece, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.shapes import SHAPES
from agent.brains.rules.answering.tables import spelled
from agent.brains.rules.answering.wanted import Wanted
from language.scripts import is_chinese
from language.words import normalise


@dataclass(frozen=True)
class Ranked:
    """A passage with how well it fits the question, beside what search thought."""

    passage: Passage
    order: int  # its place in the search result
    fit: float  # only ranks; a difference of one makes one passage about three times as likely as the other
    coverage: float  # share of the question's words in title, headings and text, synonyms included
    heading: float  # share of the question's words in title and headings alone
    best_piece: float
    whole: Text


@dataclass(frozen=True)
class _Fit:
    """What each sign of a passage is worth when the passages of one search are compared.

    Fitted by a softmax over the hits of questions whose section is known: documentation headings in English and
    Chinese, paraphrases of a question-and-answer set, questions of our own; not those of the evaluation.
    """

    score: float
    search_coverage: float
    coverage: float
    heading: float
    own_heading: float
    asked_heading: float
    cosine: float
    piece: float
    shape: float
    root: float
    closest: float = 0.0
    steps: float = 1.2
    satisfied: float = 0.4


_FIT = {
    "en": _Fit(2.0, 0.0, 3.0, 2.4, 0.4, 0.0, 4.9, 0.5, 0.15, root=-1.9, closest=4.4, steps=0.6, satisfied=0.6),
    "zh": _Fit(1.4, 1.4, 4.7, 2.25, 0.7, 1.5, 0.0, 1.95, 0.0, root=-1.3, steps=0.3, satisfied=0.2),
}
#: Who asks what a thing is gets the page's introduction as gladly as a section.
_DEFINES = re.compile(
    r"^\s*what(?:'?s| is| are) (?!the\b|my\b|our\b)[\w' -]++\??\s*$|什么是|是什么[?？]?\s*$", re.IGNORECASE
)
#: What a passage is worth that holds the code that is asked about; without it, it cannot answer.
_EXACT = 4.0
#: Orders that are kept.
KEPT = 8
#: A page in another language, and one that only leads elsewhere, answer last.
_FOREIGN, _NAVIGATION = -3.0, -2.0


def rank(question: Question, passages: Sequence[Passage]) -> tuple[Ranked, ...]:
    """Order the passages by how well they answer; those in the question's language go before the others.

    The newest orders are kept: who judges how sure an answer is asks for the one that it was chosen from.
    """
    return _in_order(question, tuple(passages))


@lru_cache(maxsize=KEPT)
def _in_order(question: Question, passages: tuple[Passage, ...]) -> tuple[Ranked, ...]:
    top = max((passage.score for passage in passages), default=1.0) or 1.0
    scored = [_ranked(question, passage, order, top) for order, passage in enumerate(passages)]
    return tuple(sorted(scored, key=lambda ranked: -ranked.fit))


def _ranked(question: Question, passage: Passage, order: int, top: float) -> Ranked:
    columns = " ".join(dict.fromkeys(spelled(piece.header) for piece in passage.pieces))
    whole = Text.of(passage.title, passage.section, passage.text, columns)
    headings = Text.of(passage.title, passage.section)
    coverage, heading = question.coverage(whole), question.coverage(headings)
    below = Text.of(passage.heading) if len(passage.path) > 1 else Text.of()
    best = max((overlap(question, piece, headings, below=below) for piece in passage.pieces), default=0.0)
    weights = _FIT.get(question.language, _FIT["en"])
    parts = (
        weights.score * passage.score / top,
        weights.search_coverage * passage.coverage,
        weights.coverage * coverage,
        weights.heading * heading,
        weights.own_heading * question.coverage(Text.of(passage.heading)),
        weights.asked_heading * own_heading(question, passage),
        weights.cosine * (passage.cosine or 0.0),
        weights.closest * (passage.closest if passage.closest is not None else passage.cosine or 0.0),
        weights.piece * best,
        weights.shape * _shape_bonus(question, passage),
        weights.steps * (Wanted.STEPS in question.wanted and has_steps(passage)),
        weights.satisfied * satisfies(question, passage),
        weights.root * (len(passage.path) <= 1 and not _DEFINES.search(question.text)),
        _EXACT * _exact(question, whole),
        0.0 if _same_language(question, passage) else _FOREIGN,
        _NAVIGATION if passage.is_navigation else 0.0,
    )
    return Ranked(passage, order, sum(parts), coverage, heading, best, whole)


def _exact(question: Question, whole: Text) -> float:
    """Return the share of the question's codes and identifiers that the passage holds."""
    exact = [term for term in question.terms if term.exact]
    return sum(question.match(term, whole) for term in exact) / len(exact) if exact else 0.0


def satisfies(question: Question, passage: Passage) -> float:
    """Return 1 when the passage holds what kind of thing is asked for, 0 when not, a half when nothing is."""
    if Wanted.COMMAND in question.wanted:
        return float(any(piece.kind is PieceKind.CODE for piece in passage.pieces))
    wanted = [pattern for kind, pattern, _ in SHAPES if kind in question.wanted]
    plain = normalise(passage.text)
    return float(all(pattern.search(plain) for pattern in wanted)) if wanted else 0.5


def own_heading(question: Question, passage: Passage) -> float:
    """Return how much of the section's own heading the question says: 1 for a heading that is asked word for word."""
    heading = Question.of(passage.heading, question.language)
    return heading.coverage(Text.of(question.text)) if heading.weight else 0.0


def _same_language(question: Question, passage: Passage) -> bool:
    language = passage.language or ("zh" if is_chinese(passage.text) else "en")
    return language == question.language


def has_steps(passage: Passage) -> bool:
    """Return whether the passage holds numbered steps."""
    return sum(piece.ordered for piece in passage.pieces) >= 2


def _shape_bonus(question: Question, passage: Passage) -> float:
    kinds = {piece.kind for piece in passage.pieces}
    if Wanted.COMMAND in question.wanted and PieceKind.CODE in kinds:
        return 1.0
    return 0.0


def overlap(question: Question, piece: Piece, headings: Text, *, below: Text | None = None) -> float:
    """Return the share of the question that a piece says itself; what the headings say counts for a third.

    What it stands `below`, its section's own heading, is as good as said.
    """
    header = Text.of(f"{piece.header} {spelled(piece.header)}") if piece.header else Text.of()
    own = Text.of(piece.text).joined_with(header, *([below] if below else []))
    both = own.joined_with(headings)
    said = question.coverage(own)
    return said + (question.coverage(both) - said) / 3
