"""Where on the page that was cited last an answer may stand, and how likely: one chance for each piece, one for none.

Each sentence, row and item is a place. What speaks for it is counted in `signs`, and weights say how much: fitted as a
choice of one among all (decision 0060), so that the chances of a page and the chance that it does not answer are 1
together.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.brains.rules.answering.passages import Passage, Piece, PieceKind
from agent.brains.rules.answering.question import Text
from agent.brains.rules.answering.ranking import agreement
from agent.brains.rules.answering.tables import spelled
from agent.brains.rules.answering.threads.asking_on import AskedOn, flat, holds_answer
from agent.brains.rules.answering.threads.kinds import CONDITION, heads_kind
from language.numbers.ranges import exceeds
from language.scripts import is_chinese
from language.sentences import cells_of
from language.word_tables import STOP_ENGLISH
from language.words import chinese_runs, normalise, stem, stems


@dataclass(frozen=True)
class _Weights:
    """What the signs of a place and those of none are worth."""

    place: Mapping[str, float]
    none: Mapping[str, float]


#: Share of what is new that a heading must say to be what is asked.
HEADED = 0.8
#: Share of what is new that the head of a column says where its cells are asked for.
COLUMN = 0.65
#: … and the agreement of both from which on nothing else heads it, with the weight of words that name something.
EXACTLY, NAMED_WEIGHT = 0.95, 1.0
#: The most that the weight of what is new counts.
MUCH = 2.0
#: Share of the subject that a row or an item says which stands beside the one that was asked for.
SIBLING = 0.2
#: Share of what is new below which a page does not know it.
HEARD = 0.4
#: Share of the answer before that a sentence is which was told alone.
ALONE = 0.6
#: Stems of words that say nothing; of the deeds among them a heading may speak.
_EMPTY = frozenset(map(stem, STOP_ENGLISH - {"ask", "give", "help", "keep", "make", "take", "tell", "use"}))
#: Cells of a row that says one thing of another.
_PAIR = 2
#: What each sign is worth, and what speaks for no place at all: where a model has compared the pieces, and by words.
LIKENED = _Weights(
    {
        "says": 1.96,
        "says_much": -0.25,
        "own": 1.64,
        "looks": 1.11,
        "bare_looks": 1.64,
        "case": 0.5,
        "holds": 1.22,
        "measures": -0.8,
        "labelled": 1.89,
        "column": -0.91,
        "column_told": 2.37,
        "other": 1.2,
        "sibling": 2.14,
        "here": 1.28,
        "beside": 0.3,
        "next": 1.2,
        "relates": 0.74,
        "headed": 0.52,
        "headed_by_it": 0.4,
        "heading_looks": -0.33,
        "told": 1.09,
        "told_unsaid": -0.4,
        "told_alone": -0.82,
        "alone_otherwise": 1.26,
        "says_bare": 1.87,
        "near": 2.29,
        "near_whole": 0.91,
        "behind": 7.82,
        "behind_whole": 4.86,
    },
    {"always": 4.3, "strictly": -0.26, "names_nothing": -0.98, "new": -0.38, "shaped": 0.87, "values": 0.81},
)
BY_WORDS = _Weights(
    {
        "says": 2.36,
        "says_much": 0.77,
        "own": 2.22,
        "looks": 1.51,
        "bare_looks": 1.96,
        "case": 0.66,
        "holds": 0.73,
        "measures": 0.36,
        "labelled": 1.71,
        "column": -1.62,
        "column_told": 1.67,
        "other": 1.18,
        "sibling": 1.92,
        "here": 1.74,
        "beside": 0.33,
        "next": 0.95,
        "relates": 1.22,
        "headed": 1.55,
        "headed_by_it": 0.17,
        "heading_looks": -0.07,
        "told": 0.8,
        "told_unsaid": -1.0,
        "told_alone": -0.91,
        "told_otherwise": 0.17,
        "alone_otherwise": 1.01,
        "says_bare": 2.61,
    },
    {"always": 6.07, "strictly": -0.12, "names_nothing": -1.48, "new": -0.32, "shaped": 1.36, "values": 0.29},
)


@dataclass(frozen=True)
class PagePlace:
    """A sentence, row or item of the cited page, with how likely it answers."""

    passage: Passage
    at: int
    headed: bool  # its section is headed by what is asked
    holds: bool  # a range in it holds the amount, the time or the day that is asked about
    told: bool  # it stands in the answer before
    signs: Mapping[str, float]
    chance: float = 0.0


def places_of(asked: AskedOn, page: Sequence[Passage], *, strictly: bool) -> tuple[PagePlace, ...]:
    """Return the places of a page, the likeliest first; `strictly`: the question may be a matter of its own."""
    places = tuple(_places(asked, page))
    if not places:
        return ()
    weights = LIKENED if any(section.likeness for section in page) else BY_WORDS
    worth = [_sum(weights.place, each.signs) for each in places]
    none = _sum(weights.none, signs_of_none(asked, strictly=strictly))
    most = max(*worth, none)
    whole = sum(math.exp(each - most) for each in (*worth, none))
    chances = (math.exp(each - most) / whole for each in worth)
    likely = (
        replace(each, chance=0.0 if _only_repeats(asked, each) else chance)
        for each, chance in zip(places, chances, strict=True)
    )
    return tuple(sorted(likely, key=lambda each: -each.chance))


def _only_repeats(asked: AskedOn, place: PagePlace) -> bool:
    """Tell whether a place is the answer before, and says nothing of what is new: "and in Lyon?" after Rome's row.

    So is one that speaks of another class where a class is named: "and class 2?".
    """
    piece = place.passage.pieces[place.at]
    if asked.is_labelled_otherwise(piece.text):
        return True
    if piece.kind is PieceKind.ROW and asked.is_of_another_kind and len(cells_of(piece.text)) > _PAIR:
        return False  # another of its cells is asked for
    repeats = place.signs["told_alone"] or (piece.kind is PieceKind.ROW and place.signs["told"])
    says_new = any(place.signs[each] for each in ("own", "column", "other"))
    return bool(repeats) and not asked.names_nothing and not says_new


def _sum(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return sum(weight * signs.get(name, 0.0) for name, weight in weights.items())


def signs_of_none(asked: AskedOn, *, strictly: bool) -> dict[str, float]:
    """Return what speaks for no place."""
    return {
        "always": 1.0,
        "strictly": float(strictly),
        "names_nothing": float(asked.names_nothing),
        "shaped": float(bool(asked.shape.all_of)),
        "values": float(bool(asked.values)),
        "new": min(asked.new.weight, 3.0),
    }


def _places(asked: AskedOn, page: Sequence[Passage]) -> Iterator[PagePlace]:
    sections = [each for each in page if not each.is_navigation]
    cited = [at for at, each in enumerate(sections) if holds_answer(each, asked.answered)]
    best = _most(sections)
    unknown = not asked.names_nothing and all(asked.says(Text.of(each.section, each.text)) < HEARD for each in sections)
    foreign = [[_is_foreign(asked, piece) for piece in section.pieces] for section in sections]
    both = any(not each for apart in foreign for each in apart)  # the page speaks the language of the question, too
    for number, section in enumerate(sections):
        away = min((abs(number - other) for other in cited), default=2)
        common = {
            "here": float(away == 0),
            "beside": float(away == 1),
            "relates": asked.subject.coverage(Text.of(section.section, section.text)),
        }
        for at, piece in enumerate(section.pieces):
            if foreign[number][at] and both:
                continue
            heads = _heads(asked, section.heading)
            if piece.lead:
                heads = {name: max(value, heads[name]) for name, value in _heads(asked, piece.lead).items()}
            signs = {**common, **heads, **_signs(asked, section, at, unknown=unknown), **_likeness(section, at, best)}
            signs["next"] = float(at > 0 and not signs["told"] and _is_told(asked, section.pieces[at - 1]))
            yield PagePlace(section, at, heads["is_headed"] > 0, signs["holds"] > 0, signs["told"] > 0, signs)


def _is_foreign(asked: AskedOn, piece: Piece) -> bool:
    """Tell whether a piece is in another language than the question; one of numbers alone is in none."""
    return is_chinese(piece.text) != (asked.new.language == "zh") and any(each.isalpha() for each in piece.text)


def _heads(asked: AskedOn, heading: str) -> dict[str, float]:
    """Return what speaks for what stands below a heading."""
    headed = _is_headed(asked, heading)
    agreed = _agreement(asked, heading, headed=headed)
    return {
        "is_headed": float(headed),
        "headed": max(agreed, _headed_by_kind(asked, heading)),
        "headed_by_it": float(agreed >= EXACTLY and asked.new.weight >= NAMED_WEIGHT),
        "heading_looks": asked.shape.fits(heading),
    }


def _is_headed(asked: AskedOn, heading: str) -> bool:
    if not asked.names_nothing:
        return asked.says(Text.of(heading)) >= HEADED
    said, runs = stems(asked.more.text) - _EMPTY, chinese_runs(normalise(asked.more.text))
    return bool(said & stems(heading)) or any(run in heading for run in runs)


def _agreement(asked: AskedOn, heading: str, *, headed: bool) -> float:
    return agreement(asked.new, heading) if headed and not asked.names_nothing else float(headed)


#: What a heading counts that names the kind of what is asked for: "Prices", 什么时候领.
_BY_KIND = 0.7


def _headed_by_kind(asked: AskedOn, heading: str) -> float:
    return _BY_KIND if heads_kind(asked.more.text, heading) else 0.0


def _is_told(asked: AskedOn, piece: Piece) -> bool:
    return flat(piece.text) in asked.told


#: What says that all other cases follow it, and what goes on with the amount in the sentence before.
_OTHER = re.compile(
    r"^\W{0,4}(?:all |any |every |the )?(?:others?|else(?:where)?|otherwise|rest)\b"
    r"|\b(?:(?:all|any|every) others?|(?:every|any)(?:one|body|thing|where) else|elsewhere|otherwise)\b"
    r"|其他|其它|其余|另外|别的"
)
_BEYOND = re.compile(r"\b(?:above|beyond|over|more than|after) (?:that|this|it)\b|超出|超过的?部分")


def _signs(asked: AskedOn, section: Passage, at: int, *, unknown: bool) -> dict[str, float]:
    """Return what speaks for a piece by its words; `unknown`: the page says nothing of what is named."""
    piece = section.pieces[at]
    columns = Text.of(piece.header, spelled(piece.header)) if piece.header else None
    column = asked.says(columns) if columns else 0.0
    own = asked.says(Text.of(piece.text))
    looks = asked.shape.fits(piece.text)
    told = _is_told(asked, piece) and not asked.holds(piece.text)
    goes_on = at > 0 and _BEYOND.search(normalise(piece.text)) is not None
    exceeded = goes_on and exceeds(section.pieces[at - 1].text, asked.values)
    held = 1.0 if exceeded else asked.holds(piece.header, piece.text)
    alone = told and len(flat(piece.text)) >= ALONE * len(asked.told)
    listed = piece.kind is not PieceKind.SENTENCE
    says = asked.says(Text.of(section.heading, piece.above, spelled(piece.header), piece.text))
    sibling = asked.subject.coverage(Text.of(piece.text)) if unknown and listed and not told else 0.0
    return {
        "says": says,
        "says_much": says * min(asked.new.weight, MUCH),
        "sibling": float(sibling >= SIBLING),
        "own": own,
        "column": float(column >= COLUMN),
        "column_told": float(column >= COLUMN and _is_told(asked, piece)),
        "says_bare": asked.says_bare(Text.of(piece.text)),
        "looks": looks,
        "bare_looks": looks * asked.names_nothing,
        "told": float(told),
        "told_unsaid": float(told and says < HEARD and not (asked.names_nothing or looks)),
        "told_alone": float(alone),
        "told_otherwise": float(told and asked.is_of_another_kind),
        "alone_otherwise": float(alone and asked.is_of_another_kind),
        "case": float(asked.is_case and CONDITION.search(normalise(piece.text)) is not None),
        "holds": held,
        "measures": float(not held and asked.measures(piece.text)),
        "labelled": float(not told and asked.is_labelled(piece.text)),
        "other": float(unknown and listed and _OTHER.search(normalise(piece.text)) is not None),
    }


#: How near a piece is by its words where no model has compared it.
_UNCOMPARED = (0.2, 0.3)


def _likeness(section: Passage, at: int, best: Sequence[float]) -> dict[str, float]:
    """Return how near a piece is to the question, by itself and with its subject, and how far behind the nearest."""
    compared = section.likeness[at] if at < len(section.likeness) else ()
    by_itself, with_subject = compared if len(compared) == 2 else _UNCOMPARED
    return {
        "near": by_itself,
        "near_whole": with_subject,
        "behind": by_itself - best[0],
        "behind_whole": with_subject - best[1],
    }


def _most(sections: Sequence[Passage]) -> tuple[float, float]:
    found = [each for section in sections for each in section.likeness if len(each) == 2]
    return (max(one for one, _ in found), max(two for _, two in found)) if found else _UNCOMPARED
