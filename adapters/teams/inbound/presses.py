"""What people press and send: buttons, suggestions, forms and thumbs.

All that a card carries comes back from outside: it names an action, an id and a nonce, and never says who acts.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from adapters.events import Feedback, FormSubmit, Message, Press
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.teams.address import TeamsAddress, reference
from adapters.teams.drawing.elements import Cancelled, Submitted, decode
from adapters.teams.drawing.forms import values_of
from adapters.teams.inbound.activities import Activity, Json, record, text, words
from adapters.teams.inbound.origin import TeamsDelivery, TeamsIgnored, address, carried


@dataclass(frozen=True)
class FormClosed:
    """A form in a card is not wanted any more: it makes room."""

    language: str | None


Heard = Press | Message | FormSubmit | FormClosed | TeamsIgnored
_VERDICTS: Mapping[str, Literal["up", "down"]] = {"like": "up", "dislike": "down"}


def data_of(activity: Activity) -> Json:
    """Return what the card of an invoke or of a message carries: its buttons' data and its inputs."""
    value = activity.value
    match activity.name:
        case "adaptiveCard/action":
            return record(record(value, "action"), "data")
        case "task/fetch" | "task/submit":
            return record(value, "data")
        case _:
            return value


def heard_data(delivery: TeamsDelivery) -> Heard:
    """Read what was pressed or sent in a card of ours."""
    data = data_of(delivery.activity)
    place = address(delivery, delivery.activity.reply_to)
    try:
        meant = decode(data)
        values = values_of(data) if isinstance(meant, Submitted) else {}
    except (ValueError, RecursionError):
        return TeamsIgnored("unknown")
    common, private = carried(delivery, place), not place.others_read
    match meant:
        case SaidSuggestion(text=said) if words(said).strip():
            return Message(**common, text=words(said).strip(), private=private, unseen=True)
        case PressedButton() if meant.action:
            return Press(**common, **_named(meant), action=words(meant.action), message=_card(place), private=private)
        case Submitted():
            given = {words(name): words(value) for name, value in values.items()}
            message = _card(place) or _carried_card(place, meant.message)
            return FormSubmit(
                **common, **_named(meant), form=words(meant.form), values=given, message=message, private=private
            )
        case Cancelled():
            return FormClosed(common["account"].language)
        case SaidSuggestion() | PressedButton():
            return TeamsIgnored("unknown")
        case _:
            assert_never(meant)


def heard_feedback(delivery: TeamsDelivery) -> Feedback | TeamsIgnored:
    """Read a thumb: Teams tells which message was judged, and sends the reason in the same activity."""
    judged = record(delivery.activity.value, "actionValue")
    verdict = _VERDICTS.get(text(judged, "reaction"))
    if text(delivery.activity.value, "actionName") != "feedback" or verdict is None:
        return TeamsIgnored("unknown")
    place = address(delivery, delivery.activity.reply_to)
    reason = text(record(judged, "feedback"), "feedbackText") or _reason(text(judged, "feedback"))
    return Feedback(**carried(delivery, place), id="", verdict=verdict, reason=reason or None, message=_card(place))


def _named(meant: PressedButton | Submitted) -> dict[str, Any]:
    return {"id": words(meant.id), "nonce": words(meant.nonce)}


def _card(place: TeamsAddress) -> str | None:
    """Return the reference of the message that was pressed or judged; a client may not tell."""
    return reference(place.conversation, place.activity) if place.activity else None


def _carried_card(place: TeamsAddress, message: str) -> str | None:
    """Return the reference that a form carries, when it is one of this conversation."""
    return message if message.startswith(reference(place.conversation, "")) and words(message) == message else None


def _reason(given: str) -> str:
    """Return the words of a judgement, which come as they are or as JSON with `feedbackText`."""
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        return given.strip()
    return text(read, "feedbackText").strip() if isinstance(read, Mapping) else given.strip()
