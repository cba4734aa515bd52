"""Which chunk holds which term how often: as it is kept in the file, and turned round to be searched by term.

The file keeps each chunk's terms in one value, so that a changed page is a few rows. In memory they stand by term, in
segments: what is added becomes a segment of its own, and segments of about one size are merged, so that there are
never many and a small change is cheap.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search.indexes.bm25f import WEIGHTS, FieldTerms

#: A term of a chunk: its number in the vocabulary and how often it stands in each field, 255 at most.
POSTING = np.dtype([("term", "<u4"), ("title", "u1"), ("section", "u1"), ("body", "u1"), ("path", "u1")])
_MOST = 255
#: Weighted frequencies are kept as whole numbers of this unit.
UNIT = 0.5
_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)

Terms = NDArray[np.uint32]
Places = NDArray[np.int64]
Chunks = NDArray[np.int32]
Frequencies = NDArray[np.uint16]


def packed(found: FieldTerms, numbers: Mapping[str, int]) -> bytes:
    """Return what the file keeps of a chunk."""
    rows: dict[int, list[int]] = {}
    for field, terms in enumerate(found, start=1):
        for term, count in Counter(terms).items():
            rows.setdefault(numbers[term], [numbers[term], 0, 0, 0, 0])[field] = min(count, _MOST)
    return np.array(list(map(tuple, rows.values())), dtype=POSTING).tobytes()


@dataclass(frozen=True)
class Segment:
    """Postings of a run of chunks, by term and then by chunk. `starts` has one place more than there are terms."""

    terms: Terms  # ascending, each once
    starts: Places
    chunks: Chunks  # ordinals
    frequencies: Frequencies  # weighted, in units

    def of(self, term: int) -> tuple[Chunks, Frequencies]:
        """Return the chunks that hold a term, and how often."""
        place = int(np.searchsorted(self.terms, term))
        if place == len(self.terms) or self.terms[place] != term:
            return self.chunks[:0], self.frequencies[:0]
        inside = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.chunks[inside], self.frequencies[inside]


@dataclass(frozen=True)
class Unsorted:
    """Postings in the order of their chunks."""

    terms: Terms
    chunks: Chunks
    frequencies: Frequencies


def unpacked(values: Sequence[bytes], *, first: int) -> Unsorted:
    """Return the postings of chunks that follow one another, from the ordinal `first` on."""
    records = np.frombuffer(b"".join(values), dtype=POSTING)
    held = np.array([len(value) // POSTING.itemsize for value in values], dtype=np.int64)
    weighted = np.zeros(len(records), dtype=np.uint16)
    for name, weight in WEIGHTS._asdict().items():
        weighted += records[name] * np.uint16(weight / UNIT)
    chunks = np.repeat(np.arange(first, first + len(values), dtype=np.int32), held)
    return Unsorted(terms=records["term"].copy(), chunks=chunks, frequencies=weighted)


def lengths(found: Unsorted, *, first: int, count: int) -> NDArray[np.float32]:
    """Return the weighted length of each of `count` chunks, in units."""
    return np.bincount(found.chunks - first, weights=found.frequencies, minlength=count).astype(np.float32)


def inverted(pieces: Iterable[Unsorted]) -> Segment:
    """Return postings by term; the pieces follow one another."""
    every = tuple(pieces)
    # Term and place in one number: sorting those is several times as fast as sorting places by their terms.
    order = np.concatenate([piece.terms for piece in every]).astype(np.uint64)
    order <<= _HALF
    order |= np.arange(len(order), dtype=np.uint64)
    order.sort()
    terms = (order >> _HALF).astype(np.uint32)
    order &= _LOWER
    places = order.view(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], terms[1:] != terms[:-1]])) if len(terms) else np.zeros(0, np.int64)
    return Segment(
        terms=terms[starts],
        starts=np.append(starts, len(terms)),
        chunks=np.concatenate([piece.chunks for piece in every])[places],
        frequencies=np.concatenate([piece.frequencies for piece in every])[places],
    )


def with_added(segments: tuple[Segment, ...], added: Segment) -> tuple[Segment, ...]:
    """Return the segments with another one; those that are not twice as large as what follows are merged with it."""
    kept = [*segments, added] if len(added.terms) else list(segments)
    while len(kept) > 1 and len(kept[-2].chunks) < 2 * len(kept[-1].chunks):
        last = kept.pop()
        kept[-1] = inverted((_flat(kept[-1]), _flat(last)))
    return tuple(kept)


def _flat(segment: Segment) -> Unsorted:
    terms = np.repeat(segment.terms, np.diff(segment.starts))
    return Unsorted(terms=terms, chunks=segment.chunks, frequencies=segment.frequencies)
