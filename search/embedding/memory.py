"""The fake embedder: texts that share telling words lie near each other. Deterministic, instant, no model at all."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from language.analysis import terms
from language.stopwords import ENGLISH as STOP_WORDS
from search.embedding.port import FloatArray, OneModel, Role

# As the real tokenizer counts: a Chinese character is a token, and so is a mark.
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]{1,6}|[^\w\s]")

#: What a word like "is" or "the" is worth: no model sees a likeness in them.
LITTLE = 0.2


@dataclass(frozen=True)
class HashEmbedder(OneModel):
    """Each term points in a direction of its own; a text points where its terms point together."""

    name: str = "hash"
    dimensions: int = 64
    max_tokens: int = 254
    languages: frozenset[str] = frozenset({"en", ""})

    def reads(self, language: str) -> bool:
        """Say whether the language is one of those given."""
        return language in self.languages

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return one vector of length 1 per text; a text without terms gets a fixed one."""
        del role
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, self.dimensions), np.float32)

    def count_tokens(self, text: str) -> int:
        """Return about what a word-piece tokenizer counts."""
        return len(_TOKEN.findall(text))

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the count of each text."""
        return [self.count_tokens(text) for text in texts]

    async def warm_up(self) -> None:
        """Do nothing: there is nothing to load."""

    def _vector(self, text: str) -> FloatArray:
        total = np.zeros(self.dimensions, np.float32)
        for term in terms(text) or [""]:
            seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
            weight = LITTLE if term in STOP_WORDS else 1.0
            total += weight * np.random.default_rng(seed).standard_normal(self.dimensions).astype(np.float32)
        unit: FloatArray = total / np.linalg.norm(total)
        return unit
