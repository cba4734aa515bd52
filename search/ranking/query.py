"""What a question asks for: its content words, in the index's terms, and the language that it is written in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from language.analysis import Token, TokenKind, fold, pairs, tokens
from language.scripts import language_of
from language.stopwords import CHINESE, ENGLISH

#: Characters of a question that are looked at; what is pasted below it only makes the search slow.
_LONGEST = 2_000
#: Digits from which a number is rather an identifier than a count or a year.
_LONG_NUMBER = 5


@dataclass(frozen=True)
class AnalysedQuery:
    """`tokens` carry meaning; words that only make it a question are left out, unless nothing else is there."""

    text: str
    language: str  # by its script: "en", "zh", or "" when it holds no letter
    tokens: tuple[Token, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """Return each term once, in the order of the question."""
        return tuple(dict.fromkeys(term for token in self.tokens for term in token.terms))

    @property
    def identifiers(self) -> frozenset[str]:
        """Return the whole terms of what is meant to the letter: `PPR-9087`, `0x80070005`, `kube-proxy`, 100254."""
        return frozenset(token.terms[0] for token in self.tokens if _is_identifier(token))


def analyse(text: str) -> AnalysedQuery:
    """Return what a question asks for."""
    text = text[:_LONGEST]
    every = tuple(tokens(text))
    content = tuple(_content(every))
    return AnalysedQuery(text=text, language=language_of(fold(text)), tokens=content or every)


_CHINESE_FILLERS = re.compile("|".join(sorted(CHINESE, key=len, reverse=True)))


def _is_identifier(token: Token) -> bool:
    """Tell by its shape; a plain word or a short number is none."""
    if token.kind is not TokenKind.WORD:
        return token.kind is TokenKind.COMPOUND
    digits = sum(map(str.isdigit, token.text))
    return 0 < digits < len(token.text) or digits >= _LONG_NUMBER


def _content(every: tuple[Token, ...]) -> Iterator[Token]:
    for token in every:
        if token.kind is TokenKind.CJK:
            yield from _chinese(token.text)
        elif token.text.lower() not in ENGLISH:
            yield token


def _chinese(run: str) -> Iterator[Token]:
    """Cut a run of Chinese at its question words; they would pair with their neighbours to words that do not exist."""
    kept = [piece for piece in _CHINESE_FILLERS.split(run) if piece]
    long_enough = [piece for piece in kept if len(piece) > 1] or kept
    for piece in long_enough:
        yield Token(kind=TokenKind.CJK, text=piece, terms=pairs(piece))
