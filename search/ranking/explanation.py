"""Why a passage was found: each leg's rank of it, the words that it meets, who lets it be read. Pure.

A leg is known by its name alone, so that one more of them is shown without a change here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from search.access import Scope
from search.documents import Hit
from search.indexes.passage_text import embedded_text
from search.indexes.port import Candidate
from search.ranking.choosing import Cause
from search.ranking.finding import NotEmbedded, Trace, hit_of
from search.ranking.pieces import nearest_first
from search.ranking.query import content_words, heading_words
from search.ranking.reranking import Judged, heading_match

#: Legs that every question with a word in it asks for; an index leaves one out that it cannot search.
_ALWAYS: tuple[str, ...] = ("bm25", "dense")
_BEFORE_STOP = re.compile(r" (?=[.,;:!?)。，；：！？）])")


class Absence(StrEnum):
    """Why a leg has no say in a search."""

    LANGUAGE = "language"  # the embedding model does not read the question's language
    MODEL = "model"  # the embedding model is not there
    NO_VECTORS = "no_vectors"  # no passage has a vector of this model yet
    NOTHING = "nothing"  # it found nothing that may be read


@dataclass(frozen=True)
class Leg:
    """One leg: how much say it had (0..1), what it found, or why it stayed out."""

    name: str
    weight: float
    candidates: int
    absence: Absence | None = None


@dataclass(frozen=True)
class Word:
    """One word or identifier of the question, and what was looked for in its place when nobody writes it so."""

    text: str
    terms: tuple[str, ...]
    weight: float  # its share (0..1) of the question
    corrected: str = ""


@dataclass(frozen=True)
class PassagePlace:
    """Where a leg has a passage: its rank, from 1 on, and the leg's own score.

    `share` is that score between the leg's last (0) and its best (1), which legs can be compared by. `score` is None
    where whoever looks may not read everything: an engine may weigh words by what hidden pages hold of them.
    """

    rank: int
    score: float | None
    share: float


@dataclass(frozen=True)
class Explained:
    """One passage and how it came to its place."""

    hit: Hit
    excerpt: str  # the sentence, item or row that comes nearest to the question's words, without its marks
    score: float
    places: Mapping[str, PassagePlace]  # leg → place; a leg that did not find it is absent
    coverage: float  # how much of the question (0..1) its words and headings meet
    meets: tuple[float, ...]  # the same for each word of the question
    heading: float  # how much (0..1) the heading right above it says what was asked
    authz: str  # the principal that opens the page to the reader
    cause: Cause | None = None  # why it is not shown; None for a hit
    instead: int | None = None  # place of the hit (0, 1, 2 …) that says the same


@dataclass(frozen=True)
class Explanation:
    """One search, opened up. `hidden` is None where whoever looks would learn from it what they must not."""

    language: str
    words: tuple[Word, ...]
    legs: tuple[Leg, ...]
    hits: tuple[Explained, ...]
    left_out: tuple[Explained, ...]
    hidden: int | None
    vectors_share: float  # of the texts to embed, how many have their vector by now
    timings_ms: Mapping[str, float]


def explained(trace: Trace, scope: Scope, *, tell_hidden: bool) -> Explanation:
    """Open up a search that was made within a scope."""
    teller = _Teller(trace, scope, tell_scores=tell_hidden)
    return Explanation(
        language=trace.analysed.language,
        words=tuple(teller.words()),
        legs=tuple(_legs(trace)),
        hits=tuple(teller.tell(judged, hit=hit) for judged, hit in zip(trace.choice.kept, trace.hits, strict=True)),
        left_out=tuple(
            teller.tell(each.judged, hit=hit_of(each.judged, scope), cause=each.cause, instead=each.instead)
            for each in trace.choice.left_out
        ),
        hidden=trace.findings.hidden if tell_hidden else None,
        vectors_share=trace.findings.vectors_share,
        timings_ms=trace.timings_ms,
    )


class _Teller:
    """Puts together what is known of the words and of one passage after the other."""

    def __init__(self, trace: Trace, scope: Scope, *, tell_scores: bool) -> None:
        self._tokens = trace.analysed.tokens
        self._asked = frozenset(trace.analysed.terms)
        self._content = content_words(trace.analysed)
        self._corrections = trace.findings.corrections
        self._coverage = trace.coverage
        self._scope = scope
        legs = trace.findings.legs.items()
        self._places = {name: _places(found, tell_scores=tell_scores) for name, found in legs}

    def words(self) -> Iterator[Word]:
        """Yield the words of the question."""
        for token, weight in zip(self._tokens, self._coverage.weights, strict=True):
            meant = (self._corrections[term] for term in token.terms if term in self._corrections)
            yield Word(text=token.text, terms=token.terms, weight=weight, corrected=" ".join(meant))

    def tell(self, judged: Judged, *, hit: Hit, cause: Cause | None = None, instead: int | None = None) -> Explained:
        key, passage = judged.ranked.key, judged.passage
        words = judged.words | heading_words(passage)
        return Explained(
            hit=hit,
            excerpt=_plain(next(iter(nearest_first(passage.chunk.text, self._asked)), "")),
            score=judged.ranked.score,
            places={name: places[key] for name, places in self._places.items() if key in places},
            coverage=self._coverage.of(words),
            meets=self._coverage.of_each(words),
            heading=heading_match(passage, self._content, self._coverage),
            authz=self._scope.reason(passage.allow),
            cause=cause,
            instead=instead,
        )


def _plain(piece: str) -> str:
    """Return a piece of Markdown as it is read; where marks were, no blank is left before a stop."""
    return _BEFORE_STOP.sub("", embedded_text(piece))


def _places(candidates: Sequence[Candidate], *, tell_scores: bool) -> dict[str, PassagePlace]:
    if not candidates:
        return {}
    best, last = candidates[0].score, candidates[-1].score
    spread = best - last
    return {
        found.key: PassagePlace(
            rank=rank,
            score=found.score if tell_scores else None,
            share=round((found.score - last) / spread, 2) if spread > 0 else 1.0,
        )
        for rank, found in enumerate(candidates, start=1)
    }


def _legs(trace: Trace) -> Iterator[Leg]:
    counts: dict[str, int] = dict.fromkeys(_ALWAYS if trace.analysed.tokens else (), 0)
    counts |= {name: len(found) for name, found in trace.findings.legs.items()}
    for name, candidates in counts.items():
        yield Leg(
            name=name,
            weight=_weight(trace, name) if candidates else 0.0,
            candidates=candidates,
            absence=None if candidates else _absence(trace, name),
        )


def _weight(trace: Trace, name: str) -> float:
    dense = trace.fused.dense_weight
    return dense if name == "dense" else 1 - dense


def _absence(trace: Trace, name: str) -> Absence:
    if name != "dense":
        return Absence.NOTHING
    match trace.unread:
        case NotEmbedded.LANGUAGE:
            return Absence.LANGUAGE
        case NotEmbedded.MODEL:
            return Absence.MODEL
        case None:
            return Absence.NOTHING if trace.findings.vectors_share else Absence.NO_VECTORS
        case _:
            assert_never(trace.unread)
