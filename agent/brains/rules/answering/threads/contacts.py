"""How to reach whom a thread has named, and whom to call about what it speaks of.

An address is given only where it stands in the section in question, or beside the name of somebody whom the thread has
named: anybody else's would be taken for theirs.
"""

import re
from collections.abc import Iterator, Sequence

from agent.brains.output import Abstain
from agent.brains.rules.answering.extractive import in_short, with_company
from agent.brains.rules.answering.passages import Passage, Piece, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.threads.asking_on import CITED, holds_answer
from agent.brains.rules.answering.threads.going_on import Answering
from agent.brains.rules.understanding.message import GoingOn
from language.sentences import cells_of
from language.words import normalise

#: The share of a name that the thread must have said, and the least weight of what it said of it.
NAMED, NAMED_WEIGHT = 0.75, 0.9
_MAIL = re.compile(r"\S@\S")
_PHONE = re.compile(
    r"\+?\d[\d -]{4,24}\d|\b(?:ext(?:ension)?\.?|call|ring|dial|phone|number)\b[^.\n]{0,16}\b\d{3,5}\b"
    r"|(?:分机|电话|拨打?|打|号码)[^。\n]{0,6}\d{3,5}|[(（]\d{3,5}[)）]"
)
_ANY = re.compile(rf"{_MAIL.pattern}|{_PHONE.pattern}|#[a-z]")
#: A sentence that names whom to ask, the longest that is quoted, and a heading over nothing else.
_ASKED = re.compile(
    rf"\b(?:ask|questions?|contact|write|call|ring|turn|tell|talk|speak|see)\b[^.]{{0,80}}(?:{_ANY.pattern})"
    r"|(?:问|联系|找|咨询|请教)(?:[^。]{0,40}(?:\d{3,5}|@)|\S{2,12})"
)
LONGEST = 300
_ABOUT_CONTACTS = re.compile(r"contact|question|who to ask|whom to ask|help|联系|咨询|找谁|问谁", re.IGNORECASE)
_ASKS_MAIL = re.compile(r"mail|\bwrite\b|邮箱|邮件")
_ASKS_PHONE = re.compile(
    r"\b(?:phone|telephone|call|ring|number|extension|mobile|dial)\b|电话|分机|号码|手机|打给|打哪"
)
#: What parts the name of somebody from what else stands beside it.
_PARTS = re.compile(r"[,;:()（），；：、。]|\.(?= )| - | – ")


def answer_contact(
    more: GoingOn, language: str, page: Sequence[Passage], passages: Sequence[Passage] = ()
) -> Answering | None:
    """Return how to reach whom the thread speaks of, from the cited page or from others; None where it is open.

    The section that was cited goes first, then the row or the sentence that names them with a number or an address.
    """
    plain = normalise(more.text)
    kind = _MAIL if _ASKS_MAIL.search(plain) else _PHONE if _ASKS_PHONE.search(plain) else _ANY
    answered = CITED.sub("", more.before.answered if more.before else "")
    cited = [each for each in page if holds_answer(each, answered)]
    told = Text.of(answered, *(each.heading for each in cited), *(each.text for each in cited), more.subject)
    just_told = Text.of(answered)
    best: tuple[float, Passage, int] | None = None
    for passage in (*cited, *(each for each in (*page, *passages) if each not in cited)):
        for at, piece in enumerate(passage.pieces):
            if not kind.search(_with_columns(piece)):
                continue
            here = passage in cited and not (more.reaches and len(cited) > 1)
            named = max((_named(one, told, just_told, language) for one in _names(piece, passage)), default=0.0)
            score = named + here
            if score > (best[0] if best else 0.0):
                best = (score, passage, at)
    if best is None:
        return None
    question = Question.of(more.whole, language)
    return question, rank(question, [best[1]]), (with_company(question, best[1], best[2:]),)


def whom_to_ask(page: Sequence[Passage], answered: str) -> Abstain:
    """Say that a page holds no answer, with the sentence of it that names whom to ask.

    One of the section that was cited goes first, then of one that is about nothing else.
    """
    cited = [each for each in page if holds_answer(each, answered)]
    others = [each for each in page if _ABOUT_CONTACTS.search(each.heading)]
    for passage in (*cited, *others):
        for piece in passage.pieces:
            if piece.kind is not PieceKind.ROW and len(piece.text) <= LONGEST and _ASKED.search(normalise(piece.text)):
                return Abstain(look_in=passage.evidence, ask=piece.text)
    return Abstain(look_in=page[0].evidence)


def list_of_contacts(more: GoingOn, language: str, passages: Sequence[Passage]) -> Answering | None:
    """Return the first section that is headed as one about whom to ask and holds numbers or addresses."""
    for passage in passages:
        headed = _ABOUT_CONTACTS.search(f"{passage.title} {passage.heading}")
        if headed and any(_ANY.search(_with_columns(piece)) for piece in passage.pieces):
            question = Question.of(more.whole, language)
            return question, rank(question, [passage]), (in_short(question, passage),)
    return None


def _with_columns(piece: Piece) -> str:
    """Return the text of a piece, each cell of a row behind the name of its column: 4410 alone may be a room."""
    if piece.kind is not PieceKind.ROW:
        return normalise(piece.text)
    columns = cells_of(piece.header.partition("\n")[0])
    return normalise(
        "\n".join(f"{column}: {cell}" for column, cell in zip(columns, cells_of(piece.text), strict=False))
    )


def _names(piece: Piece, passage: Passage) -> Iterator[str]:
    """Yield what may be the name of whom an address belongs to: cells, or what stands before it; else the heading."""
    if piece.kind is PieceKind.ROW:
        for cell in cells_of(piece.text):
            yield from (cell, *_PARTS.split(cell))
        return
    before = piece.text[: found.start()] if (found := _ANY.search(piece.text)) else piece.text
    yield from _PARTS.split(before)
    yield passage.heading


def _named(name: str, told: Text, just_told: Text, language: str) -> float:
    """Return how surely the thread has said a name, 0 for not; the answer before counts more than the rest."""
    question = Question.of(_ANY.sub(" ", name), language)
    if question.coverage(told) < NAMED or question.found_weight(told) < NAMED_WEIGHT:
        return 0.0
    return 0.5 * question.coverage(told) + 0.5 * question.coverage(just_told) + 0.05 * question.weight
