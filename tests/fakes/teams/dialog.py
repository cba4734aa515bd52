"""A dialog before a person: filled in, sent, closed, and changed by what the app answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.not_shown import NotShown
from tests.fakes.teams.content import CARD, check_card
from tests.fakes.teams.controls import Control, controls, elements, input_called, inputs, label_of
from tests.fakes.teams.endpoint import Answer
from tests.fakes.teams.errors import Refused
from tests.fakes.teams.inputs import Typed, chosen, complaints, values
from tests.fakes.teams.records import Json, Message

TROUBLE = "Something went wrong. Please try again."
#: The key of a complaint about the whole form, not about one of its inputs.
WHOLE = ""
TITLE_MAX = 64
SIZES = {"small", "medium", "large"}


@dataclass
class Dialog:
    """A card with inputs in a window of its own, opened from a message; `send` asks the app."""

    message: Message
    title: str
    card: Json
    send: Callable[["Dialog", Json], Awaitable[Answer]] = field(repr=False)
    is_open: bool = True
    #: By input id: what the person typed over what stood there.
    typed: dict[str, str] = field(default_factory=dict)
    #: What the window says outside of its card, after something failed; and what was said as it closed.
    notice: str = ""

    @property
    def labels(self) -> list[str]:
        """The labels of its inputs, in reading order."""
        return [label_of(each) for each in inputs(self.card)]

    @property
    def values(self) -> dict[str, str]:
        """What its inputs hold now, by label; "" for what is empty."""
        held = values(self.card, self.typed)
        return {label_of(each): held.get(each["id"], "") for each in inputs(self.card)}

    def fill(self, name: str, typed: Typed) -> None:
        """Type or choose in one input, meant by its label or id."""
        element = input_called(self.card, name)
        self.typed[element["id"]] = chosen(element, typed)

    async def submit(self, label: str = "") -> dict[str, str]:
        """Press its button (the one of that label); return what is wrong by label (`WHOLE`: all of it)."""
        button = self._button(label)
        wrong = complaints(self.card, self.typed)
        if wrong:
            return {label_of(each): wrong[each["id"]] for each in inputs(self.card) if each["id"] in wrong}
        data = (button.action.get("data") or {}) | values(self.card, self.typed)
        return self._answered(await self.send(self, data))

    def close(self) -> None:
        """Leave it; the app is not told."""
        self.is_open = False

    def _button(self, label: str) -> Control:
        if not self.is_open:
            raise NotShown("the dialog is closed")
        buttons = [each for each in controls([self.card]) if each.kind == "Action.Submit"]
        found = [each for each in buttons if not label or each.label == label]
        if len(found) != 1:
            raise NotShown(f"{len(found)} buttons {label!r} of {[each.label for each in buttons]}")
        return found[0]

    def _answered(self, answer: Answer) -> dict[str, str]:
        """Carry out the app's answer and return its complaints."""
        if answer.reason is not None:
            self.notice = TROUBLE
            return {WHOLE: TROUBLE}
        task = answer.body.get("task") if isinstance(answer.body, dict) else None
        if not task:
            self.is_open = False
            return {}
        try:
            self._change(task)
        except Refused:
            self.notice = TROUBLE
            return {WHOLE: TROUBLE}
        return said_at_inputs(self.card) if self.is_open else {}

    def _change(self, task: Json) -> None:
        match task.get("type"):
            case "continue":
                self.title, self.card = read_task(task)
                self.typed.clear()
            case "message":
                self.notice, self.is_open = str(task.get("value", "")), False
            case _:
                raise Refused(400)


def read_task(task: Any) -> tuple[str, Json]:
    """Return the title and the card of a dialog that an app opens; Refused when Teams would not show it."""
    value = task.get("value") if isinstance(task, dict) and task.get("type") == "continue" else None
    if not isinstance(value, dict):
        raise Refused(400)
    title, attachment = str(value.get("title", "")), value.get("card") or {}
    sizes = [value.get("height", "medium"), value.get("width", "medium")]
    if not title or len(title) > TITLE_MAX or attachment.get("contentType") != CARD:
        raise Refused(400)
    if any(isinstance(each, bool) or not (isinstance(each, int) or each in SIZES) for each in sizes):
        raise Refused(400)
    check_card(attachment.get("content"))
    return title, attachment["content"]


def said_at_inputs(card: Json) -> dict[str, str]:
    """Return the warnings in a card by the label of the input above each; those above all inputs are `WHOLE`'s."""
    label = WHOLE
    found: dict[str, str] = {}
    for each in elements(card):
        if str(each.get("type", "")).startswith("Input."):
            label = label_of(each)
        for words in (run["text"] for run in _runs(each) if str(run.get("color")).casefold() == "attention"):
            found[label] = f"{found.get(label, '')} {words}".strip()
    return found


def _runs(element: Json) -> list[Json]:
    """Return the pieces of an element that have a colour of their own."""
    if element.get("type") == "RichTextBlock":
        return [each for each in element["inlines"] if isinstance(each, dict)]
    return [element] if element.get("type") == "TextBlock" else []
