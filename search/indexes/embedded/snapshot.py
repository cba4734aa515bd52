"""What a search needs in memory: who may read which chunk, its terms and its vectors, as of one generation of the file.

A snapshot is loaded inside the reader's own transaction, so that it agrees with the passages that are read next. Later
snapshots are made from earlier ones by loading only what changed; vectors share one growing array.
"""

import sqlite3
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.access import Scope
from search.embedding.port import FloatArray
from search.indexes.bm25f import K1, B
from search.indexes.embedded.access_lists import AccessLists, Bools, Numbers
from search.indexes.embedded.checksums import require_whole, whole
from search.indexes.embedded.postings import UNIT, Chunks, Segment, Unsorted, inverted, lengths, unpacked, with_added
from search.indexes.embedded.reading import IS_ABROAD

Ints = NDArray[np.int64]

_NO_INTS: Ints = np.zeros(0, dtype=np.int64)
_NO_NUMBERS: Numbers = np.zeros(0, dtype=np.int32)
_NO_FLOATS: FloatArray = np.zeros(0, dtype=np.float32)
#: Rows that are read at once: what is read is in memory twice until it stands in its array.
_PIECE = 10_000
#: A snapshot with more dead chunks than this share is loaded afresh.
_DEAD_SHARE = 0.25
_SCOPES_KEPT = 64


@dataclass(frozen=True)
class Permitted:
    """What a scope may read of a snapshot. Words are weighed by this alone: how rare one is would tell of the rest."""

    mask: Bools  # for each chunk
    total: int
    length: float  # of a chunk on average, weighted
    alone: Bools | None = None  # for each chunk, whether only those who read along keep it out; None: nobody does


@dataclass(frozen=True)
class Vectors:
    """Vectors of windows, and whose they are."""

    matrix: FloatArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))  # with room to grow
    rows: Ints = field(default_factory=lambda: _NO_INTS)  # ordinal of each window
    share: float = 1.0  # of all windows of this kind that have their vector

    @property
    def used(self) -> FloatArray:
        """Return the vectors in use, one row per window."""
        return self.matrix[: len(self.rows)]


@dataclass(frozen=True)
class Snapshot:
    """Arrays are indexed by a chunk's ordinal (its place by id) or by a window's row."""

    epoch: int = -1
    generation: int = 0
    ids: Ints = field(default_factory=lambda: _NO_INTS)  # chunk ids, ascending
    documents: Ints = field(default_factory=lambda: _NO_INTS)  # document id of each chunk
    alive: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    segments: tuple[Segment, ...] = ()  # which chunk holds which term
    lengths: FloatArray = field(default_factory=lambda: _NO_FLOATS)  # of each chunk, weighted
    lists: AccessLists = field(default_factory=AccessLists)
    access: Numbers = field(default_factory=lambda: _NO_NUMBERS)  # number of each chunk's access list
    own: Vectors = field(default_factory=Vectors)
    abroad: Vectors = field(default_factory=Vectors)  # for who asks in another language
    kept: dict[Scope, Permitted] = field(default_factory=dict)

    def permitted(self, scope: Scope) -> Permitted:
        """Return which chunks the scope may read."""
        kept = self.kept.get(scope)
        if kept is None:
            mask = self.alive & self.lists.opened(scope)[self.access]
            total = int(np.count_nonzero(mask))
            alone = None
            if scope.narrowed:
                alone = self.alive & self.lists.opened(scope.alone)[self.access] & ~mask
            kept = Permitted(mask, total, float(self.lengths[mask].mean()) if total else 1.0, alone)
            if len(self.kept) >= _SCOPES_KEPT:
                self.kept.clear()
            self.kept[scope] = kept
        return kept

    def holding(self, term: int, permitted: Permitted) -> int:
        """Return how many permitted chunks hold a term."""
        return sum(int(np.count_nonzero(permitted.mask[segment.of(term)[0]])) for segment in self.segments)

    def norms(self, chunks: Chunks, permitted: Permitted) -> FloatArray:
        """Return what BM25F adds to a term's frequency in these chunks."""
        scale = B / max(permitted.length, 1.0)
        norms: FloatArray = np.float32(K1 / UNIT) * (np.float32(1 - B) + np.float32(scale) * self.lengths[chunks])
        return norms


