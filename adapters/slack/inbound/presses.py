"""What people press: buttons of cards, suggestions, thumbs, and the shortcut in the menu of a message."""

from typing import Any

from adapters.events import Feedback, Message, Press
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.slack.address import Kind, SlackAddress, reference
from adapters.slack.config import account
from adapters.slack.drawing.elements import Opened, Rated, decode_button
from adapters.slack.inbound.messages import is_direct, plain
from adapters.slack.inbound.origin import SlackDelivery, SlackIgnored, carried, place, record, records, text

#: By the callback id of a message shortcut: the action that it presses.
SHORTCUTS = {"ticket_from_message": "draft.from_message"}

Heard = Press | Message | Feedback | SlackIgnored


def heard_press(delivery: SlackDelivery) -> Heard:
    """Read `block_actions`: one button of ours; inputs and links are for Slack alone."""
    pressed = next(iter(records(delivery.body, "actions")), {})
    if text(pressed, "type") not in {"button", "feedback_buttons"}:
        return SlackIgnored("input")
    address = _place(delivery)
    try:
        meant = decode_button(text(pressed, "action_id"), text(pressed, "value"))
    except ValueError:
        meant = None
    if address is None or meant is None:
        return SlackIgnored("unknown")
    event = _carried(delivery, address, fallback_id=f"{text(pressed, 'action_ts')}:{address.user}")
    private = not address.others_read
    match meant:
        case Opened():
            return SlackIgnored("link")
        case SaidSuggestion(text=words):
            return Message(**event, text=words, private=private, unseen=True)
        case Rated(id=rated, verdict=verdict):
            return Feedback(**event, id=rated, verdict=verdict)
        case PressedButton():
            return Press(
                **event,
                action=meant.action,
                id=meant.id,
                nonce=meant.nonce,
                message=_card(delivery, address),
                private=private,
            )


def heard_shortcut(delivery: SlackDelivery) -> Press | SlackIgnored:
    """Read a message shortcut: answered in the person's direct message, since others did not ask."""
    body = delivery.body
    action = SHORTCUTS.get(text(body, "callback_id"))
    user = text(record(body, "user"), "id")
    if action is None or not user:
        return SlackIgnored("unknown")
    said = record(body, "message")
    address = place(delivery, user, _home(delivery), kind="dm")
    return Press(
        **_carried(delivery, address, fallback_id=f"{text(body, 'action_ts')}:{user}"),
        action=action,
        id=reference(text(record(body, "channel"), "id"), text(body, "message_ts") or text(said, "ts")),
        nonce="",
        text=plain(text(said, "text")),
    )


def _carried(delivery: SlackDelivery, address: SlackAddress, *, fallback_id: str) -> dict[str, Any]:
    by = account(address.user, _home(delivery), delivery.at)
    return carried(delivery, text(delivery.body, "trigger_id") or fallback_id, address, by)


def _home(delivery: SlackDelivery) -> str:
    return text(record(delivery.body, "user"), "team_id")


def _place(delivery: SlackDelivery) -> SlackAddress | None:
    """Return where the button stands: in a message, or in the person's home; None for a modal."""
    body, container = delivery.body, record(delivery.body, "container")
    user, home = text(record(body, "user"), "id"), _home(delivery)
    if user and text(record(body, "view"), "type") == "home":
        return place(delivery, user, home, kind="home")
    channel = text(container, "channel_id") or text(record(body, "channel"), "id")
    message_ts = text(container, "message_ts") or text(record(body, "message"), "ts")
    if not user or not channel or not message_ts:
        return None
    thread_ts = text(container, "thread_ts") or text(record(body, "message"), "thread_ts")
    if _is_ephemeral(delivery) and not thread_ts:
        # Only a command is answered so: nobody but the presser sees it, and no thread can be begun under it.
        return place(delivery, user, home, channel=channel, kind="command")
    kind: Kind = "dm" if is_direct(channel) else "channel"
    root = thread_ts or message_ts
    return place(delivery, user, home, channel=channel, thread_ts=root, message_ts=message_ts, kind=kind)


def _card(delivery: SlackDelivery, address: SlackAddress) -> str | None:
    """Return the reference of the message that holds the button; None for what cannot be edited later."""
    if not address.message_ts or _is_ephemeral(delivery):
        return None
    return reference(address.channel, address.message_ts)


def _is_ephemeral(delivery: SlackDelivery) -> bool:
    return record(delivery.body, "container").get("is_ephemeral") is True
