"""Who acted, in which workspace, and when: what every payload of Slack says in its own way.

Payloads are signed, yet nothing is taken for granted: a field that is missing or of another shape reads as empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from adapters.events import Account, Event
from adapters.slack.address import SlackAddress
from adapters.slack.config import Installation, is_own

#: JSON as Slack sends it.
Json = Mapping[str, Any]

#: Why nothing is handed in: `talk` is said among people, `others` is said to somebody else in a thread.
Reason = Literal["another_workspace", "bot", "edited", "input", "link", "others", "own", "subtype", "talk", "unknown"]


@dataclass(frozen=True)
class SlackIgnored:
    """Acknowledged and dropped, on purpose."""

    reason: Reason


@dataclass(frozen=True)
class SlackDelivery:
    """One request body, with what is known beside it."""

    body: Json = field(repr=False)
    at: Installation  # where the desk is installed
    now: datetime

    @property
    def event(self) -> Json:
        """Return the inner event of the Events API; empty for everything else."""
        return record(self.body, "event")


def text(parent: Json, name: str) -> str:
    """Return a string field without NUL, which no database keeps; "" when there is none."""
    value = parent.get(name)
    return value.replace("\x00", "") if isinstance(value, str) else ""


def record(parent: Json, name: str) -> Json:
    """Return an object field, {} when there is none."""
    value = parent.get(name)
    return value if isinstance(value, dict) else {}


def records(parent: Json, name: str) -> tuple[Json, ...]:
    """Return the objects of a list field."""
    value = parent.get(name)
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def installation(body: Json, known: Installation) -> Installation:
    """Return where the desk is installed: what is known, completed by what this payload says.

    Only the authorizations of an event are Slack's word on the desk's own installation, and are learned from; in
    interactive payloads out of a shared channel the workspace may be the other company's.
    """
    for granted in records(body, "authorizations")[:1]:
        known.learn(
            team=text(granted, "team_id"), enterprise=text(granted, "enterprise_id"), bot_user=text(granted, "user_id")
        )
    if known.team:
        return known
    team = text(record(body, "view"), "app_installed_team_id") or text(record(body, "team"), "id")
    enterprise = text(record(body, "enterprise"), "id") or text(body, "enterprise_id")
    return Installation(team=team or text(body, "team_id"), enterprise=enterprise, bot_user=known.bot_user)


def is_elsewhere(body: Json, at: Installation) -> bool:
    """Return True when an event belongs to another installation of the same app, whose token the desk has not."""
    granted = records(body, "authorizations")[:1]
    team = text(granted[0], "team_id") if granted else ""
    return bool(team and at.team and team != at.team)


def home_of(event: Json) -> str:
    """Return the workspace (T…) or organisation (E…) of who said a message, "" when the event does not tell."""
    return text(event, "user_team") or text(event, "source_team") or text(event, "team")


def place(delivery: SlackDelivery, user: str, home: str, **where: Any) -> SlackAddress:
    """Return an address of a person; `where` are its channel, thread, message and kind."""
    at = delivery.at
    return SlackAddress(team=at.team, user=user, user_team=at.team if is_own(home, at) else home, **where)


def carried(delivery: SlackDelivery, event_id: str, address: SlackAddress, by: Account) -> dict[str, Any]:
    """Return the fields that every neutral event has."""
    event = Event(
        event_id=event_id,
        account=by,
        address=address.to_json(),
        thread=address.thread,
        received_at=delivery.now,
    )
    return dict(vars(event))
