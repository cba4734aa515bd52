"""Every question to the index file but the search itself, each inside a transaction that the caller has opened."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import date

import numpy as np

from search.access import Scope
from search.documents import Chunk, UnitKind, Validity
from search.indexes.embedded.checksums import SUMMED, require_whole, whole
from search.indexes.embedded.postings import POSTING
from search.indexes.passage_text import ABROAD, embedded_key
from search.indexes.port import EmbeddedText, Statistics, StoredPage, StoredPassage

_WHOLE_PAGE = f"{whole('document')} AND coalesce(markdown_sum = checksum(markdown), 1)"
_PASSAGE = f"""
SELECT chunk.id, document.source, document.path, document.title, document.language, document.updated,
  document.allow, chunk.number, chunk.section_path, chunk.anchor, chunk.text, chunk.tokens, chunk.kind, chunk.windows,
  chunk.gap, chunk.repeated, chunk.words, document.url, document.valid, {whole("document", "chunk")}
"""
_PASSAGES = f"""{_PASSAGE}
FROM json_each(?) AS wanted CROSS JOIN chunk ON chunk.id = wanted.value
JOIN document ON document.id = chunk.document_id
"""
_AROUND = f"""{_PASSAGE}
FROM document JOIN chunk ON chunk.document_id = document.id
WHERE document.source = ? AND document.path = ? AND chunk.number BETWEEN ? AND ? ORDER BY chunk.number
"""
_STATISTICS = """
SELECT
  (SELECT count(*) FROM document WHERE :source IS NULL OR source = :source),
  (SELECT count(*) FROM chunk WHERE :source IS NULL OR document_id IN (SELECT id FROM document WHERE source = :source)),
  (SELECT count(*) FROM document WHERE allow = '[]' AND (:source IS NULL OR source = :source)),
  (SELECT count(DISTINCT hash) FROM window WHERE generation IS NULL AND (:source IS NULL OR chunk_id IN (
    SELECT chunk.id FROM chunk JOIN document ON document.id = chunk.document_id WHERE document.source = :source))),
  (SELECT count(DISTINCT hash) FROM window WHERE generation IS NULL AND hash GLOB :abroad AND (:source IS NULL
    OR chunk_id IN (SELECT chunk.id FROM chunk JOIN document ON document.id = chunk.document_id
      WHERE document.source = :source)))
