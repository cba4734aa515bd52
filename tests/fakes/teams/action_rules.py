"""What an action of an Adaptive Card may be."""

import re
from collections.abc import Iterator
from typing import Any

from tests.fakes.grammar import Rule, anything, boolean, items, shape, string
from tests.fakes.teams.card_words import known, word

#: More than these are not seen as buttons.
MOST_PRIMARY = 6
_LINK = re.compile(r"https?://[^\s/]+.*", re.DOTALL)
COMMON: dict[str, Rule] = {
    "title": string(200),
    "iconUrl": anything,
    "id": string(200),
    "style": word("default", "positive", "destructive"),
    "fallback": anything,
    "tooltip": string(300),
    "isEnabled": boolean,
    "mode": word("primary", "secondary"),
    "requires": anything,
}


def link(value: Any, where: str) -> Iterator[str]:
    """Take an address of the web."""
    if not isinstance(value, str) or not _LINK.fullmatch(value):
        yield f"must be an http or https address [json-pointer:{where}]"


def _data(value: Any, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"must be an object [json-pointer:{where}]"


_INPUTS = {"associatedInputs": word("auto", "none")}
_FEEDBACK = shape({}, {"feedback": shape({}, {"hide": boolean})})
ACTIONS: dict[str, Rule] = {
    "Action.OpenUrl": shape({"url": link}, COMMON),
    "Action.Submit": shape({}, {**COMMON, **_INPUTS, "data": _data, "msteams": _FEEDBACK}),
    "Action.Execute": shape({}, {**COMMON, **_INPUTS, "data": _data, "verb": string(200)}),
    "Action.ToggleVisibility": shape({"targetElements": items(anything, 50)}, COMMON),
    "Action.ShowCard": shape({"card": anything}, COMMON),
}


def action(value: Any, where: str) -> Iterator[str]:
    """Take one action; what stands in for it in old clients has to be good too."""
    yield from known(ACTIONS, value, where)
    fallback = value.get("fallback") if isinstance(value, dict) else None
    if isinstance(fallback, dict):
        yield from known(ACTIONS, fallback, f"{where}/fallback")


def actions(value: Any, where: str) -> Iterator[str]:
    """Take a row of actions."""
    yield from items(action, 50, least=0)(value, where)
    if isinstance(value, list):
        primary = [each for each in value if isinstance(each, dict) and each.get("mode", "primary") != "secondary"]
        if len(primary) > MOST_PRIMARY:
            yield f"no more than {MOST_PRIMARY} primary actions are shown [json-pointer:{where}]"
