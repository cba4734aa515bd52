"""What a search needs in memory: who may read which chunk, and the vectors, as of one generation of the file.

A snapshot is loaded inside the reader's own transaction, so that it always agrees with the text index that is asked
next. Later snapshots are made from earlier ones by loading only what changed; vectors share one growing array.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.access import Scope
from search.embedding.port import FloatArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_NO_INTS: Ints = np.zeros(0, dtype=np.int64)
#: A snapshot with more dead chunks than this share is loaded afresh.
_DEAD_SHARE = 0.25
_MASKS_KEPT = 64


@dataclass(frozen=True)
class Snapshot:
    """Arrays are indexed by a chunk's ordinal (its place by id) or by a window's row."""

    epoch: int = -1
    generation: int = 0
    ids: Ints = field(default_factory=lambda: _NO_INTS)  # chunk ids, ascending
    documents: Ints = field(default_factory=lambda: _NO_INTS)  # document id of each chunk
    alive: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    allowed: Mapping[str, Ints] = field(default_factory=dict)  # principal → ordinals
    matrix: FloatArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))  # with room to grow
    rows: Ints = field(default_factory=lambda: _NO_INTS)  # ordinal of each window
    share: float = 1.0  # of all windows that have their vector
    masks: dict[Scope, Bools] = field(default_factory=dict)

    @property
    def vectors(self) -> FloatArray:
        """Return the vectors in use, one row per window."""
        return self.matrix[: len(self.rows)]

    def mask(self, scope: Scope) -> Bools:
        """Return for each chunk whether the scope may read it."""
        kept = self.masks.get(scope)
        if kept is None:
            kept = self._mask(scope)
            if len(self.masks) >= _MASKS_KEPT:
                self.masks.clear()
            self.masks[scope] = kept
        return kept

    def ordinals(self, ids: Ints) -> Ints:
        """Return the ordinals of chunk ids that are all known."""
        return np.searchsorted(self.ids, ids)

    def _mask(self, scope: Scope) -> Bools:
        mask = self.alive if scope.everything else self.alive & self._union(scope.principals)
        return mask if scope.within is None else mask & self._union(scope.within)

    def _union(self, principals: frozenset[str]) -> Bools:
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        for principal in principals:
            mask[self.allowed.get(principal, _NO_INTS)] = True
        return mask


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
    added = connection.execute(
        "SELECT id, document_id FROM chunk WHERE generation > ? ORDER BY id", (base.generation,)
    ).fetchall()
    ids = np.concatenate([base.ids, np.array([row[0] for row in added], dtype=np.int64)])
    documents = np.concatenate([base.documents, np.array([row[1] for row in added], dtype=np.int64)])
    alive = np.concatenate([base.alive, np.ones(len(added), dtype=np.bool_)])
    gone = connection.execute("SELECT chunk_id FROM gone WHERE generation > ?", (base.generation,)).fetchall()
    dead = np.array([row[0] for row in gone], dtype=np.int64)
    alive[np.flatnonzero(np.isin(ids, dead))] = False
    matrix, rows = _vectors(connection, base, ids)
    return Snapshot(
        epoch=base.epoch,
        generation=generation,
        ids=ids,
        documents=documents,
        alive=alive,
        allowed=_allowed(connection, base, documents),
        matrix=matrix,
        rows=rows,
        share=_share(connection),
    )


def _share(connection: sqlite3.Connection) -> float:
    (missing,) = connection.execute("SELECT count(*) FROM window WHERE generation IS NULL").fetchone()
    (made,) = connection.execute("SELECT count(*) FROM window").fetchone()
    return 1.0 - missing / made if made else 1.0


def _allowed(connection: sqlite3.Connection, base: Snapshot, documents: Ints) -> dict[str, Ints]:
    first = len(base.ids)
    new = documents[first:]
    if not len(new):
        return dict(base.allowed)
    found: dict[str, list[Ints]] = {}
    pages = json.dumps(np.unique(new).tolist())
    order = np.argsort(new, kind="stable")
    in_order = new[order]
    for page, principal in connection.execute(
        "SELECT document_id, principal FROM acl WHERE document_id IN (SELECT value FROM json_each(?))", (pages,)
    ):
        start, stop = np.searchsorted(in_order, (page, page + 1))
        found.setdefault(principal, []).append(order[start:stop] + first)
    allowed = dict(base.allowed)
    for principal, ordinals in found.items():
        allowed[principal] = np.concatenate([allowed.get(principal, _NO_INTS), *ordinals])
    return allowed


def _vectors(connection: sqlite3.Connection, base: Snapshot, ids: Ints) -> tuple[FloatArray, Ints]:
    fresh = connection.execute(
        "SELECT window.chunk_id, embedding.vector FROM window JOIN meta ON meta.key = 'model' "
        "JOIN embedding ON embedding.hash = window.hash AND embedding.model = meta.value "
        "WHERE window.generation > ?",
        (base.generation,),
    ).fetchall()
    if not fresh:
        return base.matrix, base.rows
    stacked = np.frombuffer(b"".join(vector for _, vector in fresh), dtype=np.float16)
    vectors = stacked.reshape(len(fresh), -1).astype(np.float32)
    owners = np.array([owner for owner, _ in fresh], dtype=np.int64)
    places = np.searchsorted(ids, owners)
    used = len(base.rows)
    matrix = _with_room(base.matrix, used, used + len(fresh), width=vectors.shape[1])
    matrix[used : used + len(fresh)] = vectors
    return matrix, np.concatenate([base.rows, places])


def _with_room(matrix: FloatArray, used: int, wanted: int, *, width: int) -> FloatArray:
    """Return an array with at least `wanted` rows; it grows by half, so that appending is cheap.

    Rows beyond those of a snapshot are invisible to it, so an older snapshot may go on reading the same array.
    """
    if wanted <= len(matrix) and matrix.shape[1] == width:
        return matrix
    roomy = np.zeros((max(wanted, used * 3 // 2, 256), width), dtype=np.float32)
    if used:
        roomy[:used] = matrix[:used]
    return roomy
