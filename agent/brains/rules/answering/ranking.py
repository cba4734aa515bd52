"""Which of the found passages answers: their order for one question, with what speaks for each."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.brains.rules.answering.audience import asks_for_oneself, is_for_others
from agent.brains.rules.answering.passages import Passage, Piece, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.shapes import RULE, SHAPES
from agent.brains.rules.answering.tables import from_table, spelled
from agent.brains.rules.answering.wanted import Wanted
from language.numbers.amounts import amounts_in
from language.numbers.ranges import holds
from language.scripts import is_chinese
from language.word_tables import STOP_ENGLISH
from language.words import normalise, stem, stems


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


def text_of(passage: Passage) -> Text:
    """Return title, headings and text of a passage as one."""
    return Text.of(passage.title, passage.section, passage.text)


#: What the search's own score is worth, one heading that agrees with the question, title and heading that do together,
#: the share of what was found that is of the page, the piece that says most of the question, and what all of the
#: passage says of it. Fitted to what people asked of 24 companies (1,272 questions, 1,146 with the section among those
#: found): it is first for 981, with weights fitted to the other companies alone for as many; before for 948.
_SEARCH, _HEADING, _HEADINGS, _PAGE, _PIECE, _WORDS = 3.0, 1.0, 2.0, 0.25, 1.5, 3.0
#: What a piece is worth that says most of the question and is of the kind that is asked for: a time, an amount.
_FACT = 2.25
#: What a passage is worth that holds the code that is asked about; without it, it cannot answer.
_EXACT = 8.0
#: What the likeness in meaning is worth: words alone take "Slow connections" for "How do I connect?".
_MEANING = 16.5
#: What numbered steps are worth to who asks how something is done, and a list to who asks which there are.
_STEPS, _LIST = 1.0, 1.0
#: What a table is worth that holds the row, or the count, that is asked for.
_TABLE = 0.5
#: What a piece is worth whose range holds the amount that is named: "below 4 °C" of "the water's at 3 degrees".
_HELD = 1.25
#: A page of another date is compared when its fit is this near: like headings and words tell the rest.
RIVAL = 4.0
#: The share of the best page's words that it must say, and that a newer one which counts otherwise must.
NEARLY_ALL, HALF = 0.9, 0.5
#: What two headings say of each other by chance, together: "Asking for leave" is no older "Parental leave".
BY_CHANCE = 1.0
#: The least that a piece says of a question whose value another page may tell otherwise, and the share of it there.
FACT, SAME_FACT = 0.8, 0.9
#: The share of its words that a section of a page in force says of one that it replaces, or the other way round.
SAME_TEXT = 0.4
#: Orders that are kept.
KEPT = 8
#: What a table is worth that rules nothing to who asks whether something may be: a price list forbids no treatment.
_RULES_NOTHING = -2.0
#: The weight of words by which a paragraph says more of a question than another one that adds nothing to it.
_MORE = 0.5
#: The weight of words up to which a heading names nothing, beside those that say nothing in any form.
LIGHT = 0.3
_STOP_STEMS = frozenset(map(stem, STOP_ENGLISH))
#: What naming both is worth to who compares two things.
_BOTH = 2.0
#: A page in another language, and one that only leads elsewhere, answer last.
_FOREIGN, _NAVIGATION = -3.0, -2.0
#: So does a section for people from outside, where staff ask for themselves.
_FOR_OTHERS = -3.0
#: So does a page that no longer holds, or does not hold yet.
_NOT_IN_FORCE = -1.5
#: What the edition of a year is worth to who names that year, and an edition of another year.
_EDITION, _OTHER_EDITION = 6.0, -3.0
#: What a heading of light words alone is worth that the question says: "Asking", "How much", 怎么领.
_LIGHT_HEADING = 2.5
#: The opening of a page or a section, which says what it is about, where a part of it holds the steps or the value:
#: for each grade by which the part tells more.
_OPENING = -2.0
#: … and where it says some of it itself: a part of "Expanding a claim" may be about what goes wrong with it.
_OPENING_TELLS = -1.0


def rank(question: Question, passages: Sequence[Passage]) -> tuple[Ranked, ...]:
    """Order the passages by how well they answer; those in the question's language go before the others.

    The newest orders are kept: who judges how sure an answer is asks for the one that it was chosen from.
    """
    return _in_order(question, tuple(passages))


@lru_cache(maxsize=KEPT)
def _in_order(question: Question, passages: tuple[Passage, ...]) -> tuple[Ranked, ...]:
    pages = Counter(passage.source for passage in passages)
    scored = [
        _ranked(
            question,
            passage,
            order,
            page=pages[passage.source] / len(passages),
            opening=_opening(question, passage, passages),
        )
        for order, passage in enumerate(passages)
    ]
    return tuple(sorted(scored, key=lambda ranked: -ranked.fit))


def _ranked(question: Question, passage: Passage, order: int, *, page: float, opening: float) -> Ranked:
    """Return a passage with its fit; `page` is the share of what was found that is of its page."""
    columns = " ".join(dict.fromkeys(spelled(piece.header) for piece in passage.pieces))
    whole = Text.of(passage.title, passage.section, passage.text, columns)
    headings = Text.of(passage.title, passage.section)
    below = Text.of(passage.heading)
    said = [overlap(question, piece, headings, below=below) for piece in passage.pieces]
    best = max(said, default=0.0)
    told = zip(said, passage.pieces, strict=True) if question.wants_one_fact else ()
    fact = max((each for each, piece in told if holds_kind(question, piece)), default=0.0)
    covered = question.coverage(whole)
    parts = (
        _SEARCH * passage.score,
        _HEADING * max(agreement(question, heading) for heading in (passage.title, *passage.path)),
        _HEADINGS * agreement(question, f"{passage.title} {passage.heading}"),
        _PAGE * page,
        _PIECE * best,
        _WORDS * covered,
        _FACT * fact,
        _EXACT * _exact(question, whole),
        _MEANING * (passage.cosine or 0.0),
        _STEPS if Wanted.STEPS in question.wanted and has_steps(passage) else 0.0,
        _LIST if question.asks_for_all and has_list(passage) else 0.0,
        _TABLE if from_table(question, passage.pieces) is not None else 0.0,
        _HELD * max((held_in(question, piece) for piece in passage.pieces), default=0.0),
        _RULES_NOTHING if question.asks_leave and _only_lists(passage) else 0.0,
        _BOTH * min((each.coverage(whole) for each in question.compared), default=0.0),
        _FOREIGN if is_foreign_page(question, passage) else 0.0,
        _NAVIGATION if passage.is_navigation else 0.0,
        _FOR_OTHERS if is_for_others(passage.heading) and asks_for_oneself(question.text) else 0.0,
        _LIGHT_HEADING if is_headed_lightly(question, passage.heading) else 0.0,
        _edition(question, passage),
        opening,
    )
    return Ranked(passage, order, sum(parts), covered, question.coverage(headings), best, whole)


def newest(question: Question, ranked: Sequence[Ranked]) -> tuple[Ranked, Ranked | None]:
    """Return the passage to follow, and one that says otherwise of the same where there is one: the older."""
    best = ranked[0]
    if question.years & best.passage.years:
        return best, None  # what held then is asked for
    if best.passage.not_in_force and (now := _replacing(best.passage, ranked)):
        return now, best
    for other in ranked[1:]:
        if _rivals(best, other) or _says_otherwise(question, best, other):
            swapped = other.passage.currency > best.passage.currency
            return (other, best) if swapped and best.passage.currency.decides(other.passage.currency) else (best, other)
    return best, None


def _says_otherwise(question: Question, best: Ranked, other: Ranked) -> bool:
    """Tell whether another page names another value for the one fact that is asked for, under whatever heading."""
    one, two = best.passage, other.passage
    counted = question.wants_one_fact and question.wanted & {Wanted.AMOUNT, Wanted.TIME}
    if not counted or one.source == two.source or one.own_language != two.own_language:
        return False
    if other.coverage < best.coverage:
        return False
    (said, fact), (against, rival) = _fact(question, best), _fact(question, other)
    if min(said, against) < FACT or against < SAME_FACT * said:
        return False
    return _count_otherwise(fact, rival)


def _count_otherwise(text: str, other: str) -> bool:
    """Tell whether two texts name different amounts of one unit."""
    ours, others = frozenset(amounts_in(text)), frozenset(amounts_in(other))
    units = {each.unit for each in ours} & {each.unit for each in others}
    return any(others.isdisjoint(each for each in ours if each.unit == unit) for unit in units)


def _fact(question: Question, item: Ranked) -> tuple[float, str]:
    """Return the piece of a passage that says most of the question and is of the kind asked for, and how much."""
    headings, below = Text.of(item.passage.title, item.passage.section), Text.of(item.passage.heading)
    facts = [
        (overlap(question, piece, headings, below=below), piece.text)
        for piece in item.passage.pieces
        if holds_kind(question, piece)
    ]
    return max(facts, default=(0.0, ""))


def _rivals(best: Ranked, other: Ranked) -> bool:
    """Tell whether two passages of different pages and dates speak of the same thing under like headings."""
    one, two = best.passage, other.passage
    if one.source == two.source or not one.currency.decides(two.currency):
        return False
    if one.own_language != two.own_language or not _alike(one.heading, two.heading):
        return False
    outdated = two.currency > one.currency and _count_otherwise(one.text, two.text)
    nearly, share = (2 * RIVAL, HALF) if outdated else (RIVAL, NEARLY_ALL)
    return other.fit >= best.fit - nearly and other.coverage >= share * best.coverage


def _replacing(older: Passage, ranked: Sequence[Ranked]) -> Ranked | None:
    """Return what says now what a passage said that no longer holds, under whatever heading: the likest of all."""
    alike = [(_same_text(item.passage, older), item) for item in ranked if _is_newer_edition(item.passage, older)]
    share, item = max(alike, key=lambda each: each[0], default=(0.0, None))
    return item if share >= SAME_TEXT else None


def _is_newer_edition(passage: Passage, older: Passage) -> bool:
    same_language = passage.own_language == older.own_language
    return same_language and not passage.not_in_force and _alike(passage.title, older.title)


def _same_text(passage: Passage, other: Passage) -> float:
    """Return how much (0..1) of the shorter text the other one says; tables with the same columns are the same one."""
    ours, theirs = ({piece.header for piece in each.pieces if piece.header} for each in (passage, other))
    if ours & theirs:
        return 1.0
    said, against = (stems(each.text) - _STOP_STEMS for each in (passage, other))
    return len(said & against) / (min(len(said), len(against)) or 1)


def _alike(heading: str, other: str) -> bool:
    language = "zh" if is_chinese(heading) else "en"
    one, two = Question.of(heading, language), Question.of(other, language)
    ours, theirs = one.coverage(Text.of(other)), two.coverage(Text.of(heading))
    return max(ours, theirs) >= HALF and ours + theirs > BY_CHANCE


def agreement(question: Question, heading: str) -> float:
    """Return how far (0..1) a heading and a question say the same: neither lacks, nor adds, much."""
    asked = Question.of(heading, question.language)
    precise = asked.coverage(Text.of(question.text)) if asked.weight else 0.0
    complete = question.coverage(Text.of(heading))
    return 2 * precise * complete / (precise + complete) if precise + complete else 0.0


def is_headed_lightly(question: Question, heading: str) -> bool:
    """Tell whether a heading names nothing, and all that it says is asked."""
    said = stems(heading)
    if not said or is_chinese(heading) or not said <= question.stems:
        return False
    names = (term for term in Question.of(heading, question.language).terms if term.stem not in _STOP_STEMS)
    return sum(term.weight for term in names) <= LIGHT


def _exact(question: Question, whole: Text) -> float:
    """Return the share of the question's codes and identifiers that the passage holds."""
    exact = [term for term in question.terms if term.exact]
    return sum(question.match(term, whole) for term in exact) / len(exact) if exact else 0.0


