"""One slip of the finger: a word of the question that no page holds, and one that differs in a single place.

Without it one mistyped word both finds nothing and counts as the rarest of all, so that the desk abstains.
"""

from collections.abc import Iterable

#: Shorter words have too many neighbours to guess.
SHORTEST = 5


def may_be_misspelt(term: str) -> bool:
    """Say whether a term is a plain Latin word; identifiers are never guessed."""
    return len(term) >= SHORTEST and term.isascii() and term.isalpha()


def corrected(term: str, known: Iterable[tuple[str, int]]) -> str | None:
    """Return the commonest known term that is one insertion, deletion, change or swap away."""
    near = [(count, other) for other, count in known if one_slip(term, other)]
    return max(near)[1] if near else None


def one_slip(one: str, other: str) -> bool:
    """Say whether two different words are one slip apart."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        start += 1
    rest, other_rest = one[start:], other[start:]
    if len(rest) == len(other_rest):
        swapped = rest[:2] == other_rest[:2][::-1] and rest[2:] == other_rest[2:]
        return swapped or rest[1:] == other_rest[1:]
    return rest[1:] == other_rest or rest == other_rest[1:]
