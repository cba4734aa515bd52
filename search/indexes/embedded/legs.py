"""The two legs of a search over one snapshot and one read transaction."""

import heapq
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from search.embedding.port import FloatArray
from search.index import Candidate
from search.indexes.embedded.snapshot import Bools, Ints, Snapshot
from search.spelling import corrected, may_be_misspelt

#: FTS5 scores every row that holds a term, so its cost grows with the terms; the rarest ones say most.
_MOST_TERMS = 12
#: From this many chunks on, a term of more than half of them is left out: bm25() gives it no weight, and reading its
#: places costs more than all others together. Below, it costs nothing and may be all there is.
_MANY_CHUNKS = 1_000
#: bm25() takes the weights of title, section path, body and file path inside one formula: scores of separate fields
#: added up did harm where it was measured.
_WEIGHTS = (3.0, 2.0, 1.0, 0.5)
#: How far down a leg the count of hidden passages looks.
_HIDDEN_DEPTH = 10


@dataclass(frozen=True)
class LegResult:
    """The candidates that the scope allows, best first, and how many others stood among the best."""

    candidates: tuple[Candidate, ...]
    hidden: int


def frequencies(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    """Return in how many chunks each term stands."""
    found: dict[str, int] = {}
    for term in set(terms):
        row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        found[term] = int(row[0]) if row else 0
    return found


def corrections(connection: sqlite3.Connection, known: Mapping[str, int]) -> dict[str, str]:
    """Return for words that no chunk holds the word that was probably meant, with the same first letter."""
    found: dict[str, str] = {}
    for term in (term for term, count in known.items() if not count and may_be_misspelt(term)):
        first = term[0]
        near = connection.execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
            (first, chr(ord(first) + 1), len(term) - 1, len(term) + 1),
        )
        if meant := corrected(term, near):
            found[term] = meant
    return found


def lexical(
    connection: sqlite3.Connection,
    snapshot: Snapshot,
    mask: Bools,
    *,
    terms: Sequence[str],
    known: Mapping[str, int],
    depth: int,
) -> LegResult:
    """Score by BM25 every chunk that holds one of the rarest terms, then keep the best that the mask allows."""
    chosen = _telling(terms, known, chunks=len(snapshot.ids))
    if not chosen:
        return LegResult(candidates=(), hidden=0)
    rows = connection.execute(
        "SELECT rowid, bm25(fts, ?, ?, ?, ?) FROM fts WHERE fts MATCH ?", (*_WEIGHTS, " OR ".join(map(_quoted, chosen)))
    ).fetchall()
    scored = np.array(rows, dtype=np.float64).reshape(-1, 2)
    ordinals = snapshot.ordinals(scored[:, 0].astype(np.int64))
    return _best(snapshot, mask, ordinals, -scored[:, 1].astype(np.float32), depth=depth)


def dense(snapshot: Snapshot, mask: Bools, *, vector: FloatArray, depth: int) -> LegResult:
    """Score every window by its cosine, exactly; a chunk counts by its best window."""
    if not len(snapshot.rows) or snapshot.matrix.shape[1] != len(vector):
        return LegResult(candidates=(), hidden=0)
    scores: FloatArray = snapshot.vectors @ vector.astype(np.float32)
    return _best(snapshot, mask, snapshot.rows, scores, depth=depth)


def _telling(terms: Iterable[str], known: Mapping[str, int], *, chunks: int) -> list[str]:
    """Return the rarest terms that are there at all."""
    present = [term for term in dict.fromkeys(terms) if known.get(term)]
    if chunks >= _MANY_CHUNKS:
        present = [term for term in present if known[term] * 2 <= chunks] or present[:1]
    return heapq.nsmallest(_MOST_TERMS, present, key=lambda term: known[term])


def _best(snapshot: Snapshot, mask: Bools, ordinals: Ints, scores: FloatArray, *, depth: int) -> LegResult:
    allowed = mask[ordinals]
    mine = np.flatnonzero(allowed)
    # Several windows may belong to one chunk, so a few more than asked for are looked at.
    top = mine[_top(scores[mine], depth * 3)]
    candidates: dict[int, float] = {}
    for place in top.tolist():
        ordinal = int(ordinals[place])
        if ordinal not in candidates and len(candidates) < depth:
            candidates[ordinal] = float(scores[place])
    cut = sorted(candidates.values(), reverse=True)[:_HIDDEN_DEPTH]
    bar = cut[-1] if len(cut) == _HIDDEN_DEPTH else -np.inf
    unseen = ordinals[~allowed & (scores > bar)]
    unseen = unseen[snapshot.alive[unseen]]
    return LegResult(
        candidates=tuple(
            Candidate(key=str(snapshot.ids[ordinal]), document=str(snapshot.documents[ordinal]), score=score)
            for ordinal, score in candidates.items()
        ),
        hidden=min(len(np.unique(unseen)), _HIDDEN_DEPTH),
    )


def _top(scores: FloatArray, count: int) -> Ints:
    if len(scores) > count:
        some = np.argpartition(-scores, count)[:count]
        return some[np.argsort(-scores[some], kind="stable")]
    return np.argsort(-scores, kind="stable")


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
