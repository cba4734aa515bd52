"""Text to index terms, the same way for documents and for questions.

- Latin words: width and case folded, accents dropped, stemmed.
- Compounds (`kube-proxy`, `PPR-9087`, `10.0.0.1`, `CrashLoopBackOff`): kept whole, so that an identifier is found
  exactly, and taken apart, so that its words are found too.
- Chinese, Japanese, Korean: overlapping pairs of characters; they beat word segmentation on each page set that we
  measured and are what Elasticsearch's `cjk` analyzer makes.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex

from language.scripts import CJK
from language.stemming import stem

_WORD = rf"[^\W_{CJK}]"
_TOKEN = regex.compile(rf"(?P<cjk>[{CJK}]+)|(?P<word>{_WORD}+(?:[-_.@']+{_WORD}+)*)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PARTS = regex.compile(rf"{_WORD}+")
#: Longest term that is kept: base64 blocks and hashes beyond it are found by nobody.
_LONGEST = 80


class TokenKind(StrEnum):
    """What a stretch of text is to the index."""

    WORD = "word"
    COMPOUND = "compound"
    CJK = "cjk"


@dataclass(frozen=True)
class Token:
    """One stretch of text and the terms that it is indexed under.

    A compound's first term is the whole, the others its parts; a CJK run has its pairs in reading order.
    """

    kind: TokenKind
    text: str
    terms: tuple[str, ...]


def fold(text: str) -> str:
    """Return text with full-width forms made half-width and accents dropped; case is kept."""
    if text.isascii():
        return text
    text = text.replace("\u2019", "'")
    composed = unicodedata.normalize("NFKC", text)
    if not any("\u00c0" <= letter <= "\u1eff" for letter in composed):
        return composed
    bare = (mark for mark in unicodedata.normalize("NFD", composed) if not "\u0300" <= mark <= "\u036f")
    return unicodedata.normalize("NFC", "".join(bare))


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in reading order."""
    for found in _TOKEN.finditer(fold(text)):
        if run := found["cjk"]:
            yield Token(kind=TokenKind.CJK, text=run, terms=pairs(run))
        elif (word := found["word"]) and len(word) <= _LONGEST:
            yield _word(word)


def terms(text: str) -> list[str]:
    """Return every index term of a text, in reading order, with repetitions."""
    found: list[str] = []
    for run, word in _TOKEN.findall(fold(text)):
        if run:
            found.extend(pairs(run))
        elif len(word) <= _LONGEST:
            found.extend(_word(word).terms)
    return found


def pairs(run: str) -> tuple[str, ...]:
    """Return the overlapping pairs of a run of CJK characters; a single character stays single."""
    if len(run) == 1:
        return (run,)
    return tuple(run[start : start + 2] for start in range(len(run) - 1))


@lru_cache(maxsize=20_000)  # a language uses few words for most of its text
def _word(word: str) -> Token:
    pieces = [piece for part in _PARTS.findall(word) for piece in _CAMEL.split(part)]
    whole = word.lower()
    if "'" in whole:  # "user's" is found as "user", "don't" as "dont"
        whole = whole.removesuffix("'s").replace("'", "")
        pieces = [whole]
    if len(pieces) <= 1:
        return Token(kind=TokenKind.WORD, text=word, terms=(stem(whole),))
    parts = tuple(stem(piece.lower()) for piece in pieces)
    return Token(kind=TokenKind.COMPOUND, text=word, terms=(whole, *parts))
