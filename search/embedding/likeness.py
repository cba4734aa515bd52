"""How near single sentences are to what is asked, where a few of one page are to be told apart."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence

from search.embedding.port import Embedder, FloatArray
from search.errors import EmbedderUnavailable

#: Sentences whose vectors are kept: who asks on about a page asks about the same ones.
KEPT = 2_048
_LOG = logging.getLogger(__name__)


class Likeness:
    """Compares questions with sentences."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, FloatArray] = OrderedDict()

    async def of(self, questions: Sequence[str], texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """Return for each text its cosines with the questions, 0 for one that tells nothing; nothing without a model.

        Each text is read once as long as it is kept.
        """
        unknown = [text for text in dict.fromkeys(texts) if text not in self._kept]
        try:
            asked, read = await asyncio.gather(
                self._embedder.embed(questions, role="question"), self._embedder.embed(unknown)
            )
        except EmbedderUnavailable as error:
            _LOG.warning("sentences are compared by words alone: %s", error)
            return ()
        known = {text: self._kept[text] for text in texts if text in self._kept} | dict(zip(unknown, read, strict=True))
        for text, vector in known.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return tuple(tuple(self._cosine(question, known[text]) for question in asked) for text in texts)

    def _cosine(self, one: FloatArray, other: FloatArray) -> float:
        return round(self._embedder.cosine(float(one @ other)) or 0.0, 4)