def satisfies(question: Question, passage: Passage) -> float:
    """Return 1 when the passage holds what kind of thing is asked for, 0 when not, a half when nothing is."""
    if Wanted.COMMAND in question.wanted:
        return float(any(piece.kind is PieceKind.CODE for piece in passage.pieces))
    wanted = [pattern for kind, pattern, _ in SHAPES if kind in question.wanted]
    wanted += [question.exactly] if question.exactly else []
    said = [piece.text for piece in passage.pieces if piece.kind is not PieceKind.CODE]
    plain = normalise("\n".join(said) or passage.text)
    return float(all(pattern.search(plain) for pattern in wanted)) if wanted else 0.5


def holds_kind(question: Question, piece: Piece) -> bool:
    """Tell whether a piece holds what kind of thing is asked for; True when nothing is."""
    if piece.kind is PieceKind.CODE:
        return Wanted.COMMAND in question.wanted
    plain = normalise(piece.text)
    exact = question.exactly is None or question.exactly.search(plain) is not None
    return exact and all(pattern.search(plain) for kind, pattern, _ in SHAPES if kind in question.wanted)


def rarity_of(question: Question, texts: Sequence[Text]) -> list[float]:
    """Return a bonus for pieces that say a word of the question that few other pieces of the passage say."""
    bonus = [0.0] * len(texts)
    count = len(texts)
    for term in question.terms:
        holders = [at for at, text in enumerate(texts) if Question.match(term, text) > 0]
        if holders and count > 1:
            weight = 0.3 * term.weight * math.log(count / len(holders)) / math.log(count) / max(1.0, question.weight)
            for at in holders:
                bonus[at] += weight
    return bonus


