"""How much of a question a passage speaks of: the figure by which a desk without a language model abstains."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from language.analysis import Token, TokenKind


@dataclass(frozen=True)
class _Need:
    """One thing that the question names. Any of `ways` meets it fully; `parts` may meet it in part."""

    weight: float
    ways: tuple[str, ...]
    parts: tuple[str, ...] = ()


class Coverage:
    """Weights of one question's words, by how rare they are in the index. `of` is then cheap for each hit."""

    def __init__(
        self,
        tokens: Sequence[Token],
        frequencies: Mapping[str, int],
        total: int,
        *,
        corrections: Mapping[str, str] | None = None,
    ) -> None:
        self._corrections = corrections or {}
        self._frequencies = frequencies
        self._total = total
        self._by_token = tuple(tuple(self._needs_of(token)) for token in tokens)
        self._needs = tuple(chain.from_iterable(self._by_token))
        self._whole = _weight(self._needs)
        self._named: dict[str, list[int]] = {}  # a term that meets something named, and the places of those
        for place, need in enumerate(self._needs):
            for term in (*need.ways, *need.parts):
                self._named.setdefault(term, []).append(place)

    def of(self, terms: frozenset[str]) -> float:
        """Return the share (0..1) of the question's weight that these terms meet.

        Only what they may meet is looked at: a passage has few words of a long message.
        """
        if self._whole <= 0:
            return 0.0
        reached = sorted({place for term in self._named.keys() & terms for place in self._named[term]})
        return sum(self._needs[place].weight * _met(self._needs[place], terms) for place in reached) / self._whole

    def of_each(self, terms: frozenset[str]) -> tuple[float, ...]:
        """Return for each token of the question how much of it (0..1) these terms meet."""
        return tuple(
            sum(need.weight * _met(need, terms) for need in needs) / (_weight(needs) or 1.0) for needs in self._by_token
        )

    @property
    def weights(self) -> tuple[float, ...]:
        """Return for each token its share (0..1) of the question."""
        return tuple(_weight(needs) / (self._whole or 1.0) for needs in self._by_token)

    def _needs_of(self, token: Token) -> Iterator[_Need]:
        match token.kind:
            case TokenKind.WORD:
                term = self._corrections.get(token.terms[0], token.terms[0])
                yield _Need(weight=self._rarity(term), ways=(term,))
            case TokenKind.COMPOUND:
                yield self._compound(token)
            case TokenKind.CJK:
                yield from self._characters(token)

    def _rarity(self, term: str) -> float:
        frequency = min(self._frequencies.get(term, 0), self._total)
        return math.log(1 + (self._total - frequency + 0.5) / (frequency + 0.5))

    def _compound(self, token: Token) -> _Need:
        """Weigh a compound: one with a digit is an identifier and met as a whole only, others also by their words."""
        whole, *parts = token.terms
        weight = self._rarity(whole)
        if any(letter.isdigit() for letter in whole):
            return _Need(weight=weight, ways=(whole,))
        weight = min(weight, max((self._rarity(part) for part in parts), default=weight))
        return _Need(weight=weight, ways=(whole,), parts=tuple(parts))

    def _characters(self, token: Token) -> Iterator[_Need]:
        """Weigh each character; it is met by either pair that it stands in (or, in a heading, by itself).

        Pairs across two words are in no document and would look rare, so the commoner pair gives the weight. Two
        characters make about one word, hence the half.
        """
        pairs = token.terms
        if len(token.text) == 1:
            yield _Need(weight=self._rarity(token.text) / 2, ways=pairs)
            return
        for place in range(len(token.text)):
            around = tuple(pairs[max(place - 1, 0) : place + 1])
            yield _Need(weight=min(map(self._rarity, around)) / 2, ways=(*around, token.text[place]))


def _weight(needs: Sequence[_Need]) -> float:
    return sum(need.weight for need in needs)


def _met(need: _Need, terms: frozenset[str]) -> float:
    if any(way in terms for way in need.ways):
        return 1.0
    if not need.parts:
        return 0.0
    return sum(part in terms for part in need.parts) / len(need.parts)
