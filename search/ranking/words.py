"""The index terms of a passage, taken from the index where it keeps them, else made again."""

from functools import lru_cache

from language.analysis import TokenKind, terms
from search.indexes.passage_text import searched_path, searched_text
from search.indexes.port import Passage
from search.ranking.query import AnalysedQuery, analyse


def passage_words(passage: Passage) -> frozenset[str]:
    """Return the terms of the passage's own text."""
    if passage.words is not None:
        return passage.words
    return frozenset(terms(searched_text(passage.chunk.text)))


def heading_words(passage: Passage) -> frozenset[str]:
    """Return the terms of what stands above it: the page's title and the section path."""
    return _words_of((passage.title, *passage.chunk.section_path))


def path_words(passage: Passage) -> frozenset[str]:
    """Return the terms of the page's path."""
    return _words_of((searched_path(passage.document_path),))


def nearest_heading(passage: Passage) -> frozenset[str]:
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
