"""Who comes and goes: one welcome for the desk's own arrival, one for people who join others."""

from typing import Any

import pytest

from adapters.events import Joined
from adapters.teams.address import TeamsAddress
from adapters.teams.inbound.events import MembersChanged, Uninstalled
from adapters.teams.inbound.origin import TeamsIgnored
from tests.adapters.teams.hearing import (
    ADA,
    BEN,
    CHANNEL,
    CONVERSATIONS,
    DESK,
    Json,
    Place,
    activity,
    understood,
)

CHANNEL_ITSELF = CONVERSATIONS["channel"] | {"id": CHANNEL}


def came(*people: Json, place: Place = "group", **fields: Any) -> Json:
    return activity("conversationUpdate", place, membersAdded=list(people), **fields)


@pytest.mark.parametrize("place", ["chat", "group", "channel"])
def test_an_installation_is_greeted_where_it_happened(place: Place) -> None:
    body = activity("installationUpdate", place, action="add")

    heard = understood(body)

    assert isinstance(heard, Joined)
    assert heard.event_id == f"{CONVERSATIONS[place]['id']}:{body['id']}"
    assert heard.account.user == "aaaa-0001"
    assert heard.private == (place == "chat")
    address = TeamsAddress.of(heard.address)
    assert (address.user, address.conversation, address.activity) == ("29:1ada", CONVERSATIONS[place]["id"], "")


@pytest.mark.parametrize("place", ["chat", "group", "channel"])
def test_the_desks_own_arrival_is_greeted_once(place: Place) -> None:
    for people in ([DESK], [ADA, DESK]):
        heard = understood(came(*people, place=place))

        assert isinstance(heard, MembersChanged)
        assert heard.joined is None


def test_people_who_join_a_group_are_greeted_together() -> None:
    heard = understood(came(BEN, {"id": "29:cleo"}, sender=ADA))

    assert isinstance(heard, MembersChanged)
    assert heard.conversation == "19:group@thread.v2"
    assert heard.joined is not None
    assert heard.joined.account.user == "bbbb-0002"
    assert TeamsAddress.of(heard.joined.address).user == "29:1ben"


def test_people_who_join_a_team_are_greeted_in_its_channel() -> None:
    heard = understood(came(BEN, place="channel", conversation=CHANNEL_ITSELF))

    assert isinstance(heard, MembersChanged)
    assert heard.joined is not None
    assert heard.joined.thread == f"teams:{CHANNEL}"


def test_members_belong_to_the_channel_not_to_a_thread() -> None:
    heard = understood(came(BEN, place="channel"))

    assert isinstance(heard, MembersChanged)
    assert heard.conversation == CHANNEL


def test_other_bots_are_not_greeted() -> None:
    bots: list[Json] = [{"id": "28:other"}, {"id": "29:robot", "role": "bot"}]

    assert understood(came(*bots)) == MembersChanged("19:group@thread.v2")
    heard = understood(came(*bots, BEN))
    assert isinstance(heard, MembersChanged)
    assert heard.joined is not None
    assert heard.joined.account.user == "bbbb-0002"


@pytest.mark.parametrize("who", [BEN, DESK])
def test_who_leaves_is_told_on_and_not_greeted(who: Json) -> None:
    heard = understood(activity("conversationUpdate", "group", membersRemoved=[who]))

    assert heard == MembersChanged("19:group@thread.v2")


@pytest.mark.parametrize("field", ["id", "serviceUrl"])
def test_people_who_cannot_be_answered_are_not_greeted(field: str) -> None:
    body = came(BEN)
    del body[field]

    assert understood(body) == MembersChanged("19:group@thread.v2")


@pytest.mark.parametrize("event", ["channelCreated", "channelRenamed", "teamRenamed", "teamArchived", "something new"])
def test_other_changes_are_passed_over(event: str) -> None:
    assert understood(activity("conversationUpdate", "channel", channelData={"eventType": event})) == TeamsIgnored(
        "unknown"
    )


def test_a_removed_app_is_told_on() -> None:
    assert understood(activity("installationUpdate", "group", action="remove")) == Uninstalled("19:group@thread.v2")


@pytest.mark.parametrize("action", ["add-upgrade", "remove-upgrade", "", None])
def test_another_version_of_the_app_greets_nobody(action: str | None) -> None:
    assert understood(activity("installationUpdate", action=action)) == TeamsIgnored("known")


def test_an_installation_by_nobody_greets_nobody() -> None:
    body = activity("installationUpdate", action="add")
    del body["from"]

    assert understood(body) == TeamsIgnored("unknown")


# What the test client of Microsoft sends when a conversation is opened for the first time


def test_the_test_clients_first_activities_are_one_welcome() -> None:
    alex, bot = {"id": "user-id-0", "aadObjectId": "00000000-0020"}, {"id": "bot-id", "name": "Test Bot"}
    installed = activity("installationUpdate", action="add", sender=alex, recipient=bot)
    added = came({"id": "user-id-0"}, {"id": "bot-id"}, place="chat", sender=alex, recipient=bot)

    assert [type(understood(each)) for each in (installed, added)] == [Joined, MembersChanged]
    changed = understood(added)
    assert isinstance(changed, MembersChanged)
    assert changed.joined is None
