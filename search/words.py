"""The index terms of a passage, taken from the index where it keeps them, else made again."""

from search.analysis import terms
from search.index import Passage
from search.passage_text import searched_text


def passage_words(passage: Passage) -> frozenset[str]:
    """Return the terms of the passage's own text."""
    if passage.words is not None:
        return passage.words
    return frozenset(terms(searched_text(passage.chunk.text)))


def heading_words(passage: Passage) -> frozenset[str]:
    """Return the terms of what stands above it: the page's title and the section path."""
    return frozenset(terms("\n".join((passage.title, *passage.chunk.section_path))))
