"""Texts to vectors: the port. Implementations: `onnx` (the default), `memory` (the fake)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


class Embedder(Protocol):
    """One embedding model and its own tokenizer."""

    @property
    def name(self) -> str:
        """Return what its vectors are cached under: another name means other vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Return how many tokens of content the model reads; the rest of a longer text is not seen."""
        ...

    def reads(self, language: str) -> bool:
        """Say whether the model understands a language ("en", "zh", "" when unclear)."""
        ...

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        """Return one row of length 1 per text, in their order; shape (len(texts), dimensions)."""
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
