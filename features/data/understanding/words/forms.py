"""What the forms of an English word share, over its stem: a deed, its noun and who does it."""

from functools import lru_cache

from language.stemming import stem

#: Endings that make a noun of what is done: payment, registration, rental, delivery, insurance, joiner.
_ENDINGS = ("ment", "ation", "al", "i", "anc", "er")


@lru_cache(maxsize=8_192)
def root(word: str) -> str:
    """Return what the forms of a word share: "rent" of rental and rented, "complain" of complaint."""
    found = stem(word)
    for ending in _ENDINGS:
        if found.endswith(ending) and len(found) - len(ending) > 3:
            return found.removesuffix(ending)
    return found.removesuffix("t") if found.endswith("aint") else found
