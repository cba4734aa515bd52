"""Making the vectors that are missing, in batches that are each stored at once: a run that is killed loses one.

Texts are read ahead and those of like length embedded together, since the model pads a batch to its longest.
"""

import asyncio
from collections.abc import Sequence

from search.embedding.batching import batches
from search.embedding.port import Embedder
from search.index import Index, PendingText
from search.report import Stopwatch

#: Tokens that are embedded at once: some seconds of work on two cores.
EMBEDDED_TOKENS = 16_384
_AHEAD = 2_048
#: Texts of one batch, so that many short ones do not keep what is made waiting.
_TEXTS = 256


async def embed_missing(index: Index, embedder: Embedder, *, tokens: int, limit: int | None, watch: Stopwatch) -> int:
    """Make vectors until none is missing or `limit` are made, at most so many tokens at once; return how many."""
    waiting = (await index.statistics()).vectors_pending
    made = 0
    while limit is None or made < limit:
        texts = await index.pending(embedder.name, limit=_AHEAD if limit is None else min(_AHEAD, limit - made))
        if not texts:
            break
        for batch in await asyncio.to_thread(_batches, texts, embedder, tokens):
            vectors = await embedder.embed([pending.text for pending in batch])
            found = {pending.key: vector for pending, vector in zip(batch, vectors, strict=True)}
            await index.put_vectors(embedder.name, found)
            made += len(batch)
            watch.tell(made, max(waiting, made))
    return made


def _batches(texts: Sequence[PendingText], embedder: Embedder, tokens: int) -> list[list[PendingText]]:
    counted = [min(count, embedder.max_tokens) for count in embedder.count_all([pending.text for pending in texts])]
    return [[texts[place] for place in batch] for batch in batches(counted, tokens=tokens, texts=_TEXTS)]
