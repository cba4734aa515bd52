"""What somebody took back, taken out of what repeats it elsewhere: of JSON, wherever it stands in it."""

from collections.abc import Collection
from typing import Any

#: Bytes. Fewer are taken out where they are a whole text: within another one they may be anybody's words.
LEAST = 12


def repeats(value: Any, words: Collection[str]) -> bool:
    """Return whether JSON repeats any of some words: whether there is anything to take out of it."""
    return bool(without(value, words) != value)


def without(value: Any, words: Collection[str]) -> Any:
    """Return JSON that repeats none of some words."""
    if isinstance(value, str):
        for each in words:
            if value == each:
                return ""
            value = value.replace(each, "") if len(each.encode()) >= LEAST else value
        return value
    if isinstance(value, dict):
        return {name: without(held, words) for name, held in value.items()}
    return [without(each, words) for each in value] if isinstance(value, list) else value
