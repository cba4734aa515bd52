"""Pages to documents of the index and back. Ids are made of the page's version: to send one again is harmless.

`VERSION` is a page, `VERSION.NUMBER` a chunk, `VERSION.NUMBER.PLACE` one window of it. Chunks are for the words and
windows for the vectors, so that making vectors never touches text.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

import numpy as np

from search.documents import Chunk, UnitKind, Validity
from search.embedding.port import FloatArray
from search.indexes.bm25f import FieldTerms, field_terms
from search.indexes.elasticsearch.documents.mapping import vector_field
from search.indexes.port import EmbeddedText, IndexEntry, StoredPage, StoredPassage

#: One document and its id.
Written = tuple[str, dict[str, Any]]


def page_key(source: str, path: str) -> str:
    """Return what names a page of any version: ids may be longer than a keyword may."""
    return hashlib.sha256(f"{source}:{path}".encode()).hexdigest()


def key_of(index: str, place: str) -> str:
    """Return what names a chunk: versions begin anew in every index."""
    return f"{index}/{place}"


def keys_by_index(keys: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the ids of chunks by the index that they were found in."""
    found: dict[str, list[str]] = {}
    for key in keys:
        index, _, place = key.partition("/")
        found.setdefault(index, []).append(place)
    return found


def documents_of(entry: IndexEntry, version: int, vectors: Mapping[str, str], model: str) -> Iterator[Written]:
    """Yield a page's documents; windows whose text has a vector already get it."""
    document = entry.document
    shared = {
        "version": version,
        "source": document.source,
        "page": page_key(document.source, document.path),
        "allow": list(document.allow),
    }
    shown = {
        "path": document.path,
        "title": document.title,
        "language": document.language,
        "updated": document.updated.isoformat() if document.updated else None,
        "url": document.url,
        "valid": str(document.valid),
    }
    for chunk, fields, windows in zip(entry.chunks, field_terms(entry), entry.windows, strict=True):
        yield f"{version}.{chunk.number}", {**shared, **_chunk(chunk, fields, shown)}
        for place, each in enumerate(windows):
            window = {"number": chunk.number, **_window(each, vectors, model)}
            yield f"{version}.{chunk.number}.{place}", {**shared, **window}
    yield (
        f"{version}",
        {
            **shared,
            "kind": "page",
            "chunks": len(entry.chunks),
            "windows": sum(map(len, entry.embedded)),
            "stored": {**shown, "content_hash": document.content_hash, "markdown": entry.markdown},
        },
    )


def _chunk(chunk: Chunk, fields: FieldTerms, shown: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "kind": "chunk",
        "number": chunk.number,
        **{name: " ".join(terms) for name, terms in fields._asdict().items()},
        "words": " ".join(dict.fromkeys(chain.from_iterable(fields))),
        "stored": {
            **shown,
            "section_path": list(chunk.section_path),
            "anchor": chunk.anchor,
            "text": chunk.text,
            "tokens": chunk.tokens,
            "kind": chunk.kind.value,
            "windows": list(chunk.windows),
            "gap": chunk.gap,
            "repeated": chunk.repeated,
        },
    }


def _window(window: EmbeddedText, vectors: Mapping[str, str], model: str) -> dict[str, Any]:
    data = vectors.get(window.key)
    made = {"stored": {}} if data is None else vector_part(data, model)
    kind = "abroad" if window.abroad else "window"
    return {**made, "kind": kind, "hash": window.key, "stored": {"text": window.text, **made["stored"]}}


def vector_part(data: str, model: str) -> dict[str, Any]:
    """Return what a window has of its vector; one without a direction is kept and never searched."""
    vector = unpacked(data)
    searched = {vector_field(len(vector)): plain(vector)} if vector.any() else {}
    return {"model": model, "stored": {"vector": data}, **searched}


def packed(vector: FloatArray) -> str:
    """Return a vector as text."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def unpacked(data: str) -> FloatArray:
    """Return the vector that was packed."""
    vector: FloatArray = np.frombuffer(base64.b64decode(data), dtype="<f4").astype(np.float32)
    return vector


def plain(vector: FloatArray) -> list[float]:
    """Return a vector as numbers for JSON, with as many digits as it has."""
    return [round(value, 8) for value in vector.tolist()]


def passage_of(found: Mapping[str, Any]) -> StoredPassage:
    """Return a chunk's document as a passage."""
    stored = found["stored"]
    return StoredPassage(
        chunk=Chunk(
            document_id=f"{found['source']}:{stored['path']}",
            number=found["number"],
            section_path=tuple(stored["section_path"]),
            anchor=stored["anchor"],
            text=stored["text"],
            tokens=stored["tokens"],
            kind=UnitKind(stored["kind"]),
            windows=tuple(stored["windows"]),
            gap=stored.get("gap", "\n\n"),
            repeated=stored.get("repeated", 0),
        ),
        source=found["source"],
        document_path=stored["path"],
        title=stored["title"],
        language=stored["language"],
        updated=_day(stored["updated"]),
        allow=tuple(found["allow"]),
        words=frozenset(found["body"].split()),
        url=_url(stored),
        valid=Validity.of(stored.get("valid", "")),
    )


def page_of(found: Mapping[str, Any]) -> StoredPage:
    """Return a page's document as it may be shown."""
    stored = found["stored"]
    return StoredPage(
        source=found["source"],
        path=stored["path"],
        title=stored["title"],
        language=stored["language"],
        updated=_day(stored["updated"]),
        content_hash=stored["content_hash"],
        allow=tuple(found["allow"]),
        markdown=stored["markdown"],
        url=_url(stored),
        valid=Validity.of(stored.get("valid", "")),
    )


def texts_of(entries: Iterable[IndexEntry]) -> Sequence[str]:
    """Return the key of every text that pages have embedded, each once."""
    return tuple({each.key: None for entry in entries for of_one in entry.windows for each in of_one})


def _url(stored: Mapping[str, Any]) -> str:
    """Return a page's address; pages that were written before there was one have none until they are read again."""
    return str(stored.get("url", ""))


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None