def telling(question: Question, pieces: Sequence[Piece], picked: Sequence[int]) -> list[int]:
    """Return what was picked without paragraphs, lists and tables that add nothing to the one that says most.

    One that holds the kind of thing that is asked for, where that one does not, adds it.
    """
    blocks = {
        number: [each for each in pieces if each.block == number] for number in {pieces[at].block for at in picked}
    }
    is_code = any(pieces[at].kind is PieceKind.CODE for at in picked)
    if len(blocks) < 2 or is_code or Wanted.STEPS in question.wanted or question.asks_for_all:
        return list(picked)
    said = {number: Text.of(*(f"{each.above} {each.text}" for each in block)) for number, block in blocks.items()}
    found = {number: question.found_weight(text) for number, text in said.items()}
    best = max(found, key=lambda number: found[number])
    fits = {number for number, block in blocks.items() if any(holds_kind(question, each) for each in block)}
    idle = {
        number
        for number in blocks
        if found[best] - found[number] >= _MORE
        and question.found_weight(said[best].joined_with(said[number])) - found[best] < _MORE / 2
        and (best in fits or number not in fits)
    }
    return [at for at in picked if pieces[at].block not in idle]


def held_in(question: Question, piece: Piece) -> float:
    """Return how closely a range of a piece holds the amounts that the question names; 0 where it names none."""
    return holds(f"{piece.header} {piece.text}", question.measured) if question.measured else 0.0


