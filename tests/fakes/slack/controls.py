"""What a person can press, choose or fill in: found in blocks by the words on it or by its action id."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.not_shown import NotShown
from tests.fakes.slack.records import Json


@dataclass(frozen=True)
class Control:
    """One interactive element where it stands; `label` is what a person would call it."""

    block_id: str
    element: Json
    label: str
    #: The `input` block around it, if there is one.
    block: Json | None = None

    @property
    def kind(self) -> str:
        """Slack's type of the element."""
        return str(self.element["type"])

    @property
    def action_id(self) -> str:
        """The id that the app gave it, or that Slack made up."""
        return str(self.element["action_id"])

    @property
    def optional(self) -> bool:
        """Whether a modal can be sent without it."""
        return self.block is None or bool(self.block.get("optional", False))

    def called(self, name: str) -> bool:
        """Return whether a person or a test would mean this one by `name`."""
        return name in {self.label, self.action_id, self.block_id, f"{self.block_id}/{self.action_id}"}


def words(text: Any) -> str:
    """Return the characters of a text object, "" without one."""
    return str(text.get("text", "")) if isinstance(text, dict) else ""


def controls(blocks: Iterable[Json]) -> Iterator[Control]:
    """Yield everything interactive, in reading order."""
    for block in blocks:
        for element in _elements(block):
            if element["type"] in _ACTIVE:
                is_input = block["type"] == "input"
                yield Control(str(block["block_id"]), element, _label(block, element), block if is_input else None)


_ACTIVE = {
    "button", "checkboxes", "datepicker", "email_text_input", "external_select", "feedback_buttons", "icon_button",
    "multi_external_select", "multi_static_select", "number_input", "overflow", "plain_text_input", "radio_buttons",
    "static_select", "timepicker", "url_text_input", "users_select",
}  # fmt: skip


def _elements(block: Json) -> Iterator[Json]:
    match block["type"]:
        case "section":
            candidates = [block.get("accessory")]
        case "input":
            candidates = [block.get("element")]
        case "actions" | "context_actions":
            candidates = list(block.get("elements", ()))
        case "card":
            candidates = list(block.get("actions", ()))
        case _:
            candidates = []
    yield from (each for each in candidates if isinstance(each, dict))


def _label(block: Json, element: Json) -> str:
    if block["type"] == "input":
        return words(block.get("label"))
    return words(element.get("text")) or words(element.get("placeholder")) or words(block.get("text"))


def find(blocks: Iterable[Json], name: str, *, nth: int | None = None) -> Control:
    """Return the one control of that name, or the nth (from 1) of several; NotShown lists what is there instead."""
    shown = list(controls(blocks))
    found = [each for each in shown if each.called(name)] or _drawn_before(shown, name)
    if nth is not None and 0 < nth <= len(found):
        return found[nth - 1]
    if nth is None and len(found) == 1:
        return found[0]
    there = ", ".join(repr(each.label or each.action_id) for each in shown) or "nothing"
    raise NotShown(f"{len(found)} controls are called {name!r}; there are: {there}")


def _drawn_before(shown: list[Control], name: str) -> list[Control]:
    """Return what "block/action" means when the message was edited meanwhile: each edit gives its blocks new ids."""
    _, between, action_id = name.partition("/")
    return [each for each in shown if between and each.action_id == action_id]


def has(blocks: Iterable[Json], name: str) -> bool:
    """Return whether a control of that name is there."""
    return any(each.called(name) for each in controls(blocks))


def options(element: Json) -> list[Json]:
    """Return the choices of a menu, groups flattened."""
    groups = element.get("option_groups") or []
    return [*element.get("options", ()), *(option for group in groups for option in group["options"])]


def option(element: Json, name: str) -> Json:
    """Return the choice with that label or value."""
    for each in options(element):
        if name in {words(each["text"]), each.get("value")}:
            return dict(each)
    there = ", ".join(repr(words(each["text"])) for each in options(element)) or "none"
    raise NotShown(f"there is no choice {name!r}; there are: {there}")
