"""What a modal's inputs hold: their state as Slack reports it, and what Slack's own client refuses to send."""

import re
from collections.abc import Iterable, Sequence

from tests.fakes.not_shown import NotShown
from tests.fakes.slack.controls import Control, controls, option
from tests.fakes.slack.records import Json

Typed = str | Sequence[str] | None
#: By element type: the key of its state, and the key under which the app gives its first value.
_PLAIN = {
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "users_select": ("selected_user", "initial_user"),
}
_ONE = {"static_select", "external_select", "radio_buttons", "overflow"}
_MANY = {"checkboxes", "multi_static_select", "multi_external_select"}
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_URL = re.compile(r"https?://\S+")
REQUIRED = "Please complete this required field."


def chosen(element: Json, typed: Typed) -> Json:
    """Return the state of an element after a person typed or chose; None clears it."""
    kind = str(element["type"])
    names = [typed] if isinstance(typed, str) else list(typed or ())
    if kind in _PLAIN:
        return {_PLAIN[kind][0]: next(iter(names), None) or None}
    if kind in _ONE:
        return {"selected_option": option(element, names[0]) if names else None}
    if kind in _MANY:
        return {"selected_options": [option(element, each) for each in names]}
    raise NotShown(f"nobody can type into a {kind}")


def initial(element: Json) -> Json:
    """Return the state of an element that nobody touched; a button has none."""
    kind = str(element["type"])
    if kind in _PLAIN:
        key, first = _PLAIN[kind]
        return {key: element.get(first)}
    if kind in _ONE:
        return {"selected_option": element.get("initial_option")}
    if kind in _MANY:
        return {"selected_options": element.get("initial_options") or []}
    return {}


def values(blocks: Iterable[Json], typed: Json) -> Json:
    """Return `state.values`: what was typed (by block and action id) over what the elements begin with."""
    found: Json = {}
    for control in controls(blocks):
        state = typed.get(control.block_id, {}).get(control.action_id) or initial(control.element)
        if state:
            found.setdefault(control.block_id, {})[control.action_id] = {"type": control.kind, **state}
    return found


def complaints(blocks: Iterable[Json], state_values: Json) -> dict[str, str]:
    """Return by block id what Slack's client says before it sends anything."""
    found: dict[str, str] = {}
    for control in controls(blocks):
        if control.block is not None:
            state = state_values.get(control.block_id, {}).get(control.action_id, {})
            if words := _complaint(control, state):
                found[control.block_id] = words
    return found


def _complaint(control: Control, state: Json) -> str | None:
    value = next((each for name, each in state.items() if name != "type"), None)
    if value in (None, "", []) or (isinstance(value, str) and not value.strip()):
        return None if control.optional else REQUIRED
    return _text_complaint(control.element, value) if isinstance(value, str) else None


def _text_complaint(element: Json, value: str) -> str | None:
    longest, shortest = element.get("max_length", 3000), element.get("min_length", 0)
    match element["type"]:
        case "plain_text_input" if len(value) > longest:
            return f"Please shorten this to {longest} characters or less."
        case "plain_text_input" if len(value) < shortest:
            return f"Please lengthen this to {shortest} characters or more."
        case "email_text_input" if not _EMAIL.fullmatch(value):
            return "Please enter a valid email address."
        case "url_text_input" if not _URL.fullmatch(value):
            return "Please enter a valid URL."
        case "number_input":
            return _number_complaint(element, value)
        case _:
            return None


def _number_complaint(element: Json, value: str) -> str | None:
    pattern = r"-?\d+(\.\d+)?" if element.get("is_decimal_allowed") else r"-?\d+"
    if not re.fullmatch(pattern, value):
        return "Please enter a number."
    if "min_value" in element and float(value) < float(element["min_value"]):
        return f"Please enter a number of {element['min_value']} or more."
    if "max_value" in element and float(value) > float(element["max_value"]):
        return f"Please enter a number of {element['max_value']} or less."
    return None
