"""Each text by the model that reads its language best: Chinese by one, everything else by another; the default.

Vectors of two models have nothing to do with one another: a cosine between them is chance. So a vector gets one
dimension more, which says whose it is: two of the same model have a score of (1 + cosine) / 2, two of different ones a
score of at most zero, and no index has to know of it.
"""

from collections.abc import Sequence

import numpy as np

from language.scripts import is_chinese
from search.embedding.port import Embedder, FloatArray, OneModel, Role

#: The share of a vector's length that is the text's own; the rest tells the model.
_OWN = 0.5**0.5
_CHINESE = "zh"


class LanguageEmbedder:
    """Two models of equally long vectors behind one name."""

    def __init__(self, *, chinese: Embedder, other: Embedder) -> None:
        self._chinese = _Sided(chinese, _OWN)
        self._other = _Sided(other, -_OWN)
        self.name = f"{other.name}+{chinese.name}"
        self.dimensions = other.dimensions + 1
        self.max_tokens = min(chinese.max_tokens, other.max_tokens)

    def reads(self, language: str) -> bool:
        """Say whether the model of that language reads it."""
        return self._of(language).reads(language)

    def compares(self, language: str, other: str) -> bool:
        """Say whether one model reads both."""
        return self._of(language) is self._of(other) and self.reads(language)

    def cosine(self, score: float) -> float | None:
        """Return the cosine that the models' own vectors have; nothing for those of two models."""
        return _cosine(score)

    def across(self) -> Embedder | None:
        """Return the model of Chinese where it reads English too."""
        return self._chinese if self._chinese.compares("en", _CHINESE) else None

    def count_tokens(self, text: str) -> int:
        """Return the number of content tokens."""
        return self.count_all([text])[0]

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return what the other model counts, which takes each Chinese character for a token: never too few."""
        return self._other.count_all(texts)

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return the vectors of each text's model, and whose they are."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        chinese = np.array([is_chinese(text) for text in texts], dtype=bool)
        for embedder, own in ((self._chinese, chinese), (self._other, ~chinese)):
            if own.any():
                vectors[own] = await embedder.embed(
                    [text for text, is_own in zip(texts, own, strict=True) if is_own], role=role
                )
        return vectors

    async def warm_up(self) -> None:
        """Load both."""
        await self._other.warm_up()
        await self._chinese.warm_up()

    def _of(self, language: str) -> Embedder:
        return self._chinese if language == _CHINESE else self._other


class _Sided(OneModel):
    """One of the models, its vectors with the dimension that tells whose they are."""

    def __init__(self, embedder: Embedder, side: float) -> None:
        self._embedder = embedder
        self._side = side
        self.name = embedder.name
        self.max_tokens = embedder.max_tokens
        self.dimensions = embedder.dimensions + 1

    def reads(self, language: str) -> bool:
        return self._embedder.reads(language)

    def cosine(self, score: float) -> float | None:
        return _cosine(score)

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        return self._embedder.count_all(texts)

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        made = await self._embedder.embed(texts, role=role)
        return np.column_stack([_OWN * made, np.full(len(made), self._side, dtype=np.float32)])

    async def warm_up(self) -> None:
        await self._embedder.warm_up()


def _cosine(score: float) -> float | None:
    return 2 * score - 1 if score > 0 else None
