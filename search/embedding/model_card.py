"""The card that comes with a published model: which languages it says the model reads."""

from pathlib import Path

import yaml

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
        stated = yaml.safe_load(front)
    except yaml.YAMLError:
        return frozenset()
    named = stated.get("language") if isinstance(stated, dict) else None
    languages = frozenset(str(each) for each in (named if isinstance(named, list) else [named] if named else []))
    return frozenset() if _MANY in languages else languages