def refreshed(connection: sqlite3.Connection, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot of the transaction that the connection is in; the same one when nothing changed."""
    epoch, generation = position(connection)
    if (epoch, generation) == (snapshot.epoch, snapshot.generation):
        return snapshot
    base = snapshot if snapshot.epoch == epoch else Snapshot(epoch=epoch)
    grown = _grown(connection, base, generation)
    if len(grown.ids) > 1_000 and 1 - grown.alive.mean() > _DEAD_SHARE:
        grown = _grown(connection, Snapshot(epoch=epoch), generation)
    return grown


def position(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return epoch and generation of the file; a new epoch means that nothing loaded before is of use."""
    rows = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('epoch', 'generation')"))
    return int(rows["epoch"]), int(rows["generation"])


def _grown(connection: sqlite3.Connection, base: Snapshot, generation: int) -> Snapshot:
    ids, documents, pieces, added = _added(connection, base)
    gone = connection.execute("SELECT chunk_id FROM gone WHERE generation > ?", (base.generation,)).fetchall()
    dead = np.array([row[0] for row in gone], dtype=np.int64)
    alive = np.concatenate([base.alive, np.ones(len(ids) - len(base.ids), dtype=np.bool_)])
    alive[np.flatnonzero(np.isin(ids, dead))] = False
    long, shares = np.concatenate([base.lengths, added]), _shares(connection)
    return Snapshot(
        epoch=base.epoch,
        generation=generation,
        ids=ids,
        documents=documents,
        alive=alive,
        segments=with_added(base.segments, inverted(pieces)) if pieces else base.segments,
        lengths=long,
        lists=base.lists,
        access=np.concatenate([base.access, _access(connection, base, documents)]),
        own=_vectors(connection, base.own, ids, since=base.generation, abroad=False, share=shares[False]),
        abroad=_vectors(connection, base.abroad, ids, since=base.generation, abroad=True, share=shares[True]),
    )


def _added(connection: sqlite3.Connection, base: Snapshot) -> tuple[Ints, Ints, list[Unsorted], FloatArray]:
    """Return every chunk's id and document; of those that are new their postings and lengths."""
    ids, documents, long, pieces = [base.ids], [base.documents], [], []
    first = len(base.ids)
    found = connection.execute(
        f"SELECT chunk.id, chunk.document_id, posting.terms, {whole('posting')} "
        "FROM chunk JOIN posting ON posting.chunk_id = chunk.id "
        "WHERE chunk.generation > ? ORDER BY chunk.id",
        (base.generation,),
    )
    while rows := found.fetchmany(_PIECE):
        require_whole(rows, "terms")
        ids.append(np.array([row[0] for row in rows], dtype=np.int64))
        documents.append(np.array([row[1] for row in rows], dtype=np.int64))
        piece = unpacked([row[2] for row in rows], first=first)
        pieces.append(piece)
        long.append(lengths(piece, first=first, count=len(rows)))
        first += len(rows)
    return np.concatenate(ids), np.concatenate(documents), pieces, np.concatenate([_NO_FLOATS, *long])


def _shares(connection: sqlite3.Connection) -> dict[bool, float]:
    """Return the share of windows that have their vector: of those of one's own language, and of those for another."""
    counted = "SELECT hash GLOB ? AS abroad, count(*), count(generation) FROM window GROUP BY abroad"
    found = connection.execute(counted, (IS_ABROAD,))
    return {False: 1.0, True: 1.0} | {bool(abroad): 1.0 - (every - made) / every for abroad, every, made in found}


def _access(connection: sqlite3.Connection, base: Snapshot, documents: Ints) -> Numbers:
    """Return the number of each new chunk's access list; a page that changed is always a new document."""
    new = documents[len(base.documents) :]
    if not len(new):
        return _NO_NUMBERS
    query = f"SELECT id, source, allow, {whole('document')} FROM document WHERE id >= ? ORDER BY id"
    rows = connection.execute(query, (int(new[0]),)).fetchall()
    require_whole(rows, "pages")
    numbers = base.lists.numbers((source, allow) for _, source, allow, _ in rows)
    return numbers[np.searchsorted(np.array([row[0] for row in rows], dtype=np.int64), new)]


def _vectors(
    connection: sqlite3.Connection, base: Vectors, ids: Ints, *, since: int, abroad: bool, share: float
) -> Vectors:
    which = (since, IS_ABROAD, abroad)
    (fresh,) = connection.execute(
        "SELECT count(*) FROM window WHERE generation > ? AND (hash GLOB ?) = ?", which
    ).fetchone()
    found = connection.execute(
        f"SELECT window.chunk_id, embedding.vector, {whole('embedding')} FROM window JOIN meta ON meta.key = 'model' "
        "JOIN embedding ON embedding.hash = window.hash AND embedding.model = meta.value "
        "WHERE window.generation > ? AND (window.hash GLOB ?) = ?",
        which,
    )
    matrix, used, owners = base.matrix, len(base.rows), [_NO_INTS]
    while rows := found.fetchmany(_PIECE):
        require_whole(rows, "vectors")
        stacked = np.frombuffer(b"".join(vector for _, vector, _ in rows), dtype=np.float16).reshape(len(rows), -1)
        matrix = _with_room(matrix, used, len(base.rows) + fresh, width=stacked.shape[1])
        matrix[used : used + len(rows)] = stacked
        used += len(rows)
        owners.append(np.array([owner for owner, _, _ in rows], dtype=np.int64))
    places = np.concatenate([base.rows, np.searchsorted(ids, np.concatenate(owners))])
    return Vectors(matrix, places, share)


def _with_room(matrix: FloatArray, used: int, wanted: int, *, width: int) -> FloatArray:
    """Return an array with at least `wanted` rows; room to grow by a quarter takes memory only once it is used.

    Rows beyond those of a snapshot are invisible to it, so an older snapshot may go on reading the same array.
    """
    if wanted <= len(matrix) and matrix.shape[1] == width:
        return matrix
    roomy = np.zeros((max(wanted * 5 // 4, 256), width), dtype=np.float32)
    if used:
        roomy[:used] = matrix[:used]
    return roomy
