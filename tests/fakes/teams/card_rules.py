"""What an Adaptive Card of version 1.5 may hold; stricter than Teams, which leaves out what it does not know."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.grammar import Rule, anything, boolean, items, shape, string, together
from tests.fakes.teams.action_rules import action, actions, link
from tests.fakes.teams.card_words import known, of_version, word

WIDEST_ROW, MOST_ELEMENTS = 20, 400
ALIGNMENT, VERTICAL = word("left", "center", "right"), word("top", "center", "bottom")
COLOR = word("default", "dark", "light", "accent", "good", "warning", "attention")
STYLE = word("default", "emphasis", "good", "attention", "warning", "accent")
TEXT = string(20_000)
ELEMENT: dict[str, Rule] = {
    "id": string(200),
    "isVisible": boolean,
    "separator": boolean,
    "spacing": word("none", "small", "default", "medium", "large", "extraLarge", "padding"),
    "height": word("auto", "stretch"),
    "fallback": anything,
    "requires": anything,
}
WORDING: dict[str, Rule] = {
    "color": COLOR,
    "fontType": word("default", "monospace"),
    "isSubtle": boolean,
    "size": word("default", "small", "medium", "large", "extraLarge"),
    "weight": word("default", "lighter", "bolder"),
}
BOX: dict[str, Rule] = {
    **ELEMENT,
    "selectAction": action,
    "style": STYLE,
    "verticalContentAlignment": VERTICAL,
    "bleed": boolean,
    "backgroundImage": anything,
    "minHeight": string(10),
    "rtl": boolean,
}


def element(value: Any, where: str) -> Iterator[str]:
    """Take one element of a card."""
    yield from known(ELEMENTS, value, where)


def _run(value: Any, where: str) -> Iterator[str]:
    if not isinstance(value, str):
        more = {"highlight": boolean, "italic": boolean, "strikethrough": boolean, "underline": boolean}
        yield from shape({"text": TEXT}, {**WORDING, **more, "selectAction": action})(value, where)


def _choices(value: Any, where: str) -> Iterator[str]:
    """Take choices of different values, and first values that are among them."""
    values = [each.get("value") for each in value.get("choices") or () if isinstance(each, dict)]
    if len(set(values)) < len(values):
        yield f"choices share a value [json-pointer:{where}/choices]"
    first = [each for each in str(value.get("value") or "").split(",") if each]
    chosen = first if value.get("isMultiSelect") else [",".join(first)] if first else []
    if any(each not in values for each in chosen):
        yield f"value is none of the choices [json-pointer:{where}/value]"


def _needs_message(value: Any, where: str) -> Iterator[str]:
    """Take a required input only with the words that are shown when it is left empty."""
    if value.get("isRequired") and not value.get("errorMessage"):
        yield f"isRequired needs an errorMessage [json-pointer:{where}]"


def _input(required: Mapping[str, Rule], optional: Mapping[str, Rule]) -> Rule:
    common = {**ELEMENT, "label": string(200), "isRequired": boolean, "errorMessage": string(300)}
    return together(shape({"id": string(200, least=1), **required}, {**common, **optional}), _needs_message)


def _number(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"must be a number [json-pointer:{where}]"


_ROW_OF_COLUMNS: dict[str, Rule] = {
    **ELEMENT,
    "selectAction": action,
    "style": STYLE,
    "bleed": boolean,
    "minHeight": string(10),
    "horizontalAlignment": ALIGNMENT,
}
_COLUMN = shape({}, {**BOX, "items": items(element, MOST_ELEMENTS, least=0), "width": anything})
_CELL = shape({"items": items(element, MOST_ELEMENTS, least=0)}, BOX)
_CELL_ALIGNMENT = {"horizontalCellContentAlignment": ALIGNMENT, "verticalCellContentAlignment": VERTICAL}
_ROW = shape({"cells": items(_CELL, WIDEST_ROW)}, {"style": STYLE, **_CELL_ALIGNMENT})
_IMAGE = shape(
    {"url": link},
    {
        **ELEMENT,
        "altText": TEXT,
        "horizontalAlignment": ALIGNMENT,
        "selectAction": action,
        "size": word("auto", "stretch", "small", "medium", "large"),
        "style": word("default", "person"),
        "width": string(10),
        "backgroundColor": string(10),
    },
)
_MOMENT = {"max": string(10), "min": string(10), "placeholder": TEXT, "value": string(10)}
_TEXT_INPUT: dict[str, Rule] = {
    "isMultiline": boolean,
    "maxLength": _number,
    "placeholder": TEXT,
    "regex": string(500),
    "style": word("text", "tel", "url", "email", "password"),
    "inlineAction": action,
    "value": TEXT,
}
_CHOICE_SET: dict[str, Rule] = {
    "isMultiSelect": boolean,
    "style": word("compact", "expanded", "filtered"),
    "value": TEXT,
    "placeholder": TEXT,
    "wrap": boolean,
}
_CHOICE = shape({"title": string(500, least=1), "value": string(500, least=1)})
_TABLE: dict[str, Rule] = {
    **ELEMENT,
    "rows": items(_ROW, MOST_ELEMENTS),
    "firstRowAsHeader": boolean,
    "showGridLines": boolean,
    "gridStyle": STYLE,
    **_CELL_ALIGNMENT,
}
ELEMENTS: dict[str, Rule] = {
    "TextBlock": shape(
        {"text": TEXT},
        {
            **ELEMENT,
            **WORDING,
            "horizontalAlignment": ALIGNMENT,
            "maxLines": _number,
            "wrap": boolean,
            "style": word("default", "heading", "columnHeader"),
        },
    ),
    "RichTextBlock": shape({"inlines": items(_run, 500)}, {**ELEMENT, "horizontalAlignment": ALIGNMENT}),
    "Image": _IMAGE,
    "ImageSet": shape({"images": items(_IMAGE, 20)}, {**ELEMENT, "imageSize": anything}),
    "ActionSet": shape({"actions": actions}, ELEMENT),
    "Container": shape({"items": items(element, MOST_ELEMENTS, least=0)}, BOX),
    "ColumnSet": shape({"columns": items(_COLUMN, WIDEST_ROW)}, _ROW_OF_COLUMNS),
    "FactSet": shape({"facts": items(shape({"title": TEXT, "value": TEXT}), 100)}, ELEMENT),
    "Table": shape({"columns": items(shape({}, {"width": anything, **_CELL_ALIGNMENT}), WIDEST_ROW)}, _TABLE),
    "Input.Text": _input({}, _TEXT_INPUT),
    "Input.Number": _input({}, {"max": _number, "min": _number, "placeholder": TEXT, "value": _number}),
    "Input.Date": _input({}, _MOMENT),
    "Input.Time": _input({}, _MOMENT),
    "Input.Toggle": _input({"title": TEXT}, {"value": TEXT, "valueOn": TEXT, "valueOff": TEXT, "wrap": boolean}),
    "Input.ChoiceSet": together(_input({"choices": items(_CHOICE, 500)}, _CHOICE_SET), _choices),
}
_TOP: dict[str, Rule] = {
    "$schema": string(200),
    "body": items(element, MOST_ELEMENTS, least=0),
    "actions": actions,
    "selectAction": action,
    "fallbackText": TEXT,
    "backgroundImage": anything,
    "minHeight": string(10),
    "rtl": boolean,
    "speak": TEXT,
    "lang": string(20),
    "verticalContentAlignment": VERTICAL,
    "refresh": shape({"action": action}, {"userIds": items(string(200), 60), "expires": string(40)}),
    "metadata": anything,
    "msteams": shape({}, {"width": word("Full"), "entities": items(anything, 100)}),
}
_CARD = shape({"version": string(5)}, _TOP)


def card_problems(card: Any) -> list[str]:
    """Return what is wrong with a card, nothing when Teams draws it."""
    if not isinstance(card, dict) or card.get("type") != "AdaptiveCard":
        return ["type must be AdaptiveCard"]
    return [*_CARD(card, ""), *of_version(card)]
