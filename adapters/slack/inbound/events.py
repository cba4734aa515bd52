"""What a request of Slack means to the desk: one neutral event, something for the adapter alone, or nothing at all.

Pure: no call is made and nothing is waited for, so that this costs channel talk next to nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from adapters.events import Feedback, FormSubmit, HomeOpened, Inbound, Joined
from adapters.slack.address import SlackAddress
from adapters.slack.config import Installation, account
from adapters.slack.drawing.modals import FEEDBACK, FORM, REASON, FormPlace, values_of
from adapters.slack.inbound.messages import heard_command, heard_message
from adapters.slack.inbound.origin import (
    Json,
    SlackDelivery,
    SlackIgnored,
    carried,
    installation,
    is_elsewhere,
    place,
    record,
    text,
)
from adapters.slack.inbound.presses import heard_press, heard_shortcut


@dataclass(frozen=True)
class PromptsWanted:
    """Somebody opened the Messages tab: suggested prompts belong there."""

    channel: str
    user: str


@dataclass(frozen=True)
class ReadersChanged:
    """Somebody came into a channel: more people read along than were known."""

    channel: str


@dataclass(frozen=True)
class SlackAlarm:
    """Slack says that something is wrong with the installation."""

    kind: Literal["uninstalled", "revoked", "held_back"]


Heard = Inbound | PromptsWanted | ReadersChanged | SlackAlarm | SlackIgnored


def heard(body: Json, *, known: Installation, now: datetime) -> Heard:
    """Read one request body; `known` learns from it where the desk is installed."""
    if is_elsewhere(body, known):
        return SlackIgnored("another_workspace")
    delivery = SlackDelivery(body, installation(body, known), now)
    kind = text(body, "type")
    if kind == "event_callback" and not text(body, "event_id"):
        return SlackIgnored("unknown")  # nobody could tell it from another one
    read = EVENTS.get(text(delivery.event, "type")) if kind == "event_callback" else _REQUESTS.get(kind)
    if read is None:
        return heard_command(delivery) if text(body, "command") else SlackIgnored("unknown")
    return read(delivery)


def _home_opened(delivery: SlackDelivery) -> Heard:
    event = delivery.event
    user, channel = text(event, "user"), text(event, "channel")
    if text(event, "tab") == "messages" and channel:
        return PromptsWanted(channel, user)
    if text(event, "tab") != "home" or not user:
        return SlackIgnored("unknown")
    address = place(delivery, user, "", channel=channel, kind="home")
    return HomeOpened(**carried(delivery, text(delivery.body, "event_id"), address, account(user, "", delivery.at)))


def _joined(delivery: SlackDelivery) -> Heard:
    """Greet where somebody invited the desk itself; people come and go without a word."""
    event, at = delivery.event, delivery.at
    inviter, channel = text(event, "inviter"), text(event, "channel")
    if not at.bot_user or text(event, "user") != at.bot_user or not inviter or not channel:
        return ReadersChanged(channel)
    address = place(delivery, inviter, "", channel=channel)
    return Joined(**carried(delivery, text(delivery.body, "event_id"), address, account(inviter, "", at)))


def _view_submitted(delivery: SlackDelivery) -> Heard:
    view, user = record(delivery.body, "view"), record(delivery.body, "user")
    try:
        opened = FormPlace.of(text(view, "private_metadata"))
        address = SlackAddress.of(opened.address)
        values = values_of(record(view, "state"))
    except (ValueError, AttributeError):
        return SlackIgnored("unknown")
    by = account(text(user, "id"), text(user, "team_id"), delivery.at)
    common = carried(delivery, f"{text(view, 'id')}:{text(view, 'hash')}", address, by)
    callback_id = text(view, "callback_id")
    if callback_id == FEEDBACK:
        return Feedback(**common, id=opened.id, verdict="down", reason=values.get(REASON, ""))
    if not callback_id.startswith(FORM):
        return SlackIgnored("unknown")
    return FormSubmit(
        **common,
        form=callback_id.removeprefix(FORM),
        id=opened.id,
        nonce=opened.nonce,
        values=values,
        message=opened.message or None,
        private=not address.others_read,
    )


def _tokens_revoked(delivery: SlackDelivery) -> Heard:
    """Tell the desk's own token from those that people took back for themselves."""
    taken = record(delivery.event, "tokens").get("bot")
    known = delivery.at.bot_user
    mine = isinstance(taken, list) and bool(taken) and (not known or known in taken)
    return SlackAlarm("revoked") if mine else SlackIgnored("unknown")


def _nothing(_delivery: SlackDelivery) -> Heard:
    return SlackIgnored("unknown")


#: What the desk does with each event of the Events API; the manifest subscribes to these, no more and no less.
EVENTS: Mapping[str, Callable[[SlackDelivery], Heard]] = {
    "app_home_opened": _home_opened,
    "app_mention": heard_message,
    "app_uninstalled": lambda _: SlackAlarm("uninstalled"),
    "member_joined_channel": _joined,
    "message": heard_message,
    "tokens_revoked": _tokens_revoked,
}
_REQUESTS: Mapping[str, Callable[[SlackDelivery], Heard]] = {
    "app_rate_limited": lambda _: SlackAlarm("held_back"),
    "block_actions": heard_press,
    "event_callback": _nothing,
    "message_action": heard_shortcut,
    "view_submission": _view_submitted,
}
