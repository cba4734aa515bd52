"""Who acted, in which company and conversation: what every activity of Teams says in the same way.

Only what Teams itself vouches for is read here: never the `value`, which comes from whoever has the card.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from adapters.events import Account, Event
from adapters.teams.address import Kind, TeamsAddress
from adapters.teams.inbound.activities import Activity, Member

#: Why nothing is handed in. `talk` is said among people, `others` to somebody else; `known` is told another way, too.
Reason = Literal["bot", "edited", "known", "others", "own", "removed", "talk", "unknown"]

#: Begins the id of an app; people's begin with "29:".
APP = "28:"
_KINDS: dict[str, Kind] = {"personal": "personal", "channel": "channel"}


@dataclass(frozen=True)
class TeamsIgnored:
    """Acknowledged and dropped, on purpose."""

    reason: Reason


@dataclass(frozen=True)
class TeamsDelivery:
    """One activity, with what is known beside it."""

    activity: Activity
    tenant: str  # of the company; "": every tenant is its own
    now: datetime


def not_of_a_person(delivery: TeamsDelivery) -> TeamsIgnored | None:
    """Return why an activity is nobody's; None for one that a person stands behind."""
    activity = delivery.activity
    sender = activity.sender
    if sender.id and sender.id == activity.recipient.id:
        return TeamsIgnored("own")
    if sender.machine or sender.id.startswith(APP):
        return TeamsIgnored("bot")
    return (
        None
        if sender.id and activity.id and activity.conversation and activity.service_url
        else TeamsIgnored("unknown")
    )


def address(delivery: TeamsDelivery, activity_id: str, *, who: Member | None = None) -> TeamsAddress:
    """Return where to answer the person behind an activity; `activity_id` is the message that it is about."""
    activity = delivery.activity
    person = who or activity.sender
    return TeamsAddress(
        service_url=activity.service_url,
        tenant=activity.tenant,
        user=person.id,
        person=person.person,
        bot=activity.recipient.id,
        conversation=activity.conversation,
        activity=activity_id,
        # A chat of a kind that is not known is taken for one where others read along.
        kind=_KINDS.get(activity.conversation_kind, "group"),
        team=activity.team,
        channel_type=activity.channel_type,
        name=person.name,
    )


def account(delivery: TeamsDelivery, place: TeamsAddress) -> Account:
    """Return the account behind an event. People of other companies and those without an account are external."""
    own = place.tenant == delivery.tenant or not delivery.tenant
    return Account(
        platform="teams",
        tenant=place.tenant,
        user=place.person or place.user,
        name=place.name,
        kind="member" if own and place.person else "external",
        language=_language(delivery.activity.locale),
    )


def carried(delivery: TeamsDelivery, place: TeamsAddress) -> dict[str, Any]:
    """Return the fields that every neutral event has."""
    event = Event(
        event_id=f"{delivery.activity.conversation}:{delivery.activity.id}",
        account=account(delivery, place),
        address=place.to_json(),
        thread=place.thread,
        received_at=delivery.now,
    )
    return dict(vars(event))


def _language(locale: str) -> str | None:
    tongue = locale[:2].lower()
    return tongue if tongue in {"en", "zh"} else None
