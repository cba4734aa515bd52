"""Any model that sentence-transformers can load, by the name it is published under or from a folder.

Nothing heavy is imported here: torch comes with the first use, in a thread (`torch_model`). A model that is on the
machine is taken from there, without the network; one that is not is downloaded, unless HF_HUB_OFFLINE forbids it.
"""

import hashlib
import logging
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from search.config import EmbeddingConfig
from search.embedding.batching import Lanes, batches, counted, readable
from search.embedding.port import FloatArray, OneModel, Role
from search.errors import EmbedderUnavailable
from storage.files.text import FileInvalid, parse_text

_MANY = "multilingual"


def languages_of(card: Path) -> frozenset[str]:
    """Return the languages that a card names in its front matter; none where it names none, or means all of them."""
    try:
        text = card.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return frozenset()
    _, _, rest = text.partition("---\n")
    front, end, _ = rest.partition("\n---")
    if not end or text[:3] != "---":
        return frozenset()
    try:
        stated = parse_text(front, card).value
    except FileInvalid:
        return frozenset()
    named = stated.get("language") if isinstance(stated, dict) else None
    languages = frozenset(str(each) for each in (named if isinstance(named, list) else [named] if named else []))
    return frozenset() if _MANY in languages else languages


_LOG = logging.getLogger(__name__)

if TYPE_CHECKING:
    from search.embedding.torch_model import TorchModel

#: One run of the model; a graphics card is only busy with more.
_TOKENS, _TEXTS = 2_048, 32
_MORE = 8
_WEIGHTS = ("*.safetensors", "*.bin", "*.json")
_ENDS = 65_536
#: What the library raises for a model that is missing, broken or too large for the card.
_LOADING = (OSError, ValueError, RuntimeError)


class SentenceTransformerEmbedder(OneModel):
    """A model that the operator chose."""

    def __init__(self, config: EmbeddingConfig) -> None:
        self._config = config
        self._folder = _folder_of(config.model)
        self._languages = frozenset(config.languages)
        if self._folder and not self._languages:
            self._languages = languages_of(self._folder / "README.md")
        self.name = _name_of(config, self._folder)
        self._using = threading.Lock()
        self._model: TorchModel | None = None
        self._lanes = Lanes()

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; loads the model."""
        return self._loaded(download=True).dimensions

    @property
    def max_tokens(self) -> int:
        """Return how many tokens of content are read; loads the model."""
        return self._loaded(download=True).max_tokens

    def reads(self, language: str) -> bool:
        """Say whether the settings name the language, else whether the model's card does; without both, yes."""
        return not language or not self._languages or language in self._languages

    def count_tokens(self, text: str) -> int:
        """Return the number of content tokens."""
        return self.count_all([text])[0]

    def count_all(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the content tokens of each text."""
        model = self._loaded(download=True)
        with self._using:
            return counted(texts, model.count)

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return the model's own pooling, at length 1. A question never waits for a download."""
        given = tuple(texts)
        return await self._lanes.run(lambda: self._embed(given, role=role), texts=len(given))

    async def warm_up(self) -> None:
        """Load the model and run it once."""
        await self.embed(["warm up"])

    def _embed(self, texts: Sequence[str], *, role: Role) -> FloatArray:
        model = self._loaded(download=role == "passage")
        vectors = np.zeros((len(texts), model.dimensions), dtype=np.float32)
        given = [readable(text) for text in texts]
        more = _MORE if model.runs_on_graphics_card else 1
        with self._using:
            lengths = [min(length, model.max_tokens) for length in model.count(given)] if given else []
        for batch in batches(lengths, tokens=_TOKENS * more, texts=_TEXTS * more):
            with self._using:  # given back between batches, so that a question need not wait for all of them
                vectors[batch] = model.encode([given[number] for number in batch], role=role)
        return vectors

    def _loaded(self, *, download: bool) -> "TorchModel":
        with self._using:
            if self._model is None:
                self._model = self._load(download=download)
            return self._model

    def _load(self, *, download: bool) -> "TorchModel":
        try:
            model = self._opened(download=False)
        except _LOADING as error:
            if self._folder or not download:
                raise EmbedderUnavailable(_advice(self._config.model, self._folder, error)) from error
            model = self._downloaded()
        return model

    def _downloaded(self) -> "TorchModel":
        _LOG.info("downloading the embedding model %s", self._config.model)
        try:
            return self._opened(download=True)
        except _LOADING as error:
            raise EmbedderUnavailable(_advice(self._config.model, self._folder, error)) from error

    def _opened(self, *, download: bool) -> "TorchModel":
        config = self._config
        module = import_module("search.embedding.torch_model")  # torch takes seconds to be imported
        model: TorchModel = module.TorchModel(
            str(self._folder or config.model),
            question_prefix=config.question_prefix,
            passage_prefix=config.passage_prefix,
            download=download,
        )
        if not self._folder and not self._languages and (card := module.card_of(config.model)):
            self._languages = languages_of(card)
        return model


def _advice(name: str, folder: Path | None, reason: Exception) -> str:
    why = (str(reason).strip() or type(reason).__name__).splitlines()[0].rstrip(".")
    if folder:
        return f"the folder {folder} holds no model that sentence-transformers can load: {why}"
    return (
        f"the embedding model {name} is not on this machine and could not be downloaded ({why}). Fetch it where there "
        f"is a network (hf download {name}), or copy its folder here and set search.embedding.model to the folder"
    )


def _folder_of(name: str) -> Path | None:
    folder = Path(name).expanduser()
    return folder.resolve() if folder.is_dir() or folder.is_absolute() or name.startswith(("~", ".")) else None


def _name_of(config: EmbeddingConfig, folder: Path | None) -> str:
    """Return a name that changes with whatever changes the vectors, and not with where the folder lies."""
    name = f"{folder.name}@{_fingerprint(folder)}" if folder else config.model
    return f"{name} {config.passage_prefix.strip()}" if config.passage_prefix.strip() else name


def _fingerprint(folder: Path) -> str:
    """Return a hash of the sizes and ends of the model's files: weights of gigabytes are not read for it."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _WEIGHTS for path in folder.rglob(pattern) if path.is_file()}):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder).as_posix()} {size}\n".encode())
        with path.open("rb") as file:
            digest.update(file.read(_ENDS))
            file.seek(max(0, size - _ENDS))
            digest.update(file.read())
    return digest.hexdigest()[:8]
