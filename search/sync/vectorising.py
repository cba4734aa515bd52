"""Making the vectors that are missing, in batches that are each stored at once: a run that is killed loses one.

Texts are read ahead and those of like length embedded together, since the model pads a batch to its longest.
"""

from collections.abc import Iterator, Sequence

from search.embedding.batching import batches
from search.embedding.port import Embedder
from search.indexes.port import Index, PendingText
from search.sources.report import Stopwatch

#: Tokens that are embedded at once: some seconds of work on two cores.
EMBEDDED_TOKENS = 32_768
_AHEAD = 2_048
#: Texts of one batch, so that many short ones do not keep what is made waiting.
_TEXTS = 512
#: Of a token: a Chinese character is one of three bytes; of Latin letters it takes a few more.
_BYTES = 3


async def embed_missing(index: Index, embedder: Embedder, *, tokens: int, limit: int | None, watch: Stopwatch) -> int:
    """Make vectors until none is missing or `limit` are made, about so many tokens at once; return how many."""
    waiting = (await index.statistics()).vectors_pending
    made = 0
    while limit is None or made < limit:
        texts = await index.pending(embedder.name, limit=_AHEAD if limit is None else min(_AHEAD, limit - made))
        if not texts:
            break
        for batch in _batches(texts, tokens):
            vectors = await embedder.embed([pending.text for pending in batch])
            found = {pending.key: vector for pending, vector in zip(batch, vectors, strict=True)}
            await index.put_vectors(embedder.name, found)
            made += len(batch)
            watch.tell(made, max(waiting, made))
    return made


def _batches(texts: Sequence[PendingText], tokens: int) -> Iterator[list[PendingText]]:
    """Yield texts of like length together; how long they are is told well enough without the model's tokenizer."""
    lengths = [len(pending.text.encode()) // _BYTES for pending in texts]
    for batch in batches(lengths, tokens=tokens, texts=_TEXTS):
        yield [texts[place] for place in batch]
