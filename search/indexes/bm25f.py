"""BM25F over title, section path, text and file path of a passage, as Elasticsearch's `combined_fields` computes it.

Each field counts with its weight inside one formula: scores of separate fields, added up, did harm where that was
measured. How rare a term is goes by the passages that hold it anywhere; Elasticsearch goes by the field in which most
do, and rounds lengths.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from language.analysis import terms
from search.indexes.passage_text import searched_path, searched_text
from search.indexes.port import IndexEntry

#: How soon a further mention of a term counts for less, and how much a long passage is held against it.
K1, B = 1.2, 0.5


class FieldValues(NamedTuple):
    """One value for each field that is searched."""

    title: float
    section: float
    body: float
    path: float


WEIGHTS = FieldValues(title=3.0, section=2.0, body=1.0, path=0.5)


class FieldTerms(NamedTuple):
    """The terms of one passage by field, in reading order, with repetitions."""

    title: list[str]
    section: list[str]
    body: list[str]
    path: list[str]


def field_terms(entry: IndexEntry) -> Iterator[FieldTerms]:
    """Yield the terms of each of a page's passages; title and path stand in every one."""
    document = entry.document
    title = terms(document.title)
    path = terms(searched_path(document.path))
    for chunk in entry.chunks:
        section = terms(" ".join(chunk.section_path))
        yield FieldTerms(title=title, section=section, body=terms(searched_text(chunk.text)), path=path)


def rarity(holding: int, total: int) -> float:
    """Return what a term is worth that `holding` of `total` passages have: always above 0."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))
