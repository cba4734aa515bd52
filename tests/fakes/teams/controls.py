"""What a person can press or fill in on a card: found by the words on it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.not_shown import NotShown
from tests.fakes.teams.records import Json


@dataclass(frozen=True)
class Control:
    """One action where it stands; `card` is which of the message's cards holds it."""

    action: Json
    card: int = 0

    @property
    def kind(self) -> str:
        """The type of the action."""
        return str(self.action["type"])

    @property
    def label(self) -> str:
        """The words on it."""
        return str(self.action.get("title", ""))

    @property
    def opens_dialog(self) -> bool:
        """Whether a press asks the app for a dialog."""
        msteams = (self.action.get("data") or {}).get("msteams") or {}
        return self.kind == "Action.Submit" and msteams.get("type") == "task/fetch"


def elements(card: Json) -> Iterator[Json]:
    """Yield everything visible in a card in reading order, containers before what they hold, actions last."""
    yield from _elements(card.get("body") or [])
    yield from card.get("actions") or []


#: Where containers of each type keep what they hold.
_INSIDE = {
    "ActionSet": ("actions",), "Container": ("items",), "ColumnSet": ("columns",), "Column": ("items",),
    "ImageSet": ("images",), "Table": ("rows",), "TableRow": ("cells",), "TableCell": ("items",),
    "Input.Text": ("inlineAction",),
}  # fmt: skip
_UNNAMED = {"columns": "Column", "rows": "TableRow", "cells": "TableCell"}


def _elements(parts: Iterable[Any], *, unnamed: str = "") -> Iterator[Json]:
    for part in parts:
        if not isinstance(part, dict) or part.get("isVisible") is False:
            continue
        yield part
        if isinstance(part.get("selectAction"), dict):
            yield part["selectAction"]
        for name in _INSIDE.get(str(part.get("type", unnamed)), ()):
            held = part.get(name) or []
            yield from _elements(held if isinstance(held, list) else [held], unnamed=_UNNAMED.get(name, ""))


def controls(cards: Iterable[Json]) -> Iterator[Control]:
    """Yield everything that can be pressed, in reading order."""
    for number, card in enumerate(cards):
        for each in elements(card):
            if str(each.get("type", "")).startswith("Action.") and each.get("isEnabled") is not False:
                yield Control(each, number)


def inputs(card: Json) -> list[Json]:
    """Return everything that can be filled in."""
    return [each for each in elements(card) if str(each.get("type", "")).startswith("Input.")]


def label_of(element: Mapping[str, Any]) -> str:
    """Return what a person would call an input."""
    return str(element.get("label") or element.get("title") or element.get("placeholder") or element["id"])


def find(cards: Iterable[Json], label: str, *, nth: int | None = None) -> Control:
    """Return the one control of that label, or the nth (from 1) of several; NotShown lists what is there instead."""
    shown = list(controls(cards))
    found = [each for each in shown if each.label == label]
    if nth is not None and 0 < nth <= len(found):
        return found[nth - 1]
    if nth is None and len(found) == 1:
        return found[0]
    there = ", ".join(repr(each.label) for each in shown) or "nothing"
    raise NotShown(f"{len(found)} controls are called {label!r}; there are: {there}")


def has(cards: Iterable[Json], label: str) -> bool:
    """Return whether a control of that label is there."""
    return any(each.label == label for each in controls(cards))


def input_called(card: Json, name: str) -> Json:
    """Return the input of that label or id."""
    for each in inputs(card):
        if name in {label_of(each), each["id"]}:
            return each
    there = ", ".join(repr(label_of(each)) for each in inputs(card)) or "nothing"
    raise NotShown(f"no input is called {name!r}; there are: {there}")
