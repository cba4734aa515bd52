"""Where on the page that was cited last an answer may stand, and how likely: one chance for each piece, one for none.

Each sentence, row and item is a place. What speaks for it is counted in `signs`, and weights say how much: fitted as a
choice of one among all (decision 0060), so that the chances of a page and the chance that it does not answer are 1
together.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.brains.rules.answering.passages import Passage, Piece
from agent.brains.rules.answering.question import Text
from agent.brains.rules.answering.ranking import agreement
from agent.brains.rules.answering.tables import spelled
from agent.brains.rules.answering.threads.asking_on import AskedOn, flat, holds_answer
from agent.brains.rules.answering.threads.kinds import CONDITION
from language.word_tables import STOP_ENGLISH
from language.words import chinese_runs, normalise, stem, stems


@dataclass(frozen=True)
class _Weights:
    """What the signs of a place and those of none are worth."""

    place: Mapping[str, float]
    none: Mapping[str, float]


#: Share of what is new that a heading must say to be what is asked.
HEADED = 0.9
#: Share of what is new that the head of a column says where its cells are asked for.
COLUMN = 0.65
#: Share of the answer before that a sentence is which was told alone.
ALONE = 0.6
#: Stems of words that say nothing; of the deeds among them a heading may speak.
_EMPTY = frozenset(map(stem, STOP_ENGLISH - {"ask", "give", "help", "keep", "make", "take", "tell", "use"}))
#: What each sign is worth, and what speaks for no place at all: where a model has compared the pieces, and by words.
LIKENED = _Weights(
    {
        "says": 3.08,
        "own": 0.86,
        "looks": 1.48,
        "bare_looks": 1.35,
        "case": 0.12,
        "holds": 0.37,
        "column": -0.4,
        "here": 1.31,
        "beside": -0.47,
        "next": 1.04,
        "relates": 0.82,
        "headed": 0.84,
        "heading_looks": -0.31,
        "told": 0.88,
        "told_alone": -0.13,
        "told_otherwise": -0.12,
        "alone_otherwise": 0.25,
        "near": 1.98,
        "near_whole": 0.99,
        "behind": 4.46,
        "behind_whole": 2.99,
    },
    {"always": 3.51, "strictly": -0.15, "names_nothing": -0.47, "new": 0.27, "shaped": 0.95, "values": 0.64},
)
BY_WORDS = _Weights(
    {
        "says": 3.48,
        "own": 2.06,
        "looks": 1.71,
        "bare_looks": 1.57,
        "case": 0.31,
        "holds": -0.08,
        "column": -0.96,
        "here": 1.83,
        "beside": -0.3,
        "next": 1.14,
        "relates": 0.83,
        "headed": 1.19,
        "heading_looks": -0.11,
        "told": 0.85,
        "told_alone": -0.17,
        "told_otherwise": -0.14,
        "alone_otherwise": 0.17,
    },
    {"always": 4.35, "strictly": -0.41, "names_nothing": -0.58, "new": 0.33, "shaped": 1.06, "values": 0.69},
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
    """Tell whether a place is the answer before, and says nothing of what is new: "and in Lyon?" after Rome's row."""
    return bool(place.signs["told_alone"]) and not asked.names_nothing and not place.signs["own"]


def _sum(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return sum(weight * signs[name] for name, weight in weights.items())


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
    for number, section in enumerate(sections):
        away = min((abs(number - other) for other in cited), default=2)
        headed = _is_headed(asked, section)
        common = {
            "here": float(away == 0),
            "beside": float(away == 1),
            "relates": asked.subject.coverage(Text.of(section.section, section.text)),
            "headed": _agreement(asked, section, headed=headed),
            "heading_looks": asked.shape.fits(section.heading),
        }
        for at, piece in enumerate(section.pieces):
            signs = {**common, **_signs(asked, section, piece), **_likeness(section, at, best)}
            signs["next"] = float(at > 0 and not signs["told"] and _is_told(asked, section.pieces[at - 1]))
            yield PagePlace(section, at, headed, signs["holds"] > 0, signs["told"] > 0, signs)


def _is_headed(asked: AskedOn, section: Passage) -> bool:
    if not asked.names_nothing:
        return asked.says(Text.of(section.heading)) >= HEADED
    said, runs = stems(asked.more.text) - _EMPTY, chinese_runs(normalise(asked.more.text))
    return bool(said & stems(section.heading)) or any(run in section.heading for run in runs)


def _agreement(asked: AskedOn, section: Passage, *, headed: bool) -> float:
    return agreement(asked.new, section.heading) if headed and not asked.names_nothing else float(headed)


def _is_told(asked: AskedOn, piece: Piece) -> bool:
    return flat(piece.text) in asked.told


def _signs(asked: AskedOn, section: Passage, piece: Piece) -> dict[str, float]:
    """Return what speaks for a piece by its words."""
    columns = Text.of(piece.header, spelled(piece.header)) if piece.header else None
    column = asked.says(columns) if columns else 0.0
    own = asked.says(Text.of(piece.text))
    looks = asked.shape.fits(piece.text)
    told = _is_told(asked, piece) and not asked.holds(piece.text)
    alone = told and len(flat(piece.text)) >= ALONE * len(asked.told)
    return {
        "says": asked.says(Text.of(section.heading, piece.header, spelled(piece.header), piece.text)),
        "own": own,
        "column": float(column >= COLUMN),
        "looks": looks,
        "bare_looks": looks * asked.names_nothing,
        "told": float(told),
        "told_alone": float(alone),
        "told_otherwise": float(told and asked.is_of_another_kind),
        "alone_otherwise": float(alone and asked.is_of_another_kind),
        "case": float(asked.is_case and CONDITION.search(normalise(piece.text)) is not None),
        "holds": asked.holds(piece.header, piece.text),
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
