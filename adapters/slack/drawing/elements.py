"""Buttons in both directions: how they are written into a message, and how a press on one is read."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextActionsBlock,
    FeedbackButtonObject,
    FeedbackButtonsElement,
    PlainTextObject,
)

from adapters.cards import Button, Language, Link, Rating
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.markdown.text import cleaned, fit, shorten, size, web_address
from adapters.slack.drawing.text import plain

TEXT_MAX = 75
VALUE_MAX = 2_000
ID_MAX = 255
#: First part of the action id of what is not a button of a card.
_SAY, _OPEN, _RATE = "say", "open", "rate"


@dataclass(frozen=True)
class Opened:
    """A link; the browser has done everything."""


@dataclass(frozen=True)
class Rated:
    """A thumb under an answer."""

    id: str
    verdict: Literal["up", "down"]


def decode_button(action_id: str, value: str) -> PressedButton | SaidSuggestion | Opened | Rated:
    """Read what was pressed; raise ValueError when it is not ours. Nothing in it may be trusted."""
    action, _, _number = action_id.rpartition("#")
    if action == _OPEN:
        return Opened()
    if action == _RATE:
        verdict, _, rated = value.partition(":")
        if verdict not in ("up", "down") or not rated:
            raise ValueError("not a rating of ours")
        return Rated(rated, "up" if verdict == "up" else "down")
    if action == _SAY:
        return SaidSuggestion(_word(value, "say"))
    if not action:
        raise ValueError("not a button of ours")
    return PressedButton(action, _word(value, "id"), _word(value, "nonce"))


def decode_rating(block_id: str) -> tuple[Language, str]:
    """Return the language of the rated answer and the rating's id from the block that holds the thumbs."""
    kind, _, rest = block_id.partition(":")
    language, _, rest = rest.partition(":")
    _number, _, rated = rest.partition(":")
    if kind != _RATE or not rated:
        raise ValueError("not a rating of ours")
    return "zh" if language == "zh" else "en", rated


def button(item: Button | Link, number: int) -> ButtonElement | None:
    """Return a button that `number` makes unique in its message; None when Slack could not carry or open it."""
    text = label(item.label)
    if isinstance(item, Link):
        url = web_address(item.url)
        return None if url is None else ButtonElement(text=text, action_id=f"{_OPEN}#{number}", url=url)
    if not item.action or item.action in (_SAY, _OPEN, _RATE):
        raise ValueError(f"a card's button cannot have the action {item.action!r}")
    action_id, value = f"{item.action}#{number}", _written(id=item.id, nonce=item.nonce)
    if size(action_id) > ID_MAX or size(value) > VALUE_MAX:
        return None
    style = None if item.style == "plain" else item.style
    return ButtonElement(text=text, action_id=action_id, value=value, style=style)


def suggestion(words: str, number: int) -> ButtonElement:
    """Return a button that says something; what does not fit into its value is not said."""
    said = cleaned(words)
    while size(_written(say=said)) > VALUE_MAX:
        said = said[: fit(said, max(1, size(said) - (size(_written(say=said)) - VALUE_MAX)))]
    return ButtonElement(text=label(words), action_id=f"{_SAY}#{number}", value=_written(say=said))


def rating(item: Rating, number: int, *, language: Language, thumbs: bool) -> Block | None:
    """Return the pair of thumbs, as two ordinary buttons where Slack has no thumbs; None when the id is too long."""
    block_id = f"{_RATE}:{language}:{number}:{item.id}"
    if not item.id or size(block_id) > ID_MAX:
        return None
    up, down = (f"{verdict}:{item.id}" for verdict in ("up", "down"))
    if not thumbs:
        buttons = [
            ButtonElement(text=label(words), action_id=f"{_RATE}#{number}-{verdict}", value=value)
            for words, verdict, value in ((item.up, "up", up), (item.down, "down", down))
        ]
        return ActionsBlock(block_id=block_id, elements=buttons)
    element = FeedbackButtonsElement(
        action_id=f"{_RATE}#{number}",
        positive_button=FeedbackButtonObject(text=label(item.up), value=up),
        negative_button=FeedbackButtonObject(text=label(item.down), value=down),
    )
    return ContextActionsBlock(block_id=block_id, elements=[element])


def label(words: str) -> PlainTextObject:
    """Return the words on a button, never empty."""
    return PlainTextObject(text=shorten(plain(words).strip(), TEXT_MAX) or "…")


def _written(**carried: str) -> str:
    return json.dumps(carried, ensure_ascii=False, separators=(",", ":"))


def _word(value: str, name: str) -> str:
    carried: Any = json.loads(value)  # its error is a ValueError
    word = carried.get(name) if isinstance(carried, dict) else None
    if not isinstance(word, str):
        raise ValueError("not a button of ours")  # noqa: TRY004 - a forged value, not a wrong call
    return word
