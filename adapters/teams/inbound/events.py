"""What an activity of Teams means to the desk: one neutral event, something for the adapter alone, or nothing at all.

Pure: no call is made and nothing is waited for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from adapters.events import Inbound, Joined
from adapters.teams.inbound.activities import Activity, Member
from adapters.teams.inbound.messages import heard_deletion, heard_edit, heard_message
from adapters.teams.inbound.origin import APP, TeamsDelivery, TeamsIgnored, address, carried, not_of_a_person
from adapters.teams.inbound.presses import FormClosed, heard_data, heard_feedback


@dataclass(frozen=True)
class MembersChanged:
    """Other people read along than were known; `joined` greets those who came."""

    conversation: str  # without the thread: members belong to the whole channel
    joined: Joined | None = None


@dataclass(frozen=True)
class Uninstalled:
    """The app was taken away from a conversation."""

    conversation: str


@dataclass(frozen=True)
class NotOurs:
    """An invoke that the desk never asked for."""


Heard = Inbound | FormClosed | MembersChanged | Uninstalled | NotOurs | TeamsIgnored


def heard(activity: Activity, *, tenant: str, now: datetime) -> Heard:
    """Read one activity; `tenant` is the company's, "" takes every tenant for its own."""
    read = _ACTIVITIES.get(activity.type)
    return (
        read(TeamsDelivery(activity, tenant, now)) if read else _PASSED_OVER.get(activity.type, TeamsIgnored("unknown"))
    )


def _message(delivery: TeamsDelivery) -> Heard:
    nobody = not_of_a_person(delivery)
    if nobody is not None:
        return nobody
    activity = delivery.activity
    # A button's fallback for clients without `Action.Execute`: nothing is said, the card's data comes as the value.
    return heard_data(delivery) if activity.value and not activity.text.strip() else heard_message(delivery)


def _invoke(delivery: TeamsDelivery) -> Heard:
    read = _INVOKES.get(delivery.activity.name)
    if read is None:
        return NotOurs()
    return not_of_a_person(delivery) or read(delivery)


def _installed(delivery: TeamsDelivery) -> Heard:
    activity = delivery.activity
    match activity.action:
        case "add":
            return not_of_a_person(delivery) or _joined(delivery, activity.sender)
        case "remove":
            return Uninstalled(activity.conversation)
        case _:  # "add-upgrade", "remove-upgrade": another version of the app
            return TeamsIgnored("known")


def _conversation_changed(delivery: TeamsDelivery) -> Heard:
    """Greet people who join others; the desk's own arrival is told by `installationUpdate`, and greeted there."""
    activity = delivery.activity
    if not activity.conversation or not (activity.added or activity.removed):
        return TeamsIgnored("unknown")
    channel, _, _ = activity.conversation.partition(";messageid=")
    desk = any(each.id == activity.recipient.id for each in activity.added)
    people = [each for each in activity.added if each.id and not each.machine and not each.id.startswith(APP)]
    greeted = (
        people and not desk and activity.conversation_kind != "personal" and bool(activity.id and activity.service_url)
    )
    return MembersChanged(channel, _joined(delivery, people[0]) if greeted else None)


def _joined(delivery: TeamsDelivery, who: Member) -> Joined:
    place = address(delivery, "", who=who)
    return Joined(**carried(delivery, place), private=not place.others_read)


_ACTIVITIES: Mapping[str, Callable[[TeamsDelivery], Heard]] = {
    "message": _message,
    "messageUpdate": heard_edit,  # its words were answered as they stood: who wants more says more
    "messageDelete": heard_deletion,  # its words are kept for as long as every question is; its files are not
    "invoke": _invoke,
    "installationUpdate": _installed,
    "conversationUpdate": _conversation_changed,
}
_PASSED_OVER: Mapping[str, TeamsIgnored] = {
    "messageReaction": TeamsIgnored("talk"),  # said among people; an answer is judged by its own thumbs
    "typing": TeamsIgnored("talk"),  # nothing is said yet
    "event": TeamsIgnored("known"),  # meetings and read receipts
}
_INVOKES: Mapping[str, Callable[[TeamsDelivery], Heard]] = {
    "adaptiveCard/action": heard_data,
    "task/fetch": heard_data,
    "task/submit": heard_data,
    "message/submitAction": heard_feedback,
}
