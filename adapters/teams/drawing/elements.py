"""Buttons in both directions: how they are written into a card, and how a press on one is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from unicodedata import east_asian_width

from microsoft_teams.cards.core import Action, ActionStyle, AdaptiveCard, ExecuteAction, OpenUrlAction, SubmitAction

from adapters.cards import Button, Link
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.markdown.text import cleaned, fit, shorten, size, web_address
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.text import line

Json = dict[str, Any]
#: The verbs of what is answered in place.
PRESS, SAY, FORM, CANCEL = "press", "say", "form", "cancel"
#: Where our part of an action's data stands; inputs stand beside it.
DESK = "desk"
TOOLTIP_MAX, CARRIED_MAX, ADDRESS_MAX = 320, 2_000, 1_000
#: What of a button's words a card shows in its usual width; clients cut the rest off, without a sign. A Chinese
#: character takes the room of nearly two letters.
LABEL_WIDTH, WIDE = 46.0, 1.75
_STYLES: Mapping[str, ActionStyle | None] = {"plain": None, "primary": "positive", "danger": "destructive"}


@dataclass(frozen=True)
class Submitted:
    """A form that was sent; `message` is the reference of the card with the button that opened it."""

    form: str
    id: str
    nonce: str
    message: str


@dataclass(frozen=True)
class Cancelled:
    """A form in a card that is not wanted any more."""

    message: str


def as_json(card: AdaptiveCard) -> Json:
    """Return a card as plain JSON; the builder's types make fractions of numbers that the format has whole."""
    drawn: Json = _whole(card.model_dump(mode="json", exclude_none=True))
    return drawn


def _whole(value: Any) -> Any:
    match value:
        case dict():
            return {name: _whole(each) for name, each in value.items()}
        case list():
            return [_whole(each) for each in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value


def decode(data: Mapping[str, Any]) -> PressedButton | SaidSuggestion | Submitted | Cancelled:
    """Read what was pressed; raise ValueError when it is not ours. Nothing in an action's data may be trusted."""
    desk = data.get(DESK)
    if not isinstance(desk, Mapping):
        raise ValueError("not a button of ours")  # noqa: TRY004 - a forged value, not a wrong call
    match desk.get("do"):
        case "press":
            return PressedButton(*(_word(desk, name) for name in ("action", "id", "nonce")))
        case "say":
            return SaidSuggestion(_word(desk, "text"))
        case "form":
            return Submitted(*(_word(desk, name) for name in ("form", "id", "nonce", "message")))
        case "cancel":
            return Cancelled(_word(desk, "message"))
        case _:
            raise ValueError("not a button of ours")


def button(item: Button | Link, config: TeamsConfig) -> Action | None:
    """Return a button; None when Teams could not carry or open it."""
    title, tooltip = label(item.label)
    if isinstance(item, Link):
        url = web_address(item.url, longest=ADDRESS_MAX)
        return None if url is None else OpenUrlAction(title=title, tooltip=tooltip, url=url)
    if size(item.action + item.id + item.nonce) > CARRIED_MAX:
        return None
    desk = {"do": PRESS, "action": item.action, "id": item.id, "nonce": item.nonce}
    style = _STYLES[item.style]
    if config.forms == "dialogs" and item.action in config.form_actions:
        fetched = {"msteams": {"type": "task/fetch"}, DESK: desk}
        return SubmitAction(title=title, tooltip=tooltip, style=style, data=fetched)
    return executed(item.label, desk, style=style)


def suggestion(words: str) -> Action:
    """Return a button that says something; what does not fit into it is not said."""
    said = cleaned(words)
    return executed(words, {"do": SAY, "text": said[: fit(said, CARRIED_MAX)]})


def executed(words: str, desk: Mapping[str, Any], *, style: ActionStyle | None = None, inputs: bool = True) -> Action:
    """Return a button that is answered in place; an old client sends the same as a message."""
    title, tooltip = label(words)
    sent = None if inputs else "none"
    data = {DESK: dict(desk)}
    old = SubmitAction(title=title, tooltip=tooltip, style=style, data=data, associated_inputs=sent)
    return ExecuteAction(
        title=title,
        tooltip=tooltip,
        style=style,
        verb=str(desk["do"]),
        data=data,
        associated_inputs=sent,
        fallback=old,
    )


def label(words: str) -> tuple[str, str | None]:
    """Return the words on a button, never empty, and all of them when they do not fit."""
    said = line(words)
    title = _fitting(said) or "…"
    return title, shorten(said, TOOLTIP_MAX) if title != said and said else None


def _fitting(words: str) -> str:
    """Return the beginning of a text that fits on a button, with an ellipsis when that is not all."""
    widths = accumulate(WIDE if east_asian_width(each) in "FW" else 1.0 for each in words)
    if (seen := sum(1 for width in widths if width <= LABEL_WIDTH)) == len(words):
        return words
    return shorten(words, size(words[:seen]))


def attachment(card: Json) -> Json:
    """Return a card as it is attached to a message."""
    return {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}


def _word(desk: Mapping[str, Any], name: str) -> str:
    word = desk.get(name)
    if not isinstance(word, str) or size(word) > CARRIED_MAX:
        raise ValueError("not a button of ours")
    return word
