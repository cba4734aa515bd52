"""How an Adaptive Card is written: its words, its types with what stands in for unknown ones, and its versions."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.grammar import Rule

#: The newest that Teams draws for bots.
NEWEST = (1, 5)
#: Type → the version that brought it; all others are of the first.
BROUGHT_BY = {
    "Table": (1, 5), "Action.Execute": (1, 4), "ActionSet": (1, 2), "RichTextBlock": (1, 2),
    "Action.ToggleVisibility": (1, 2),
}  # fmt: skip


def word(*values: str) -> Rule:
    """Take one of these words, in capitals or not."""
    small = {value.casefold() for value in values}

    def check(value: Any, where: str) -> Iterator[str]:
        if not isinstance(value, str) or value.casefold() not in small:
            yield f"must be one of {', '.join(values)} [json-pointer:{where}]"

    return check


def known(table: Mapping[str, Rule], value: Any, where: str) -> Iterator[str]:
    """Take something of a known type, or an unknown one that says what stands in its place."""
    kind = value.get("type") if isinstance(value, dict) else None
    rule = table.get(str(kind))
    if rule is not None:
        yield from rule(value, where)
    elif not isinstance(value, dict) or "fallback" not in value:
        yield f"unsupported type: {kind} [json-pointer:{where}/type]"
    elif value["fallback"] != "drop":
        yield from known(table, value["fallback"], f"{where}/fallback")


def of_version(card: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is newer than the card says it is, or newer than Teams."""
    found = re.fullmatch(r"(\d)\.(\d)", str(card.get("version")))
    version = (int(found[1]), int(found[2])) if found else None
    if version is None or version > NEWEST:
        yield "version must be 1.0 to 1.5 [json-pointer:/version]"
        return
    for kind in sorted({str(part.get("type")) for part in parts(card)}):
        if BROUGHT_BY.get(kind, (1, 0)) > version:
            yield f"{kind} is newer than version {card['version']} [json-pointer:/version]"


def parts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object in a card that is drawn or can be pressed, the card itself first; data is none."""
    if isinstance(value, list):
        for each in value:
            yield from parts(each)
    elif isinstance(value, dict):
        if "type" in value:
            yield value
        for name, each in value.items():
            if name not in {"data", "fallback", "metadata", "msteams"}:
                yield from parts(each)
