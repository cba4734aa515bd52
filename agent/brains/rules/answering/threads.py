"""Answers to what goes on with a thread: "and for meals?", "what happens if I don't?", 怎么申请.

The page that was cited last is looked at first: where one of its sections speaks of what is new in the question, that
section answers. A question that names nothing new is answered from the section that was cited, by what it asks for.
What is new must be spoken of: the answer to the question before is no answer to this one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.brains.rules.answering.extractive import Chosen, choose
from agent.brains.rules.answering.passages import Passage, Piece
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, overlap, rank
from agent.brains.rules.answering.shapes import SHAPES
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.wanted import Wanted, wanted_by
from agent.brains.rules.understanding.message import GoingOn
from agent.tools.context import Turn
from language.word_tables import STOP_ENGLISH
from language.words import normalise, stem, stems

#: Share of what is new in the question that a section of the cited page must speak of, and any other passage.
NEW_HERE, NEW_ELSEWHERE = 0.75, 0.6
#: How much less a section of the cited page may fit and still go before all others.
NEARLY = 1.5
#: The least weight of words that name something.
NAMED = 0.5
#: What leads on to something else, and says nothing itself.
_LEAD = re.compile(r"^(?:那么?|还有|另外|如果是|要是|换成|同样|以及)|[呢吗么]$")
#: Stems of words that say nothing; of the deeds among them a heading may speak.
_EMPTY = frozenset(map(stem, STOP_ENGLISH - {"ask", "give", "help", "keep", "make", "take", "tell", "use"}))
#: Words that ask for no kind of answer.
_ANYTHING = "?"
#: Shortest sentence, in characters, by which a section is known again.
_TELLING = 12
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\|")
#: Who asks what comes of not doing it.
_OTHERWISE_ASKED = re.compile(
    r"\b(?:if|when) (?:i|we|you|they|he|she|somebody|someone) (?:do|does|did|can|could|will|am|have)(?: not|n't)\b"
    r"|\bif not\b|\botherwise\b|不(?:这样|这么)?(?:做|办|交|还|提交|申请)?(?:会怎么样|会怎样|怎么办|的话)|否则"
)
_OTHERWISE = re.compile(
    r"\b(?:not|never|otherwise|without|unless|late|later|after that|or else|fails?|lapses?)\b|n't\b"
    r"|未|否则|逾期|不(?!仅|但|过)|没有|超过|过期|失效"
)


def answer_in_thread(
    more: GoingOn, language: str, passages: Sequence[Passage], *, least: float
) -> tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]] | None:
    """Return what answers, with the question as it was read and its passages; None where nothing does."""
    wording = more.text if _says_kind(more.text) else more.subject
    named = _LEAD.sub("", normalise(more.text).rstrip(" ?？。!！")) if language == "zh" else more.text
    new, whole = Question.of(named, language, wording=wording), Question.of(more.whole, language, wording=wording)
    here = [passage for passage in passages if _is_cited(passage, more.before)]
    if new.weight < NAMED:
        return _from_cited(more, whole, here)
    question = whole if more.points else new
    if spoken := [passage for passage in here if _speaks_of(new, passage) >= NEW_HERE]:
        ranked = rank(question, spoken)
        figure = wording == more.text and new.wanted & {Wanted.TIME, Wanted.AMOUNT}
        if not figure and new.coverage(Text.of(ranked[0].passage.heading)) >= NEW_HERE:
            question = replace(question, wording=_ANYTHING)  # its heading is what is asked: all that stands below
        return question, ranked, choose(question, ranked)
    subject = Question.of(more.subject, language)
    elsewhere = [passage for passage in passages if _speaks_of(new, passage) >= NEW_ELSEWHERE]
    if more.points:
        elsewhere = [passage for passage in elsewhere if subject.coverage(_all_of(passage)) >= NEW_ELSEWHERE]
    for asked in (question, whole):
        ranked = rank(asked, elsewhere)
        if judge(asked, ranked, least=least).enough:
            return asked, ranked, choose(asked, ranked)
    return None


def nearest(question: Question, ranked: Sequence[Ranked], before: Turn) -> tuple[Ranked, ...]:
    """Return the passages with those of the page that was cited last first, where they fit nearly as well."""
    here = [item for item in ranked if _is_cited(item.passage, before) and item.fit >= ranked[0].fit - NEARLY]
    first = [item for item in here if _speaks_of(question, item.passage) >= NEW_ELSEWHERE]
    return (*first, *(item for item in ranked if item not in first))


def _is_cited(passage: Passage, before: Turn | None) -> bool:
    """Tell whether the answer before rests on this page."""
    return before is not None and any(page.endswith(f":{passage.source}") for page in before.pages)


def _all_of(passage: Passage) -> Text:
    return Text.of(passage.title, passage.section, passage.text)


def _says_kind(text: str) -> bool:
    return Wanted.ANY not in wanted_by(normalise(text))


def _holds(passage: Passage, answered: str) -> bool:
    """Tell whether the passage holds a sentence of the answer."""
    text = _flat(passage.before + passage.text + passage.after)
    told = (_flat(each) for each in _SENTENCE_ENDS.split(answered))
    return any(len(each) >= _TELLING and each in text for each in told)


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[*_`#|>]+", " ", normalise(text)).split()).strip(" .。;；")


def _speaks_of(new: Question, passage: Passage) -> float:
    """Return the share of what is new that one place of the passage says: its own heading, or a piece of it."""
    heading = Text.of(passage.heading)
    return max(
        (new.coverage(Text.of(heading.plain, piece.header, piece.text)) for piece in passage.pieces), default=0.0
    )


def _from_cited(
    more: GoingOn, whole: Question, here: Sequence[Passage]
) -> tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]] | None:
    """Answer what names nothing new from the page that was cited; None where it holds nothing of the kind.

    A section whose heading is asked in other words goes first ("how do I ask for it?": Asking for leave), then what
    was cited, by what an answer must look like.
    """
    said = stems(more.text) - _EMPTY
    if headed := [passage for passage in here if said & stems(passage.heading)]:
        ranked = rank(whole, headed)
        return whole, ranked, choose(replace(whole, wording=_ANYTHING), ranked)
    shape = _shape(more.text)
    answered = more.before.answered if more.before else ""
    first = sorted(rank(whole, here), key=lambda ranked: not _holds(ranked.passage, answered))
    for item in first if shape else ():
        piece = _best_piece(whole, item, shape)
        if piece is not None:
            text = f"{piece.header}\n{piece.text}" if piece.header else piece.text
            return whole, (item,), (Chosen(text, item.passage.evidence),)
    return None


def _shape(text: str) -> tuple[re.Pattern[str], ...]:
    """Return what an answer must look like; nothing where the question does not say."""
    plain = normalise(text)
    if _OTHERWISE_ASKED.search(plain):
        return (_OTHERWISE,)
    wanted = wanted_by(plain) - {Wanted.PERMISSION}  # nearly every sentence allows, forbids or needs something
    return tuple(pattern for kind, pattern, _ in SHAPES if kind in wanted)


def _best_piece(question: Question, ranked: Ranked, shape: Sequence[re.Pattern[str]]) -> Piece | None:
    fitting = [
        piece for piece in ranked.passage.pieces if all(pattern.search(normalise(piece.text)) for pattern in shape)
    ]
    headings = Text.of(ranked.passage.title, ranked.passage.section)
    return max(fitting, key=lambda piece: overlap(question, piece, headings), default=None)
