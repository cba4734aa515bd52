"""An index of made-up passages: words by Zipf's law, access lists, vectors. The same ones in every run."""

import random
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from search.documents import Chunk, Document, Section, SectionKind
from search.indexes.port import Index, IndexEntry

WORDS = 20_000
GROUPS = 200
DIMENSIONS = 384
CHUNKS_PER_PAGE = 10
_PAGES_AT_ONCE = 100
_VECTORS_AT_ONCE = 5_000
_ROOT = Section(heading="", level=0, path=(), anchor="", kind=SectionKind.ROOT)


class Texts:
    """Made-up words with the frequencies of a real language."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._words = ["".join(self._random.choices(letters, k=self._random.randint(3, 9))) for _ in range(WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def words(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def number(self, least: int, most: int) -> int:
        return self._random.randint(least, most)

    def groups(self, *, most: int) -> tuple[str, ...]:
        count = self._random.randint(1, most) if most < GROUPS else GROUPS
        return tuple(f"group:{number}" for number in self._random.sample(range(GROUPS), count))

    def page(self) -> str:
        sections = (f"## {' '.join(self.words(4))}\n\n{' '.join(self.words(45))}.\n" for _ in range(10))
        return f"# {' '.join(self.words(5))}\n\n" + "\n".join(sections)


async def fill(index: Index, *, chunks: int, model: str, texts: Texts, most_groups: int = 3) -> None:
    """Put pages of ten passages into an index, each open to some of the groups, and a vector for each passage."""
    pages = chunks // CHUNKS_PER_PAGE
    for start in range(0, pages, _PAGES_AT_ONCE):
        numbers = range(start, min(start + _PAGES_AT_ONCE, pages))
        await index.replace([page_of(number, texts, most_groups=most_groups) for number in numbers])
    made = np.random.default_rng(1)
    while waiting := await index.pending(model, limit=_VECTORS_AT_ONCE):
        vectors = made.standard_normal((len(waiting), DIMENSIONS), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        await index.put_vectors(model, {text.key: vectors[place] for place, text in enumerate(waiting)})


def page_of(number: int, texts: Texts, *, most_groups: int = 3) -> IndexEntry:
    """Return one page; its passages have 30 to 130 words below headings of their own."""
    path = f"p{number}.md"
    chunks = tuple(_chunks(f"book:{path}", texts))
    document = Document(
        source="book",
        path=path,
        title=" ".join(texts.words(5)),
        root=_ROOT,
        content_hash="h",
        allow=texts.groups(most=most_groups),
        language="en",
    )
    return IndexEntry(
        document=document,
        chunks=chunks,
        markdown="\n\n".join(chunk.text for chunk in chunks),
        embedded=tuple((f"{number} {chunk.number} {chunk.text}",) for chunk in chunks),
    )


def _chunks(document: str, texts: Texts) -> Iterator[Chunk]:
    for number in range(CHUNKS_PER_PAGE):
        words = texts.number(30, 130)
        yield Chunk(
            document_id=document,
            number=number,
            section_path=(" ".join(texts.words(4)),),
            anchor=f"s{number}",
            text=" ".join(texts.words(words)),
            tokens=2 * words,
        )
