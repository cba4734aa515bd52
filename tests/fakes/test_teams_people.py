"""People of the local Teams act, and the app hears of it what an app of Teams hears, in the same shapes."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import jwt
import pytest
from botbuilder.schema import Activity  # type: ignore[import-untyped]
from botbuilder.schema.teams import TeamsChannelData  # type: ignore[import-untyped]

from storage.clock import ScaledClock
from tests.fakes.not_shown import NotShown
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.people import Person
from tests.fakes.teams.records import Conversation, Json
from tests.fakes.teams_app import App, teams_with_app


@dataclass
class Town:
    """An organisation with one channel and two people, and an app that listens."""

    teams: LocalTeams
    app: App
    ann: Person
    ben: Person
    ops: Conversation

    async def told(self) -> list[Json]:
        """Return what the app heard, once nothing is on its way."""
        await self.teams.deliveries.settled()
        return self.app.heard


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    async with teams_with_app(ScaledClock()) as (teams, app):
        ann, ben = teams.add_person("Ann Archer"), teams.add_person("Ben Brook", locale="zh-CN")
        yield Town(teams, app, ann, ben, teams.organisation.add_channel("ops", (ann.user, ben.user)))


async def test_words_in_a_chat_come_with_who_and_where(town: Town) -> None:
    said = await town.ben.say("chat", "a < b & c")
    (heard,) = await town.told()

    assert (heard["type"], heard["id"], heard["channelId"]) == ("message", said.id, "msteams")
    assert heard["text"] == "a &lt; b &amp; c"
    assert heard["from"] == {"id": town.ben.user.id, "name": "Ben Brook", "aadObjectId": town.ben.user.aad_object_id}
    assert heard["conversation"] == {
        "id": town.ben.place("chat").id, "conversationType": "personal", "tenantId": town.teams.organisation.tenant.id
    }  # fmt: skip
    assert heard["serviceUrl"] == town.teams.service_url
    assert heard["locale"] == "zh-CN"
    assert heard["recipient"]["id"] == town.teams.organisation.bot.id


async def test_a_channel_is_heard_by_name_only_and_the_thread_is_in_the_id(town: Town) -> None:
    await town.ann.say("#ops", "nobody asked you")
    first = await town.ann.mention("#ops", "why?")
    await town.ann.mention("#ops", "and now?", thread=first)
    heard = sorted(await town.told(), key=lambda each: each["id"])

    assert [each["text"] for each in heard] == ["<at>Duty Desk</at> why?\n", "<at>Duty Desk</at> and now?\n"]
    assert {each["conversation"]["id"] for each in heard} == {f"{town.ops.id};messageid={first.id}"}
    assert all(each["conversation"]["isGroup"] for each in heard)
    (mention,) = (each for each in heard[0]["entities"] if each["type"] == "mention")
    assert mention["mentioned"]["id"] == town.teams.organisation.bot.id
    assert mention["text"] == "<at>Duty Desk</at>"
    assert town.ops.team is not None
    assert heard[0]["channelData"]["team"]["id"] == heard[0]["channelData"]["teamsTeamId"] == town.ops.team.id
    assert heard[0]["channelData"]["channel"]["id"] == town.ops.id


async def test_a_place_may_let_the_app_listen(town: Town) -> None:
    group = town.teams.organisation.add_group_chat((town.ann.user, town.ben.user), name="night shift", listens=True)
    await town.ann.say(group, "anybody?", naming=(town.ben.user,))
    (heard,) = await town.told()

    assert heard["text"] == "<at>Ben Brook</at> anybody?"
    assert heard["conversation"]["conversationType"] == "groupChat"
    assert heard["conversation"]["name"] == "night shift"


async def test_edits_deletions_and_reactions_are_told_of_what_was_heard(town: Town) -> None:
    said, own = await town.ann.say("chat", "hello"), await town.app.send(town.ann.place("chat").id, text="yes?")
    private = await town.ann.say("#ops", "not for you")
    await town.told()
    town.app.heard.clear()
    await town.ann.edit(said, "hello you")
    await town.ann.edit(private, "still not")
    await town.ann.delete(said)
    await town.ann.react(own, "like")
    heard = {each["type"]: each for each in await town.told()}

    assert set(heard) == {"messageUpdate", "messageDelete", "messageReaction"}
    assert (heard["messageUpdate"]["id"], heard["messageUpdate"]["text"]) == (said.id, "hello you")
    assert heard["messageDelete"]["channelData"]["eventType"] == "softDeleteMessage"
    assert heard["messageReaction"]["replyToId"] == own.id
    with pytest.raises(NotShown):
        await town.ben.edit(private, "mine")


async def test_an_install_is_told_twice_and_a_removal_closes_the_place(town: Town) -> None:
    await town.ann.uninstall()
    await town.ann.say("chat", "anybody?")
    await town.ann.install()
    await town.ann.install("#ops")
    heard = [(each["type"], each["conversation"]["conversationType"], each.get("action")) for each in await town.told()]

    assert sorted(heard, key=str) == sorted(
        [
            ("installationUpdate", "personal", "remove"),
            ("installationUpdate", "personal", "add"),
            ("conversationUpdate", "personal", None),
            ("installationUpdate", "channel", "add"),
            ("conversationUpdate", "channel", None),
        ],
        key=str,
    )


async def test_people_who_come_and_go_are_told_of(town: Town) -> None:
    eve = town.teams.add_person("Eve")
    town.teams.feed.joined(town.ops, eve.user)
    town.teams.feed.left(town.ops, eve.user)
    joined, left = sorted(await town.told(), key=lambda each: "membersRemoved" in each)

    assert joined["membersAdded"] == [{"id": eve.user.id, "aadObjectId": eve.user.aad_object_id}]
    assert (joined["channelData"]["eventType"], left["channelData"]["eventType"]) == (
        "teamMemberAdded", "teamMemberRemoved"
    )  # fmt: skip
    with pytest.raises(NotShown):
        await eve.say("#ops", "let me in")


async def test_guests_strangers_and_nameless_people_are_who_they_are(town: Town) -> None:
    elsewhere = town.teams.organisation.add_tenant("Elsewhere")
    eve = town.teams.add_person("Eve", tenant_id=elsewhere.id)
    amy = town.teams.add_person("Amy", user_role="anonymous", aad_object_id="", email="", upn="")
    shared = town.teams.organisation.add_channel("shared", (town.ann.user, eve.user, amy.user), channel_type="shared")
    await eve.say("chat", "hi")
    await eve.mention(shared, "hi")
    await amy.mention(shared, "hi")
    chat, channel, nameless = sorted(await town.told(), key=lambda each: each["id"])

    home = town.teams.organisation.tenant.id
    assert chat["channelData"]["tenant"]["id"] == chat["conversation"]["tenantId"] == elsewhere.id
    assert channel["channelData"]["tenant"]["id"] == channel["conversation"]["tenantId"] == home
    assert channel["channelData"]["channel"]["type"] == "shared"
    assert "aadObjectId" not in nameless["from"]


async def test_everything_is_signed_for_the_place_that_it_names(town: Town) -> None:
    await town.ann.say("chat", "one")
    town.teams.server.move("amer")
    await town.ann.say("chat", "two")
    heard = await town.told()
    keys = [jwt.PyJWK(each) for each in town.teams.signing.jwks()["keys"]]

    for activity, headers in zip(heard, town.app.headers, strict=True):
        scheme, _, token = headers["Authorization"].partition(" ")
        claims = jwt.decode(
            token, keys[0], algorithms=["RS256"], audience=town.teams.organisation.bot.app_id,
            options={"verify_exp": False, "verify_nbf": False},
        )  # fmt: skip
        assert scheme == "Bearer"
        assert claims["serviceurl"] == activity["serviceUrl"]
    assert {each["serviceUrl"].split("/")[-2] for each in heard} == {"emea", "amer"}


async def test_a_test_client_signs_nothing() -> None:
    async with teams_with_app(ScaledClock(), signed=False) as (teams, app):
        await teams.add_person("Ann").say("chat", "hello")
        await teams.deliveries.settled()

        assert "Authorization" not in app.headers[0]


async def test_the_sdk_of_microsoft_reads_it_all(town: Town) -> None:
    card: Json = {"type": "AdaptiveCard", "version": "1.5", "body": []}
    card["actions"] = [{"type": "Action.Execute", "title": "Go", "verb": "press", "data": {"a": 1}}]
    town.app.answers["adaptiveCard/action"] = lambda _: None
    said = await town.app.send_card(town.ann.place("chat").id, card)
    await town.ann.press("Go", on=said)
    await town.ann.mention("#ops", "why?")
    await town.ann.install("#ops")
    await town.ann.react(said, "like")

    told = await town.told()
    assert len(told) >= 4
    for each in told:
        read: Any = Activity().deserialize(each)
        data = TeamsChannelData().deserialize(each["channelData"])
        assert (read.type, read.from_property.aad_object_id) == (each["type"], town.ann.user.aad_object_id)
        assert data.tenant.id == town.teams.organisation.tenant.id
        assert read.timestamp is not None
