"""Which of the found passages answers: their order for one question, with what speaks for each."""

from collections import Counter
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


#: What the search's own score is worth, one heading that agrees with the question, title and heading that do together,
#: the share of what was found that is of the page, and the piece that says most of the question. Over questions as
#: people ask them of a documentation, in English and Chinese, the best passage was of the right page in 62 of 100 by
#: the search's order alone, in 71 with these.
_SEARCH, _HEADING, _HEADINGS, _PAGE, _PIECE = 10.0, 1.0, 2.0, 2.0, 2.0
#: What a passage is worth that holds the code that is asked about; without it, it cannot answer.
_EXACT = 4.0
#: What the likeness in meaning is worth: words alone take "Slow connections" for "How do I connect?".
_MEANING = 4.0
#: What numbered steps are worth to who asks how something is done.
_STEPS = 1.0
#: Orders that are kept.
KEPT = 8
#: A page in another language, and one that only leads elsewhere, answer last.
_FOREIGN, _NAVIGATION = -3.0, -2.0
#: The opening of a page, which says what the page is about, where one of its sections holds the steps or the value.
_OPENING = -4.0


def rank(question: Question, passages: Sequence[Passage]) -> tuple[Ranked, ...]:
    """Order the passages by how well they answer; those in the question's language go before the others.

    The newest orders are kept: who judges how sure an answer is asks for the one that it was chosen from.
    """
    return _in_order(question, tuple(passages))


@lru_cache(maxsize=KEPT)
def _in_order(question: Question, passages: tuple[Passage, ...]) -> tuple[Ranked, ...]:
    pages = Counter(passage.source for passage in passages)
    told = {passage.source for passage in passages if passage.path[1:] and _tells(question, passage)}
    scored = [
        _ranked(
            question,
            passage,
            order,
            page=pages[passage.source] / len(passages),
            opens=passage.source in told and not passage.path[1:] and not _tells(question, passage),
        )
        for order, passage in enumerate(passages)
    ]
    return tuple(sorted(scored, key=lambda ranked: -ranked.fit))


def _ranked(question: Question, passage: Passage, order: int, *, page: float, opens: bool) -> Ranked:
    """Return a passage with its fit; `page` is the share of what was found that is of its page.

    `opens`: it is only the opening of a page of which another section holds what is asked for.
    """
    columns = " ".join(dict.fromkeys(spelled(piece.header) for piece in passage.pieces))
    whole = Text.of(passage.title, passage.section, passage.text, columns)
    headings = Text.of(passage.title, passage.section)
    below = Text.of(passage.heading)
    best = max((overlap(question, piece, headings, below=below) for piece in passage.pieces), default=0.0)
    parts = (
        _SEARCH * passage.score,
        _HEADING * max(agreement(question, heading) for heading in (passage.title, *passage.path)),
        _HEADINGS * agreement(question, f"{passage.title} {passage.heading}"),
        _PAGE * page,
        _PIECE * best,
        _EXACT * _exact(question, whole),
        _MEANING * (passage.cosine or 0.0),
        _STEPS if Wanted.STEPS in question.wanted and has_steps(passage) else 0.0,
        _FOREIGN if is_foreign_page(question, passage) else 0.0,
        _NAVIGATION if passage.is_navigation else 0.0,
        _OPENING if opens else 0.0,
    )
    return Ranked(passage, order, sum(parts), question.coverage(whole), question.coverage(headings), best, whole)


def agreement(question: Question, heading: str) -> float:
    """Return how far (0..1) a heading and a question say the same: neither lacks, nor adds, much."""
    asked = Question.of(heading, question.language)
    precise = asked.coverage(Text.of(question.text)) if asked.weight else 0.0
    complete = question.coverage(Text.of(heading))
    return 2 * precise * complete / (precise + complete) if precise + complete else 0.0


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


def _tells(question: Question, passage: Passage) -> bool:
    """Tell whether a passage holds the steps or the kind of value that is asked for; False when nothing is."""
    if Wanted.STEPS in question.wanted:
        return has_steps(passage)
    return question.wants_one_fact and satisfies(question, passage) >= 1


def own_heading(question: Question, passage: Passage) -> float:
    """Return how much of the section's own heading the question says: 1 for a heading that is asked word for word."""
    heading = Question.of(passage.heading, question.language)
    return heading.coverage(Text.of(question.text)) if heading.weight else 0.0


def is_foreign_page(question: Question, passage: Passage) -> bool:
    """Tell whether a passage is in another language than the question."""
    return (passage.language or ("zh" if is_chinese(passage.text) else "en")) != question.language


def has_steps(passage: Passage) -> bool:
    """Return whether the passage holds numbered steps."""
    return sum(piece.ordered for piece in passage.pieces) >= 2


def overlap(question: Question, piece: Piece, headings: Text, *, below: Text | None = None) -> float:
    """Return the share of the question that a piece says itself; what the headings say counts for a third.

    What it stands `below`, its section's own heading, is as good as said.
    """
    header = Text.of(f"{piece.header} {spelled(piece.header)}") if piece.header else Text.of()
    own = Text.of(piece.text).joined_with(header, *([below] if below else []))
    both = own.joined_with(headings)
    said = question.coverage(own)
    return said + (question.coverage(both) - said) / 3
