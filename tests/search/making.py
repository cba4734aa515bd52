"""Pages, entries and scopes for the tests of search."""

from collections.abc import Sequence

from search.access import Scope
from search.documents import Chunk, Hit, Signals
from search.embedding.memory import HashEmbedder
from search.indexes.passage_text import embedded_texts
from search.indexes.port import IndexEntry
from search.sources.origins import NOWHERE, Origins
from search.sources.pages import read_page
from search.sync.chunking import chunk

EVERYTHING = Scope(everything=True, principals=frozenset())
STAFF = Scope(everything=False, principals=frozenset({"public", "staff"}))
EMBEDDER = HashEmbedder()


def entry(
    path: str, markdown: str, *, allow: Sequence[str] = ("staff",), source: str = "book", origins: Origins = NOWHERE
) -> IndexEntry:
    page, problems = read_page(markdown.encode(), source=source, path=path, allow=tuple(allow), origins=origins)
    assert page is not None, problems
    chunks = chunk(page.document, EMBEDDER.count_all)
    return IndexEntry(
        document=page.document,
        chunks=chunks,
        markdown=page.markdown,
        embedded=tuple(embedded_texts(passage, page.document.title) for passage in chunks),
    )


def hit_of(passage: Chunk) -> Hit:
    """Return a passage as it is found: nothing is known of it but what it says."""
    return Hit(
        chunk=passage,
        source="book",
        document_path="a.md",
        title="A",
        language="en",
        updated=None,
        score=1.0,
        signals=Signals(),
    )
