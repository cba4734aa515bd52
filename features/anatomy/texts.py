"""The words of the desk in English and Chinese: `texts.en.yaml` and `texts.zh.yaml` of each feature, and the shell's.

All files of one language are merged, so that one key means the same everywhere; a key that two files hold is an error.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

import features

LANGUAGES = ("en", "zh")
#: The one in C is fifty times as fast; both make plain values only.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Packages outside of `features` whose YAML files hold words, too: the shell adds its own.
_others: list[str] = []


class UnknownText(KeyError):
    """No text stands under that key; a programming error, seen by the catalogue test."""


class TextDefinedTwice(ValueError):
    """Two files hold the same key."""


def say(language: str, key: str, **values: object) -> str:
    """Return the text under a dotted key with its `{names}` filled in; English where the language is not spoken."""
    texts = catalogue("zh" if language.startswith("zh") else "en")
    if key not in texts:
        raise UnknownText(key)
    return texts[key].format(**values) if values else texts[key]


def has(key: str) -> bool:
    """Return True when a text stands under the key."""
    return key in catalogue("en")


def read() -> None:
    """Read the files of every language, so that no answer has to wait for them."""
    for language in LANGUAGES:
        catalogue(language)


def add(package: str) -> None:
    """Let the YAML files of one more package hold words."""
    if package not in _others:
        _others.append(package)


def one_line(words: str, *, longest: int) -> str:
    """Return people's words as one line of a list: no link of theirs is one there, and the rest is cut off."""
    said = " ".join(words.replace("[", "(").replace("]", ")").split())
    return said if len(said) <= longest else f"{said[: longest - 1]}…"


def read_yaml(path: Path | Traversable) -> Any:
    """Return what a YAML file of our own or of who runs the desk says; {} for an empty one."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER) or {}  # noqa: S506 - a safe one


def prompt_of(package: str, name: str = "prompt.md") -> str:
    """Return `prompt.md` of a feature's package, or another text that it has for a model."""
    return (Path(next(iter(import_module(package).__path__))) / name).read_text(encoding="utf-8").strip()


def folder_of(feature: str) -> Path:
    """Return the folder of a feature, which goes by its name."""
    return Path(next(iter(import_module(f"features.{feature}").__path__)))


def catalogue(language: str) -> Mapping[str, str]:
    """Return every text of a language by dotted key."""
    return _catalogue(language, tuple(features.__path__), tuple(_others))


@cache
def _catalogue(language: str, folders: tuple[str, ...], others: tuple[str, ...]) -> Mapping[str, str]:
    """Read the files; the folders of the package are part of what it is kept under, since one may come or go."""
    merged: dict[str, str] = {}
    for file in _files(language, folders, others):
        found = _flatten("", read_yaml(file))
        twice = merged.keys() & found.keys()
        if twice:
            raise TextDefinedTwice(f"{file.name}: {', '.join(sorted(twice))}")
        merged.update(found)
    return merged


def _files(language: str, folders: tuple[str, ...], others: tuple[str, ...]) -> Iterator[Traversable]:
    for folder in folders:
        yield from sorted(Path(folder).glob(f"*/texts.{language}.yaml"))
    for package in others:
        yield from (file for file in files(package).iterdir() if file.name.endswith(f".{language}.yaml"))


def _flatten(prefix: str, node: Mapping[str, Any]) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in node.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat.update(_flatten(f"{key}.", value))
        else:
            flat[key] = str(value).rstrip("\n")
    return flat
