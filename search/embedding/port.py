"""Texts to vectors: the port. Its implementations are the other modules; `by_language` is the default."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

#: What a text is to the model: some are trained to read a question in another way than a passage that answers it.
Role = Literal["question", "passage"]


class Embedder(Protocol):
    """One embedding model and its own tokenizer."""

    @property
    def name(self) -> str:
        """Return what its vectors are cached under: another name means other vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; loads the model where only that can tell."""
        ...

    @property
    def max_tokens(self) -> int:
        """Return how many tokens of content the model reads; more of a longer text may not be seen."""
        ...

    def reads(self, language: str) -> bool:
        """Say whether the model understands a language ("en", "zh", "" when unclear)."""
        ...

    def compares(self, language: str, other: str) -> bool:
        """Say whether what texts of these two languages have in common can be told from their vectors."""
        ...

    def cosine(self, score: float) -> float | None:
        """Return how near two texts are by what an index made of their vectors; None where it tells nothing."""
        ...

    def across(self) -> "Embedder | None":
        """Return the model that compares English with Chinese texts, be it slower; None where there is none.

        Its vectors are as long as one's own, and score against those of one's own that are of the same model.
        """
        ...

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return one row of length 1 per text, in their order; shape (len(texts), dimensions).

        Raises `EmbedderUnavailable`, as everything here does that has to load the model.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Return the number of content tokens, without the model's special ones."""
        ...

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return `count_tokens` of each text, in one go."""
        ...

    async def warm_up(self) -> None:
        """Load the model now, so that the first question does not wait for it."""
        ...


class OneModel:
    """What holds of an embedder whose vectors are all of one model."""

    def reads(self, language: str) -> bool:
        """Say whether the model understands a language."""
        raise NotImplementedError

    def compares(self, language: str, other: str) -> bool:
        """Say whether both are read."""
        return self.reads(language) and self.reads(other)

    def cosine(self, score: float) -> float | None:
        """Return it as it is."""
        return score

    def across(self) -> Embedder | None:
        """Return none: vectors of one model either can be compared as they are, or cannot be at all."""
        return None
