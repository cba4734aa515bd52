"""The calls of the Bot Connector's REST API (v3) that the desk makes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self
from urllib.parse import quote

from adapters.teams.address import TeamsAddress, place_of, reference
from adapters.teams.wire.rates import READS, WRITES

Json = Mapping[str, Any]

#: Members on a page: the most that Teams gives.
PAGE = 500
_THREAD = ";messageid="


def without_thread(conversation: str) -> str:
    """Return a channel's own id where a conversation is one of its threads."""
    return conversation.partition(_THREAD)[0]


@dataclass(frozen=True)
class TeamsPlace:
    """A conversation and where it is reached; `to` is the address that named it."""

    service_url: str
    conversation: str
    to: TeamsAddress | None = field(default=None, compare=False)

    @classmethod
    def of(cls, to: TeamsAddress) -> Self:
        """Return where an address posts."""
        return cls(to.service_url, to.conversation, to)

    @property
    def line(self) -> str:
        """Return the name under which calls of this conversation keep their order."""
        return self.conversation

    @property
    def direct(self) -> bool:
        """Return whether the desk is alone with the person."""
        return self.to is not None and not self.to.others_read

    def reference(self, message: str) -> str:
        """Return how a message that was posted here is known outside the adapter."""
        return reference(self.conversation, message)

    def message(self, reference: str) -> str:
        """Return the id of a message by its reference, "" when it stands somewhere else."""
        conversation, message = place_of(reference)
        return message if conversation == self.conversation else ""


@dataclass(frozen=True)
class TeamsOperation:
    """One call: `path` stands below the service URL; calls of one `line` keep their order, "" is none."""

    name: str
    verb: Literal["GET", "POST", "PUT", "DELETE"]
    place: TeamsPlace
    path: str
    body: Json | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    kind: str = WRITES
    line: str = ""

    @property
    def counted(self) -> str:
        """Return where the call counts towards a limit: a channel's threads count together."""
        return without_thread(self.place.conversation)


def post(place: TeamsPlace, activity: Json) -> TeamsOperation:
    """Return the call that posts a message, or shows a piece of one in the making."""
    return TeamsOperation("post", "POST", place, f"{_at(place)}/activities", activity, line=place.conversation)


def edit(place: TeamsPlace, message: str, activity: Json) -> TeamsOperation:
    """Return the call that puts another message in the place of one."""
    return TeamsOperation(
        "edit", "PUT", place, f"{_at(place)}/activities/{_part(message)}", activity, line=place.conversation
    )


def delete(place: TeamsPlace, message: str) -> TeamsOperation:
    """Return the call that takes a message away."""
    return TeamsOperation(
        "delete", "DELETE", place, f"{_at(place)}/activities/{_part(message)}", line=place.conversation
    )


def create(to: TeamsAddress) -> TeamsOperation:
    """Return the call that opens the chat of the desk with a person; it gives the same one each time."""
    body = {
        "bot": {"id": to.bot},
        "members": [{"id": to.user}],
        "tenantId": to.tenant,
        "isGroup": False,
        "channelData": {"tenant": {"id": to.tenant}},
    }
    line = f"{to.tenant} {to.user}"
    return TeamsOperation("create", "POST", TeamsPlace(to.service_url, line), "/v3/conversations", body, line=line)


def member(place: TeamsPlace, user: str) -> TeamsOperation:
    """Return the call that asks who somebody is."""
    return TeamsOperation("member", "GET", place, f"{_at(place)}/members/{_part(user)}", kind=READS)


def members(place: TeamsPlace, continuation: str = "") -> TeamsOperation:
    """Return the call that asks for a page of who is there."""
    query = {"pageSize": str(PAGE)} | ({"continuationToken": continuation} if continuation else {})
    there = TeamsPlace(place.service_url, without_thread(place.conversation))
    return TeamsOperation("members", "GET", there, f"{_at(there)}/pagedmembers", query=query, kind=READS)


def _at(place: TeamsPlace) -> str:
    return f"/v3/conversations/{_part(place.conversation)}"


def _part(identifier: str) -> str:
    return quote(identifier, safe="")
