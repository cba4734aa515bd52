"""Find a text by language and key. The files of one language are merged; both languages have the same keys."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

LANGUAGES = ("en", "zh")


class UnknownText(KeyError):
    """No text stands under that key; a programming error, seen by the catalogue test."""


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


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return every text of a language by dotted key."""
    merged: dict[str, str] = {}
    for file in sorted(files("bot.rendering.texts").iterdir(), key=lambda each: each.name):
        if file.name.endswith(f".{language}.yaml"):
            merged.update(_flatten("", yaml.safe_load(file.read_text(encoding="utf-8")) or {}))
    return merged


def _flatten(prefix: str, node: Mapping[str, Any]) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in node.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat.update(_flatten(f"{key}.", value))
        else:
            flat[key] = str(value).rstrip("\n")
    return flat
