"""What Teams shows in answer to an invoke: made from a receipt at once, because an invoke waits for it."""

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from adapters.events import Feedback, FormSubmit, Message, Press
from adapters.markdown.text import shorten
from adapters.port import Accepted, InvalidForm, Receipt, Shown
from adapters.teams.drawing.forms import form_card, form_of, values_of
from adapters.teams.drawing.text import line
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.words import TeamsWords

Mode = Literal["dialogs", "cards"]
#: What an invoke can ask for.
Invoked = Message | Press | FormSubmit | Feedback

CARD = "application/vnd.microsoft.card.adaptive"
MESSAGE = "application/vnd.microsoft.activity.message"
ERROR = "application/vnd.microsoft.error"
ACTION, DIALOGS = "adaptiveCard/action", frozenset({"task/fetch", "task/submit"})
#: A dialog's window has one line for its title.
TITLE_MAX = 64
NOT_FOUND = InvokeAnswer(501)


def answered(
    name: str, event: Invoked, receipt: Receipt, *, data: Mapping[str, Any], words: TeamsWords
) -> InvokeAnswer:
    """Return the answer to a stored invoke called `name`; `data` is what its card carried."""
    if name == ACTION:
        return _in_place(event, receipt, data, words)
    if name in DIALOGS:
        return _in_dialog(event, receipt, data, words)
    return InvokeAnswer(200, {})


def form_language(event: Invoked, receipt: Receipt, data: Mapping[str, Any]) -> str | None:
    """Return the language of the form that is shown, or was sent: the client's own may be another one."""
    if isinstance(receipt, Shown):
        return receipt.form.language
    return form_of(data).language if isinstance(event, FormSubmit) else None


def closed(name: str, words: TeamsWords) -> InvokeAnswer:
    """Return the answer to somebody who wants a form no more."""
    return _executed(CARD, _notice(words.form_closed)) if name == ACTION else InvokeAnswer(200, {})


def is_in_place(answer: InvokeAnswer) -> bool:
    """Return True for a card that takes the place of the one that was pressed, for the person who pressed."""
    return answer.body is not None and answer.body.get("type") == CARD


def not_stored(name: str, words: TeamsWords) -> InvokeAnswer:
    """Return the answer to an invoke that could not be stored: what was typed stays where it is."""
    if name == ACTION:
        return _failed(503, "ServiceUnavailable", words.not_saved)
    if name == "task/fetch":
        return _said(words.not_saved)
    return InvokeAnswer(503)


def not_understood(name: str) -> InvokeAnswer:
    """Return the answer to an invoke out of a card that is none of ours."""
    return _failed(400, "BadRequest", "") if name == ACTION else InvokeAnswer(400)


def _in_place(event: Invoked, receipt: Receipt, data: Mapping[str, Any], words: TeamsWords) -> InvokeAnswer:
    """Answer `Action.Execute`: a form stands where its card stood, for the person who pressed."""
    match receipt:
        case Accepted() if isinstance(event, FormSubmit):
            return _executed(CARD, _notice(words.form_taken))
        case Accepted():
            return _executed(MESSAGE, words.taken)
        case Shown(form=form):
            return _executed(CARD, form_card(form, mode="cards", message=_card_of(event), required=words.required))
        case InvalidForm(errors=errors) if isinstance(event, FormSubmit):
            return _executed(CARD, _again(event, errors, data, mode="cards", required=words.required))
        case InvalidForm():
            return _executed(MESSAGE, words.see_conversation)
        case _:
            assert_never(receipt)


def _in_dialog(event: Invoked, receipt: Receipt, data: Mapping[str, Any], words: TeamsWords) -> InvokeAnswer:
    """Answer `task/fetch` and `task/submit`: a dialog opens, stays or closes."""
    match receipt:
        case Accepted() if isinstance(event, FormSubmit):
            return InvokeAnswer(200, {})
        case Shown(form=form):
            card = form_card(form, mode="dialogs", message=_card_of(event), required=words.required)
            return _dialog(form.title, card)
        case InvalidForm(errors=errors) if isinstance(event, FormSubmit):
            card = _again(event, errors, data, mode="dialogs", required=words.required)
            return _dialog(form_of(data).title, card)
        case Accepted() | InvalidForm():
            return _said(words.see_conversation)
        case _:
            assert_never(receipt)


def _executed(kind: str, value: object) -> InvokeAnswer:
    return InvokeAnswer(200, {"statusCode": 200, "type": kind, "value": value})


def _failed(status: int, code: str, message: str) -> InvokeAnswer:
    # Teams reads the card's own status; another HTTP status would hide the words.
    return InvokeAnswer(200, {"statusCode": status, "type": ERROR, "value": {"code": code, "message": message}})


def _again(
    event: FormSubmit, errors: Mapping[str, str], data: Mapping[str, Any], *, mode: Mode, required: str
) -> dict[str, Any]:
    """Return a form once more, with what is wrong and all that was typed."""
    return form_card(
        form_of(data),
        mode=mode,
        message=_card_of(event),
        errors=errors,
        values=values_of(data),
        required=required,
    )


def _card_of(event: Invoked) -> str:
    return (event.message or "") if isinstance(event, Press | FormSubmit) else ""


def _dialog(title: str, card: Mapping[str, Any]) -> InvokeAnswer:
    said = shorten(line(title), TITLE_MAX) or "…"
    shown = {"title": said, "width": "medium", "height": "medium", "card": {"contentType": CARD, "content": card}}
    return InvokeAnswer(200, {"task": {"type": "continue", "value": shown}})


def _said(words: str) -> InvokeAnswer:
    return InvokeAnswer(200, {"task": {"type": "message", "value": words}})


def _notice(words: str) -> Mapping[str, Any]:
    body = [{"type": "TextBlock", "text": words, "wrap": True}]
    return {"type": "AdaptiveCard", "version": "1.5", "body": body}
