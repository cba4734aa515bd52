"""What an index of ours looks like: its settings, its fields, its names.

Text is analysed on our side (`language.analysis`) and arrives as terms with spaces between them: both back ends then
agree on what a term is, and one search may mix languages. docs/decisions has the reasons and the figures.
"""

from typing import Any

from search.indexes.bm25f import K1, WEIGHTS, B

#: Grows with any change of the fields, of the analysis of text, or of what is embedded: an index of its own then.
VERSION = 2
#: `combined_fields` takes no weight below 1: all are so many times those of the formula, and `k1` with them, which
#: leaves the scores as they are.
_TIMES = 2
WEIGHTED_FIELDS = tuple(f"{name}^{_TIMES * weight:g}" for name, weight in WEIGHTS._asdict().items())
_SIMILARITY = {"type": "BM25", "k1": _TIMES * K1, "b": B}
_TERMS = {"type": "text", "analyzer": "whitespace"}
_KEYWORD = {"type": "keyword"}
_STORED = {"type": "object", "enabled": False}


def template(pattern: str, *, shards: int) -> dict[str, Any]:
    """Return the index template."""
    return {
        "index_patterns": [pattern],
        "priority": 500,
        "template": {"settings": _settings(shards), "mappings": _mappings()},
    }


def vector_field(dimensions: int) -> str:
    """Return the name of the field for vectors of that length."""
    return f"vector_{dimensions}"


def vector_mapping(dimensions: int) -> dict[str, Any]:
    """Return the field for vectors; the kind of its graph is explicit, since the default differs between releases."""
    return {
        vector_field(dimensions): {
            "type": "dense_vector",
            "dims": dimensions,
            "index": True,
            "similarity": "cosine",
            "index_options": {"type": "int8_hnsw", "m": 16, "ef_construction": 100},
        }
    }


def _settings(shards: int) -> dict[str, Any]:
    return {
        "index": {
            "number_of_shards": shards,
            "auto_expand_replicas": "0-1",
            "refresh_interval": "-1",  # every change refreshes when it is complete
            "similarity": {"default": _SIMILARITY},
        }
    }


def _mappings() -> dict[str, Any]:
    return {
        "dynamic": "strict",
        "_meta": {"dutydesk": VERSION},
        # What is only searched is not kept twice; of vectors a copy is kept, since newer servers do not give them back.
        "_source": {"excludes": ["title", "section", "path", "words", "vector_*"]},
        "properties": {
            "kind": _KEYWORD,  # head, page, chunk, window, and abroad: a window for who asks in another language
            "version": {"type": "long"},
            "number": {"type": "integer"},
            "source": _KEYWORD,
            "page": _KEYWORD,
            "allow": _KEYWORD,
            "title": _TERMS,
            "section": _TERMS,
            "body": _TERMS,
            "path": _TERMS,
            "words": {**_TERMS, "index_options": "docs", "norms": False},  # every term of a chunk once, to count chunks
            "chunks": {"type": "integer"},
            "windows": {"type": "integer"},
            "hash": _KEYWORD,
            "model": _KEYWORD,  # whose vector a window has; none yet: no field
            "stored": _STORED,
        },
    }
