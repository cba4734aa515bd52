"""How near the best sentence of a passage is to a question: a passage's own vector blurs what one line of it says.

Each sentence, item or row is read with the heading above it. Vectors are kept, so that what is asked about often
costs nothing, and only a batch of short texts is read for one question.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest

import numpy as np

from language.analysis import terms
from language.sentences import blocks, sentences
from search.documents import Hit
from search.embedding.port import Embedder, FloatArray

#: Hits whose sentences are read, and most sentences that one question may still have to read: some 30 ms.
HITS = 5
MOST = 16
#: Characters of a sentence that are read; the cost grows with the longest.
_LONGEST = 260
#: Vectors that are kept, 1.5 kB each.
_KEPT = 4_096


class Closeness:
    """Compares questions with sentences, and remembers the sentences' vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: OrderedDict[str, FloatArray] = OrderedDict()

    async def of(self, question: FloatArray, asked: frozenset[str], hits: Sequence[Hit]) -> Mapping[str, float]:
        """Return the best cosine by chunk, for the first few hits; `asked` are the question's index terms."""
        texts = {hit.chunk.id: _by_words(hit, asked) for hit in hits[:HITS]}
        wanted = chain.from_iterable(zip_longest(*texts.values()))
        missing = [text for text in dict.fromkeys(wanted) if text is not None and text not in self._vectors][:MOST]
        if missing:
            vectors = await self._embedder.embed(missing)
            self._vectors.update(zip(missing, vectors, strict=True))
        found = {chunk: self._best(question, known) for chunk, known in texts.items()}
        while len(self._vectors) > _KEPT:
            self._vectors.popitem(last=False)
        return {chunk: best for chunk, best in found.items() if best is not None}

    def _best(self, question: FloatArray, texts: Sequence[str]) -> float | None:
        known = [self._vectors[text] for text in texts if text in self._vectors]
        for text in texts:
            if text in self._vectors:
                self._vectors.move_to_end(text)
        return float(np.max(np.stack(known) @ question)) if known else None


def _by_words(hit: Hit, asked: frozenset[str]) -> list[str]:
    """Return the hit's sentences with its heading, those first that share most words with the question."""
    heading = hit.chunk.section_path[-1] if hit.chunk.section_path else hit.title
    return [f"{heading}: {piece}"[:_LONGEST] for piece in nearest_first(hit.chunk.text, asked)]


def nearest_first(text: str, asked: frozenset[str]) -> list[str]:
    """Return the sentences, items and rows of a passage, those first that share most index terms with a question."""
    return sorted(_pieces(text), key=lambda piece: -len(asked.intersection(terms(piece))))


def _pieces(text: str) -> Iterator[str]:
    """Yield sentences and items, rows each below the table's first line, and code blocks whole."""
    for (start, end), whole in blocks(text):
        lines = text[start:end].strip().splitlines()
        if not whole:
            yield from (text[begin:until].strip() for begin, until in sentences(text, (start, end)))
        elif len(lines) > 2 and lines[0].lstrip(" >").startswith("|"):
            yield from (f"{lines[0]}\n{row}" for row in lines[2:])
        elif lines:
            yield "\n".join(lines)
