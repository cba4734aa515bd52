"""What the inputs of a card hold: their values as Teams sends them, and what its client refuses to send."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.fakes.not_shown import NotShown
from tests.fakes.teams.controls import inputs
from tests.fakes.teams.records import Json

Typed = str | Sequence[str]
INVALID = "This input is invalid."


def chosen(element: Mapping[str, Any], typed: Typed) -> str:
    """Return the value of an input after a person typed or chose, by the words of a choice or its value."""
    match element["type"]:
        case "Input.ChoiceSet":
            names = [typed] if isinstance(typed, str) else list(typed)
            return ",".join(_choice(element, name) for name in names if name)
        case "Input.Toggle":
            on, off = str(element.get("valueOn", "true")), str(element.get("valueOff", "false"))
            if typed not in {on, off}:
                raise NotShown(f"a toggle is {on!r} or {off!r}")
            return str(typed)
        case "Input.Text":
            return str(typed)[: element.get("maxLength")]
        case _:
            return str(typed)


def initial(element: Mapping[str, Any]) -> str:
    """Return the value of an input that nobody touched."""
    if element["type"] == "Input.Toggle":
        return str(element.get("value", element.get("valueOff", "false")))
    return str(element.get("value", ""))


def values(card: Json, typed: Mapping[str, str]) -> dict[str, str]:
    """Return by id what the inputs hold; those that are empty and hold no text are left out, as in Teams."""
    held = {str(each["id"]): (each, typed.get(each["id"], initial(each))) for each in inputs(card)}
    return {name: value for name, (each, value) in held.items() if value or each["type"] == "Input.Text"}


def complaints(card: Json, typed: Mapping[str, str]) -> dict[str, str]:
    """Return by id what Teams' client says before it sends anything."""
    held, found = values(card, typed), {}
    for each in inputs(card):
        value = held.get(each["id"], "")
        if (each.get("isRequired") and not value.strip()) or (value and not _is_valid(each, value)):
            found[str(each["id"])] = str(each.get("errorMessage") or INVALID)
    return found


def _is_valid(element: Mapping[str, Any], value: str) -> bool:
    match element["type"]:
        case "Input.Text":
            return "regex" not in element or re.search(element["regex"], value) is not None
        case "Input.Number":
            number = float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) else None
            return number is not None and element.get("min", number) <= number <= element.get("max", number)
        case "Input.Date":
            return re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None
        case _:
            return True


def _choice(element: Mapping[str, Any], name: str) -> str:
    for each in element["choices"]:
        if name in {each["title"], each["value"]}:
            return str(each["value"])
    there = ", ".join(repr(each["title"]) for each in element["choices"])
    raise NotShown(f"there is no choice {name!r}; there are: {there}")
