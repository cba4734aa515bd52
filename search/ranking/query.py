"""What a question asks for (its content words in the index's terms), and the terms of the passages beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from language.analysis import Token, TokenKind, fold, pairs, terms, tokens
from language.scripts import language_of
from language.stopwords import CHINESE, ENGLISH
from search.indexes.passage_text import searched_path, searched_text
from search.indexes.port import StoredPassage

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
    every = tuple(tokens(fold(text)[:_LONGEST]))  # one character may stand for eighteen
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


def passage_words(passage: StoredPassage) -> frozenset[str]:
    """Return the terms of the passage's own text."""
    if passage.words is not None:
        return passage.words
    return frozenset(terms(searched_text(passage.chunk.text)))


def heading_words(passage: StoredPassage) -> frozenset[str]:
    """Return the terms of what stands above it: the page's title and the section path."""
    return _words_of((passage.title, *passage.chunk.section_path))


def path_words(passage: StoredPassage) -> frozenset[str]:
    """Return the terms of the page's path."""
    return _words_of((searched_path(passage.document_path),))


def nearest_heading(passage: StoredPassage) -> frozenset[str]:
    """Return the content words of the heading right above the passage; none when it stands below no heading."""
    path = passage.chunk.section_path
    return _asked_by(path[-1]) if path else frozenset()


def content_words(analysed: AnalysedQuery) -> frozenset[str]:
    """Return terms, and of Chinese the characters: a heading is too short for its pairs to be those of a question."""
    return frozenset(
        word for token in analysed.tokens for word in (token.text if token.kind is TokenKind.CJK else token.terms)
    )


@lru_cache(maxsize=16_384)
def _words_of(headings: tuple[str, ...]) -> frozenset[str]:
    return frozenset(terms("\n".join(headings)))


@lru_cache(maxsize=16_384)
def _asked_by(heading: str) -> frozenset[str]:
    return content_words(analyse(heading))
