"""Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), used on both sides of the index.

It lives here and not in the index's tokenizer, so that coverage, every index and the tests agree on what a term is.
"""

import re
from functools import lru_cache

_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = re.compile(r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$")
_PLAIN = re.compile(r"[a-z]{3,30}")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; anything but three or more plain letters stays as it is."""
    if not _PLAIN.fullmatch(word):
        return word
    return _step_5(_step_4(_replaced(_replaced(_step_1(word), _STEP_2), _STEP_3)))


def _shape(text: str) -> str:
    """Return `c` and `v` for each letter."""
    marks: list[str] = []
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and bool(marks) and marks[-1] == "c")
        marks.append("v" if vowel else "c")
    return "".join(marks)


def _measure(text: str) -> int:
    return _shape(text).count("vc")


def _has_vowel(text: str) -> bool:
    return "v" in _shape(text)


def _ends_double_consonant(text: str) -> bool:
    return len(text) >= 2 and text[-1] == text[-2] and _shape(text)[-1] == "c"


def _ends_short(text: str) -> bool:
    return _shape(text)[-3:] == "cvc" and text[-1] not in "wxy"


def _step_1(word: str) -> str:
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = _past_and_gerund(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word[: -len(suffix)]):
            return _tidied(word[: -len(suffix)])
    return word


def _tidied(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double_consonant(word) and word[-1] not in "lsz":
        return word[:-1]
    if _measure(word) == 1 and _ends_short(word):
        return word + "e"
    return word


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in table:
        if word.endswith(suffix):
            before = word[: -len(suffix)]
            return before + replacement if _measure(before) > 0 else word
    return word


def _step_4(word: str) -> str:
    found = _STEP_4.search(word)
    return word[: found.start()] if found and _measure(word[: found.start()]) > 1 else word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        before = word[:-1]
        if _measure(before) > 1 or (_measure(before) == 1 and not _ends_short(before)):
            word = before
    if _measure(word) > 1 and _ends_double_consonant(word) and word.endswith("l"):
        word = word[:-1]
    return word
