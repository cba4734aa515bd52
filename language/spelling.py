"""Mistyped words: one that nothing holds, and one that is an edit distance of one away from it.

Without it one mistyped word both finds nothing and counts as the rarest of all, so that the desk abstains.
"""

import re
from collections.abc import Container, Iterable, Mapping

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

#: Shorter words have too many neighbours to guess.
SHORTEST = 5
#: Percent of two spellings that must agree for one to be offered for the other.
_ALIKE = 60


#: In a word of so many letters two edits are still a typo.
_LONG = 8
_VOWELS = frozenset("aeiou")
_LATIN = re.compile(r"(?<![\w'-])[a-z]{4,12}(?![\w-])")
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


def is_name_misspelt(said: str, name: str) -> bool:
    """Say whether a word is a typo of a name, or the name without letters that it is read without: "pymnt"."""
    if not said or said == name or said[0] != name[0] or not (said + name).isascii():
        return False
    return (len(said) >= SHORTEST and _is_typo(said, name)) or _is_shortened(said, name)


def _is_shortened(said: str, name: str) -> bool:
    """Say whether vowels were left out, and one consonant at most; of a short word all vowels: "chkout", "pymt"."""
    letters = iter(name)
    if len(said) * 2 < len(name) or said[-1] != name[-1] or not all(each in letters for each in said):
        return False
    left = sum(each not in _VOWELS for each in name) - sum(each not in _VOWELS for each in said)
    return left <= 1 and (len(said) >= SHORTEST or (len(said) == SHORTEST - 1 and not _VOWELS & {*said}))


def respelt(text: str, words: Iterable[str], *, real: Container[str]) -> Mapping[tuple[int, int], str]:
    """Return where words of a text stand that are none of these, and are one edit from the one that is given for each.

    The text is in lower case. Words begin as they are meant to, and those that are `real` are meant as they are.
    """
    known = frozenset(words)
    found: dict[tuple[int, int], str] = {}
    for said in _LATIN.finditer(text):
        word = said[0]
        if word in known or word in real or (word.removesuffix("s") in known):
            continue
        near = [other for other in known if other[0] == word[0] and (_is_typo(word, other) or _is_cut(word, other))]
        if len(near) == 1:
            found[said.span()] = near[0]
    return found


def _is_typo(word: str, other: str) -> bool:
    most = 2 if len(other) >= _LONG else 1
    return 0 < OSA.distance(word, other, score_cutoff=most) <= most


def _is_cut(word: str, other: str) -> bool:
    """Return whether a word is a long one that letters were left out of: "tmrow", "wedsday"."""
    return len(other) >= _LONG and len(word) >= SHORTEST and _is_shortened(word, other)


def nearest(said: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the known words that are spelt most like what was said, best first; none when nothing is alike."""
    found = process.extract(said, list(known), scorer=fuzz.ratio, limit=most, score_cutoff=_ALIKE)
    return tuple(word for word, _, _ in found)