def _opening(question: Question, passage: Passage, passages: Sequence[Passage]) -> float:
    """Return what counts against a passage that only opens a page or section of which a part tells more.

    What must be there before one begins opens it as well.
    """
    if passage.is_preliminary and Wanted.STEPS in question.wanted:
        return 2 * _OPENING
    told = _tells(question, passage)
    more = max((_tells(question, other) for other in passages if other.is_below(passage)), default=0) - told
    return max(0, more) * (_OPENING_TELLS if told else _OPENING)


def _tells(question: Question, passage: Passage) -> int:
    """Return the grade (0 to 2) in which a passage holds the steps or the value that is asked for."""
    if Wanted.STEPS in question.wanted:
        return 2 if has_steps(passage) else int(any(piece.kind is PieceKind.CODE for piece, _ in passage.around))
    return 2 if question.wants_one_fact and satisfies(question, passage) >= 1 else 0


def holds_for(question: Question, passage: Passage) -> bool:
    """Tell whether a page holds for what is asked: now, or in a year that is named."""
    return not passage.not_in_force or bool(question.years & passage.years)


def _edition(question: Question, passage: Passage) -> float:
    """Return what counts for the edition of a year that is named, and against what no longer holds, or not yet."""
    if question.years & passage.years:
        return _EDITION
    other = _OTHER_EDITION if question.years and passage.years else 0.0
    return other + (_NOT_IN_FORCE if passage.not_in_force else 0.0)


def _only_lists(passage: Passage) -> bool:
    """Tell whether a passage is a table and says nothing of what may be."""
    rows = all(piece.kind is PieceKind.ROW for piece in passage.pieces)
    return rows and RULE.search(normalise(passage.text)) is None


def own_heading(question: Question, passage: Passage) -> float:
    """Return how much of the section's own heading the question says: 1 for a heading that is asked word for word."""
    heading = Question.of(passage.heading, question.language)
    return heading.coverage(Text.of(question.text)) if heading.weight else 0.0


def is_foreign_page(question: Question, passage: Passage) -> bool:
    """Tell whether a passage is in another language than the question."""
    return passage.own_language != question.language


def has_steps(passage: Passage) -> bool:
    """Return whether the passage holds numbered steps, other than what must be there before one begins."""
    return not passage.is_preliminary and sum(piece.ordered for piece in passage.pieces) >= 2


def has_list(passage: Passage) -> bool:
    """Return whether the passage holds a list or a table."""
    return sum(piece.kind in (PieceKind.ITEM, PieceKind.ROW) for piece in passage.pieces) >= 2


def overlap(question: Question, piece: Piece, headings: Text, *, below: Text | None = None) -> float:
    """Return the share of the question that a piece says itself; what the headings say counts for a third.

    What it stands `below`, its section's own heading, is as good as said.
    """
    header = Text.of(f"{piece.above} {spelled(piece.header)}") if piece.above else Text.of()
    own = Text.of(piece.text).joined_with(header, *([below] if below else []))
    both = own.joined_with(headings)
    said = question.coverage(own)
    return said + (question.coverage(both) - said) / 3
