"""Mistyped words: one that nothing holds, and one that is an edit distance of one away from it.

Without it one mistyped word both finds nothing and counts as the rarest of all, so that the desk abstains.
"""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

#: Shorter words have too many neighbours to guess.
SHORTEST = 5
#: Percent of two spellings that must agree for one to be offered for the other.
_ALIKE = 60


#: A code whose hyphen was left out: "tg104" for TG-104.
_CODE = re.compile(r"^([a-z]{1,12})([0-9]{1,9})$")


def may_be_misspelt(term: str) -> bool:
    """Say whether a term is a plain Latin word, or a code that lacks its hyphen; identifiers are never guessed."""
    return len(term) >= SHORTEST and term.isascii() and (term.isalpha() or _CODE.fullmatch(term) is not None)


def hyphened(word: str) -> str:
    """Return a code with the hyphen that may have been left out: "tg-104" for "tg104"; any other word as it is."""
    return _CODE.sub(r"\1-\2", word) if _CODE.fullmatch(word) else word


def corrected(term: str, known: Iterable[tuple[str, int]]) -> str | None:
    """Return the commonest known term that is one edit away, with its count given; a code lacks its hyphen at most."""
    only = "" if term.isalpha() else hyphened(term)
    near = [(count, other) for other, count in known if one_edit_apart(term, other) and only in ("", other)]
    return max(near)[1] if near else None


def one_edit_apart(one: str, other: str) -> bool:
    """Say whether one letter more, less, other or swapped with its neighbour makes one word of the other."""
    return OSA.distance(one, other, score_cutoff=1) == 1


def nearest(said: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the known words that are spelt most like what was said, best first; none when nothing is alike."""
    found = process.extract(said, list(known), scorer=fuzz.ratio, limit=most, score_cutoff=_ALIKE)
    return tuple(word for word, _, _ in found)
