"""Group questions that people ask in other words: which short texts say nearly the same."""

from collections.abc import Sequence

from language.analysis import pairs
from language.words import chinese_runs, content_words, normalise, stem

#: The share of their words that two texts have in common from which on they are alike.
ALIKE = 0.5


def words_of(text: str) -> frozenset[str]:
    """Return what two texts have to share to be alike: stems of words with a meaning, pairs of Chinese characters."""
    plain = normalise(text)
    return frozenset(
        (*(stem(word) for word in content_words(plain)), *(pair for run in chinese_runs(plain) for pair in pairs(run)))
    )


def alike(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return groups of the places of texts that are alike, each text in one group, by the first of each.

    A text goes to the first group whose first text it is alike; one without words of meaning stays alone.
    """
    groups: list[tuple[frozenset[str], list[int]]] = []
    for place, text in enumerate(texts):
        words = words_of(text)
        found = next((members for first, members in groups if _are_alike(words, first)), None)
        if found is None:
            groups.append((words, [place]))
        else:
            found.append(place)
    return tuple(tuple(members) for _, members in groups)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one | other) and len(one & other) >= ALIKE * len(one | other)
