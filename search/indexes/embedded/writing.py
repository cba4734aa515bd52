"""Every change of the index file, each in one transaction that the caller has opened."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from search.documents import Chunk
from search.embedding.port import FloatArray
from search.indexes.bm25f import FieldTerms
from search.indexes.embedded import checksums, vocabulary
from search.indexes.embedded.postings import packed
from search.indexes.port import EmbeddedText, IndexEntry

#: Removed chunks are remembered for readers that lag; a reader that lags further loads everything.
_GONE_KEPT = 50_000
#: Vectors of texts that are gone are kept up to this many, 8 MB, however few are in use.
_UNUSED_KEPT = 10_000

_SUM_PAGE = f"UPDATE document SET sum = {checksums.made('document')}, markdown_sum = checksum(markdown) WHERE id = ?"
_SUM_CHUNKS = f"UPDATE chunk SET sum = {checksums.made('chunk')} WHERE document_id = ?"
_INSERT_POSTING = "INSERT INTO posting (chunk_id, terms, sum) VALUES (?1, ?2, checksum(?2))"
_INSERT_VECTOR = "INSERT OR REPLACE INTO embedding (hash, model, vector, sum) VALUES (?1, ?2, ?3, checksum(?3))"


def replace(
    connection: sqlite3.Connection, entries: Sequence[IndexEntry], found: Sequence[Sequence[FieldTerms]]
) -> None:
    """Put pages in, in place of what stood under their source and path; `found` has the terms of their passages."""
    generation = _next_generation(connection)
    every = {term for passages in found for fields in passages for field in fields for term in field}
    numbers = vocabulary.learned(connection, every)
    for entry, passages in zip(entries, found, strict=True):
        document = entry.document
        _remove(connection, _document_ids(connection, document.source, [document.path]), generation)
        page = _insert_page(connection, entry)
        for chunk, windows, terms in zip(entry.chunks, entry.windows, passages, strict=True):
            key = _insert_chunk(connection, chunk, page, generation, words=terms.body)
            connection.execute(_INSERT_POSTING, (key, packed(terms, numbers)))
            _insert_windows(connection, key, windows, generation)
        connection.execute(_SUM_CHUNKS, (page,))
    _forget_old(connection)


def delete(connection: sqlite3.Connection, source: str, paths: Sequence[str] | None) -> int:
    """Remove pages of a source, all of them without `paths`; return how many there were."""
    ids = _document_ids(connection, source, paths)
    if ids:
        _remove(connection, ids, _next_generation(connection))
        _forget_old(connection)
    return len(ids)


def prune(connection: sqlite3.Connection, *, kept: int = _UNUSED_KEPT) -> None:
    """Drop the vectors of texts that are gone, once they are more than those in use: what went may come back."""
    (every,) = connection.execute("SELECT count(*) FROM embedding").fetchone()
    (unused,) = connection.execute(
        "SELECT count(*) FROM embedding WHERE hash NOT IN (SELECT hash FROM window)"
    ).fetchone()
    if unused > max(kept, every - unused):
        connection.execute("DELETE FROM embedding WHERE hash NOT IN (SELECT hash FROM window)")


def serve(connection: sqlite3.Connection, mark: str) -> None:
    """Forget that the file was unfilled, unless it is another one by now."""
    connection.execute("DELETE FROM meta WHERE key = 'unfilled' AND value = ?", (mark,))


def use_model(connection: sqlite3.Connection, model: str) -> None:
    """Make a model the one whose vectors are searched; vectors of it that are cached count at once."""
    (current,) = connection.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
    if current == model:
        return
    generation = _next_generation(connection)
    connection.execute("UPDATE meta SET value = ? WHERE key = 'model'", (model,))
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'epoch'")
    connection.execute(
        "UPDATE window SET generation = CASE WHEN EXISTS "
        "(SELECT 1 FROM embedding WHERE embedding.hash = window.hash AND embedding.model = ?) THEN ? END",
        (model, generation),
    )


def put_vectors(connection: sqlite3.Connection, model: str, vectors: Mapping[str, FloatArray]) -> None:
    """Store vectors by the hash of their text and let their windows take part."""
    use_model(connection, model)
    generation = _next_generation(connection)
    rows = [(key, model, vector.astype(np.float16).tobytes()) for key, vector in vectors.items()]
    connection.executemany(_INSERT_VECTOR, rows)
    connection.executemany(
        "UPDATE window SET generation = ? WHERE hash = ? AND generation IS NULL", [(generation, key) for key in vectors]
    )


def _insert_page(connection: sqlite3.Connection, entry: IndexEntry) -> int:
    document = entry.document
    added = connection.execute(
        "INSERT INTO document (source, path, title, language, updated, content_hash, allow, markdown, url, valid) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document.source,
            document.path,
            document.title,
            document.language,
            document.updated.isoformat() if document.updated else None,
            document.content_hash,
            json.dumps(document.allow),
            entry.markdown,
            document.url,
            str(document.valid),
        ),
    )
    connection.execute(_SUM_PAGE, (added.lastrowid,))
    return added.lastrowid or 0


def _insert_chunk(
    connection: sqlite3.Connection, chunk: Chunk, page: int, generation: int, *, words: Sequence[str]
) -> int:
    added = connection.execute(
        "INSERT INTO chunk (document_id, number, generation, section_path, anchor, text, tokens, kind, windows, words, "
        "gap, repeated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            page,
            chunk.number,
            generation,
            json.dumps(chunk.section_path, ensure_ascii=False),
            chunk.anchor,
            chunk.text,
            chunk.tokens,
            chunk.kind.value,
            json.dumps(chunk.windows, ensure_ascii=False) if chunk.windows else "",
            " ".join(dict.fromkeys(words)),
            chunk.gap,
            chunk.repeated,
        ),
    )
    return added.lastrowid or 0


def _insert_windows(
    connection: sqlite3.Connection, chunk_id: int, windows: Iterable[EmbeddedText], generation: int
) -> None:
    connection.executemany(
        "INSERT INTO window (chunk_id, text, hash, generation) VALUES (?, ?, ?, (SELECT ? FROM embedding "
        "JOIN meta ON meta.key = 'model' AND meta.value = embedding.model WHERE embedding.hash = ?))",
        [(chunk_id, each.text, each.key, generation, each.key) for each in windows],
    )


def _document_ids(connection: sqlite3.Connection, source: str, paths: Sequence[str] | None) -> list[int]:
    if paths is None:
        rows = connection.execute("SELECT id FROM document WHERE source = ?", (source,))
    else:
        rows = connection.execute(
            "SELECT id FROM document WHERE source = ? AND path IN (SELECT value FROM json_each(?))",
            (source, json.dumps(list(paths))),
        )
    return [key for (key,) in rows]


def _remove(connection: sqlite3.Connection, pages: Sequence[int], generation: int) -> None:
    for page in pages:
        rows = connection.execute("SELECT id FROM chunk WHERE document_id = ?", (page,)).fetchall()
        connection.executemany("INSERT INTO gone VALUES (?, ?)", [(generation, key) for (key,) in rows])
        connection.executemany("DELETE FROM posting WHERE chunk_id = ?", rows)
        connection.executemany("DELETE FROM window WHERE chunk_id = ?", rows)
        connection.execute("DELETE FROM chunk WHERE document_id = ?", (page,))
        connection.execute("DELETE FROM document WHERE id = ?", (page,))


def _next_generation(connection: sqlite3.Connection) -> int:
    rows = connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation' RETURNING value").fetchall()
    return int(rows[0][0])


def _forget_old(connection: sqlite3.Connection) -> None:
    (count,) = connection.execute("SELECT count(*) FROM gone").fetchone()
    if count > _GONE_KEPT:
        connection.execute("DELETE FROM gone")
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'epoch'")