"""
#: What finds the keys of vectors for another language.
IS_ABROAD = f"{ABROAD}*"
#: Above this many chunks of all sources a search takes longer than people should wait, and memory goes into gigabytes.
_MADE_FOR = 200_000
_CHECKS = {
    "chunks without a document": "SELECT count(*) FROM chunk WHERE document_id NOT IN (SELECT id FROM document)",
    "windows without a chunk": "SELECT count(*) FROM window WHERE chunk_id NOT IN (SELECT id FROM chunk)",
    "chunks without their terms": "SELECT count(*) FROM chunk WHERE id NOT IN (SELECT chunk_id FROM posting)",
    "terms without a chunk": "SELECT count(*) FROM posting WHERE chunk_id NOT IN (SELECT id FROM chunk)",
    "vectors of no size": "SELECT count(*) FROM embedding WHERE length(vector) = 0",
    "removed chunks that are there": "SELECT count(*) FROM gone WHERE chunk_id IN (SELECT id FROM chunk)",
    "facts that are missing": "SELECT 4 - count(*) FROM meta WHERE key IN ('version', 'epoch', 'generation', 'model')",
}
#: What is to be as it was written.
_SUMS = (
    f"SELECT {_WHOLE_PAGE} FROM document",
    *(f"SELECT {whole(table)} FROM {table}" for table in SUMMED if table != "document"),
)
#: What is read as text or JSON; a page of garbage in the midst of a long one is no error of the file.
_TEXTS = (
    "SELECT source, path, title, url, markdown, json_valid(allow) FROM document",
    "SELECT text, words, gap, json_valid(section_path) FROM chunk",
    "SELECT text, hash, 1 FROM window",
    "SELECT text, 1 FROM term",
)


def pending(connection: sqlite3.Connection, limit: int) -> list[EmbeddedText]:
    """Return texts without a vector, each once, oldest first; those for another language last."""
    rows = connection.execute(
        "SELECT hash, text, hash GLOB ? AS abroad FROM window WHERE generation IS NULL "
        "GROUP BY hash ORDER BY abroad, min(id) LIMIT ?",
        (IS_ABROAD, limit),
    )
    return [EmbeddedText(key=key, text=text, abroad=bool(abroad)) for key, text, abroad in rows]


def passages(connection: sqlite3.Connection, keys: Sequence[str], scope: Scope) -> dict[str, StoredPassage]:
    """Return passages by key; the access list is checked once more."""
    rows = connection.execute(_PASSAGES, (json.dumps([int(key) for key in keys]),)).fetchall()
    require_whole(rows, "passages")
    found = {str(row[0]): _passage(row) for row in rows}
    return {key: passage for key, passage in found.items() if scope.opens(passage.source, passage.allow)}


def _passage(row: tuple[object, ...]) -> StoredPassage:
    (
        _,
        source,
        path,
        title,
        language,
        updated,
        allow,
        number,
        section_path,
        anchor,
        text,
        tokens,
        kind,
        windows,
        gap,
        repeated,
        words,
        url,
        valid,
        _,
    ) = row
    chunk = Chunk(
        document_id=f"{source}:{path}",
        number=int(str(number)),
        section_path=tuple(json.loads(str(section_path))),
        anchor=str(anchor),
        text=str(text),
        tokens=int(str(tokens)),
        kind=UnitKind(str(kind)),
        windows=tuple(json.loads(str(windows))) if windows else (),
        gap=str(gap),
        repeated=int(str(repeated)),
    )
    return StoredPassage(
        chunk=chunk,
        source=str(source),
        document_path=str(path),
        title=str(title),
        language=str(language),
        updated=date.fromisoformat(str(updated)) if updated else None,
        allow=tuple(json.loads(str(allow))),
        words=frozenset(str(words).split()),
        url=str(url),
        valid=Validity.of(str(valid)),
    )


def neighbours(
    connection: sqlite3.Connection, chunk_id: str, scope: Scope, reach: tuple[int, int]
) -> tuple[Chunk, ...]:
    """Return a chunk and those around it, or nothing."""
    document, _, number = chunk_id.rpartition("#")
    source, _, path = document.partition(":")
    if not number.isdigit():
        return ()
    rows = connection.execute(
        _AROUND,
        (source, path, int(number) - reach[0], int(number) + reach[1]),
    ).fetchall()
    require_whole(rows, "passages")
    passages = [_passage(row) for row in rows]
    if not any(passage.chunk.number == int(number) for passage in passages):
        return ()
    return tuple(passage.chunk for passage in passages if scope.opens(passage.source, passage.allow))


def readable(connection: sqlite3.Connection, documents: Collection[str], scope: Scope) -> frozenset[str]:
    """Return which pages are there and allowed; their ids come in and go out."""
    wanted = json.dumps([document.split(":", 1) for document in documents if ":" in document])
    rows = connection.execute(
        "SELECT source, document.path, allow FROM json_each(?) AS wanted JOIN document "
        "ON source = json_extract(wanted.value, '$[0]') AND document.path = json_extract(wanted.value, '$[1]')",
        (wanted,),
    )
    opened = ((source, path) for source, path, allow in rows if scope.opens(source, tuple(json.loads(allow))))
    return frozenset(f"{source}:{path}" for source, path in opened)


def page(connection: sqlite3.Connection, source: str, path: str, scope: Scope) -> StoredPage | None:
    """Return a page, or None."""
    row = connection.execute(
        f"SELECT title, language, updated, content_hash, allow, markdown, url, valid, {_WHOLE_PAGE} FROM document "
        "WHERE source = ? AND path = ?",
        (source, path),
    ).fetchone()
    if row is None:
        return None
    require_whole([row], "pages")
    title, language, updated, content_hash, listed, markdown, url, valid, _ = row
    allow = tuple(json.loads(listed))
    if not scope.opens(source, allow):
        return None
    return StoredPage(
        source=source,
        path=path,
        title=title,
        language=language,
        updated=date.fromisoformat(updated) if updated else None,
        content_hash=content_hash,
        allow=allow,
        markdown=markdown,
        url=url,
        valid=Validity.of(valid),
    )


def statistics(connection: sqlite3.Connection, source: str | None) -> Statistics:
    """Count what is there."""
    asked = {"source": source, "abroad": IS_ABROAD}
    documents, chunks, without_access, waiting, abroad = connection.execute(_STATISTICS, asked).fetchone()
    (every,) = connection.execute("SELECT count(*) FROM chunk").fetchone()
    return Statistics(
        documents=documents,
        chunks=chunks,
        without_access=without_access,
        vectors_pending=waiting - abroad,
        abroad_pending=abroad,
        model=model(connection),
        exceeds=_MADE_FOR if every > _MADE_FOR else 0,
    )


def model(connection: sqlite3.Connection) -> str:
    """Return the model whose vectors are searched; empty when there were none yet."""
    (name,) = connection.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
    return str(name)


def unfilled(connection: sqlite3.Connection) -> str:
    """Return the mark of a file that was not filled since it was begun in place of another one; else nothing."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'unfilled'").fetchone()
    return str(row[0]) if row else ""


def verify(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return what does not fit together; nothing when the file is sound."""
    counted = {what: connection.execute(query).fetchone()[0] for what, query in _CHECKS.items()}
    counted["passages whose terms have no spelling"] = _unspelt(connection)
    counted["entries that cannot be read"] = _failing(connection, _TEXTS)
    counted["entries that are not as they were written"] = _failing(connection, _SUMS)
    windows = connection.execute("SELECT text, hash FROM window")
    counted["texts that are not as they were embedded"] = sum(
        embedded_key(text, abroad=key.startswith(ABROAD)) != key for text, key in windows
    )
    wrong = [f"{what}: {count}" for what, count in counted.items() if count]
    (state,) = connection.execute("PRAGMA integrity_check(1)").fetchone()  # a word's spelling stands in an index, too
    return (*wrong, *([] if state == "ok" else [f"file: {state}"]))


def _failing(connection: sqlite3.Connection, queries: Sequence[str]) -> int:
    """Count the rows whose last column says that something is wrong with them."""
    return sum(not row[-1] for query in queries for row in connection.execute(query))


def _unspelt(connection: sqlite3.Connection) -> int:
    """Count the chunks with a term that the vocabulary lacks; numbers are given in turn and never taken back."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM term").fetchone()
    kept = connection.execute("SELECT terms FROM posting WHERE length(terms) > 0")
    return sum(int(np.frombuffer(terms, dtype=POSTING)["term"].max()) > last for (terms,) in kept)
