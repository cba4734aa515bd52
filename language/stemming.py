"""Stems of English words by the Snowball stemmer ("Porter 2"), the same for indexes, questions and claims.

It is applied here and not in an index's tokenizer, so that coverage, every index and the tests agree on what a term is.
Forms that spelling rules do not lead to ("lost", "paid") are in a table.
"""

import re
import threading
from functools import lru_cache

import Stemmer

from language.word_tables import IRREGULAR_ENGLISH

_PLAIN = re.compile(r"[a-z]{3,30}")


class _English(threading.local):
    """A stemmer for each thread: one is not made to be shared."""

    def __init__(self) -> None:
        self.stemmer = Stemmer.Stemmer("english", 0)


_ENGLISH = _English()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; anything but three or more plain letters stays as it is."""
    if known := IRREGULAR_ENGLISH.get(word):
        return known
    return str(_ENGLISH.stemmer.stemWord(word)) if _PLAIN.fullmatch(word) else word
