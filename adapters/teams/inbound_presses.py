"""What people press and send: buttons, suggestions, forms and thumbs.

All that a card carries comes back from outside: it names an action, an id and a nonce, and never says who acts.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from adapters.events import Feedback, FormSubmit, Message, Press
from adapters.teams.activities import Activity, Json, record, text, words
from adapters.teams.address import TeamsAddress, reference
from adapters.teams.forms import form_of, values_of
from adapters.teams.inbound_origin import Delivery, Ignored, address, carried

Pressed: TypeAlias = Press | Message | FormSubmit | Ignored

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


def heard_data(delivery: Delivery) -> Pressed:
    """Read what was pressed or sent; one of our own cards says what in its data under `desk`."""
    data = data_of(delivery.activity)
    meant = record(data, "desk")
    place = address(delivery, delivery.activity.reply_to)
    common = carried(delivery, place)
    private = not place.others_read
    match text(meant, "do"):
        case "say" if said := text(meant, "text").strip():
            return Message(**common, text=said, private=private, unseen=True)
        case "press" if action := text(meant, "action"):
            return Press(
                **common,
                action=action,
                id=text(meant, "id"),
                nonce=text(meant, "nonce"),
                message=_card(place),
                private=private,
            )
        case "form":
            return _sent(data, common, place)
    return Ignored("unknown")


def heard_feedback(delivery: Delivery) -> Feedback | Ignored:
    """Read a thumb: Teams tells which message was judged, and sends the reason in the same activity."""
    judged = record(delivery.activity.value, "actionValue")
    verdict = _VERDICTS.get(text(judged, "reaction"))
    if text(delivery.activity.value, "actionName") != "feedback" or verdict is None:
        return Ignored("unknown")
    place = address(delivery, delivery.activity.reply_to)
    reason = text(record(judged, "feedback"), "feedbackText") or _reason(text(judged, "feedback"))
    return Feedback(**carried(delivery, place), id="", verdict=verdict, reason=reason or None, message=_card(place))


def _sent(data: Json, common: Mapping[str, Any], place: TeamsAddress) -> FormSubmit | Ignored:
    try:
        form, values = form_of(data), values_of(data)
    except ValueError:
        return Ignored("unknown")
    return FormSubmit(
        **common,
        form=words(form.form),
        id=words(form.id),
        nonce=words(form.nonce),
        values={words(name): words(value) for name, value in values.items()},
        message=_card(place),
        private=not place.others_read,
    )


def _card(place: TeamsAddress) -> str | None:
    """Return the reference of the message that was pressed or judged; a client may not tell."""
    return reference(place.conversation, place.activity) if place.activity else None


def _reason(given: str) -> str:
    """Return the words of a judgement, which come as they are or as JSON with `feedbackText`."""
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        return given.strip()
    return text(read, "feedbackText").strip() if isinstance(read, Mapping) else given.strip()
