"""A sentence-transformers model, loaded: the one module that imports torch, and is imported in a thread of its own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from huggingface_hub import try_to_load_from_cache
from huggingface_hub.utils.tqdm import disable_progress_bars
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer
from transformers.utils.logging import disable_progress_bar

from search.embedding.port import FloatArray, Role


class TorchModel:
    """The library's model on its best device; no two threads may call it at once, and its owner sees to that."""

    def __init__(self, name: str, *, question_prefix: str, passage_prefix: str, download: bool) -> None:
        disable_progress_bar()  # type: ignore[no-untyped-call] # a desk's log is no screen
        disable_progress_bars()
        prefixes = {"query": question_prefix, "document": passage_prefix}
        given = {key: prefix for key, prefix in prefixes.items() if prefix}
        # Code that comes with a model is never run.
        try:
            self._model = SentenceTransformer(
                name, prompts=given or None, trust_remote_code=False, local_files_only=not download
            )
        except SafetensorError as error:
            raise OSError(f"its weights are damaged: {error}") from error
        self._tokenizer = self._model.tokenizer
        self.dimensions = self._model.get_embedding_dimension() or 0
        special = len(self._tokenizer("", add_special_tokens=True)["input_ids"])
        self.max_tokens = int(self._model.max_seq_length or 512) - special
        self.runs_on_graphics_card = self._model.device.type != "cpu"

    def encode(self, texts: Sequence[str], *, role: Role) -> FloatArray:
        """Return one row of length 1 per text."""
        encode = self._model.encode_query if role == "question" else self._model.encode_document
        vectors = encode(list(texts), batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the content tokens of each text, however long."""
        encoded = self._tokenizer(list(texts), add_special_tokens=False, truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]


def card_of(name: str) -> Path | None:
    """Return the card of a model that was downloaded."""
    found = try_to_load_from_cache(name, "README.md")
    return Path(found) if isinstance(found, str) else None
