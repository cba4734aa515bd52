"""How near single sentences are to what is asked, where a few of one page are to be told apart."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence

from language.scripts import language_of
from search.embedding.port import Embedder, FloatArray
from search.errors import EmbedderUnavailable

#: Sentences whose vectors are kept: who asks on about a page asks about the same ones.
KEPT = 2_048
_LOG = logging.getLogger(__name__)


class Likeness:
    """Compares questions with sentences; those in the other language by a model that reads both, if there is one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._own = _Compared(embedder)
        between = embedder.across()
        self._between = _Compared(between) if between else None

    async def of(self, questions: Sequence[str], texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """Return for each text its cosines with the questions, 0 for one that tells nothing; nothing without a model.

        Each text is read once as long as it is kept.
        """
        asked = language_of(" ".join(questions))
        foreign = [text for text in texts if self._between and not self._is_read_with(asked, text)]
        own = [text for text in texts if text not in foreign]
        try:
            near = await self._own.of(questions, own) if own else {}
            if self._between and foreign:
                near |= await self._between.of(questions, foreign)
        except EmbedderUnavailable as error:
            _LOG.warning("sentences are compared by words alone: %s", error)
            return ()
        return tuple(near[text] for text in texts)

    def _is_read_with(self, asked: str, text: str) -> bool:
        language = language_of(text)
        return asked == language or not language or self._embedder.compares(asked, language)


class _Compared:
    """Texts as one model reads them, the newest kept."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, FloatArray] = OrderedDict()

    async def of(self, questions: Sequence[str], texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._kept]
        asked, read = await asyncio.gather(
            self._embedder.embed(questions, role="question"), self._embedder.embed(unknown)
        )
        known = {text: self._kept[text] for text in texts if text in self._kept} | dict(zip(unknown, read, strict=True))
        for text, vector in known.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return {text: tuple(self._cosine(question, vector) for question in asked) for text, vector in known.items()}

    def _cosine(self, one: FloatArray, other: FloatArray) -> float:
        return round(self._embedder.cosine(float(one @ other)) or 0.0, 4)
