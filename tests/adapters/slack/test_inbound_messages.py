"""What people say in Slack becomes a message of the desk, or is left alone on purpose."""

from typing import Any

import pytest

from adapters.events import Message, Withdrawn
from adapters.slack.address import SlackAddress
from adapters.slack.inbound.messages import plain, without_mention
from adapters.slack.inbound.origin import SlackIgnored
from tests.adapters.slack.hearing import Hearing
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Json


@pytest.fixture
def hearing() -> Hearing:
    return Hearing()


def message(hearing: Hearing, body: Json) -> Message:
    found = hearing.heard(body)
    assert isinstance(found, Message), found
    return found


def test_a_mention_in_a_channel_begins_a_thread_under_it(hearing: Hearing) -> None:
    said = hearing.said(f"<@{hearing.workspace.bot.id}> how do I reset my password?")

    heard = message(hearing, hearing.told(said))

    assert heard.text == "how do I reset my password?"
    assert (heard.addressed, heard.private) == (True, False)
    assert heard.thread == f"slack:{hearing.workspace.team.id}:{said.channel}:{said.ts}"
    assert SlackAddress.of(heard.address) == SlackAddress(
        team=hearing.workspace.team.id,
        user=hearing.ada.id,
        user_team=hearing.workspace.team.id,
        channel=said.channel,
        thread_ts=said.ts,
        message_ts=said.ts,
        kind="channel",
    )
    assert (heard.account.platform, heard.account.user, heard.account.kind) == ("slack", hearing.ada.id, "member")


def test_a_mention_and_its_twin_are_one_message(hearing: Hearing) -> None:
    said = hearing.said(f"hello <@{hearing.workspace.bot.id}>")

    assert message(hearing, hearing.told(said)) == message(hearing, hearing.mentioned(said))


def test_a_redelivery_has_the_same_id_under_another_event_id(hearing: Hearing) -> None:
    said = hearing.said("hello", channel=hearing.dm)

    first, second = hearing.told(said), hearing.told(said)

    assert first["event_id"] != second["event_id"]
    assert message(hearing, first).event_id == message(hearing, second).event_id


def test_a_direct_message_is_addressed_and_private_and_a_root_of_its_own(hearing: Hearing) -> None:
    heard = [message(hearing, hearing.told(hearing.said(text, channel=hearing.dm))) for text in ("one", "two")]

    assert [(each.addressed, each.private) for each in heard] == [(True, True)] * 2
    assert heard[0].thread != heard[1].thread
    assert SlackAddress.of(heard[0].address).kind == "dm"


def test_a_reply_in_a_thread_is_heard_unaddressed(hearing: Hearing) -> None:
    root = hearing.said("the printer is broken")
    reply = hearing.said("since Monday", thread_ts=root.ts)

    heard = message(hearing, hearing.told(reply))

    assert heard.addressed is False
    assert heard.thread.endswith(f":{root.ts}")


def test_a_reply_with_a_mention_is_addressed(hearing: Hearing) -> None:
    root = hearing.said("the printer is broken")
    reply = hearing.said(f"<@{hearing.workspace.bot.id}>, what now?", thread_ts=root.ts)

    heard = message(hearing, hearing.told(reply))

    assert (heard.addressed, heard.text) == (True, "what now?")
    assert SlackAddress.of(heard.address).thread_ts == root.ts


def test_a_broadcast_reply_belongs_to_its_thread(hearing: Hearing) -> None:
    root = hearing.said("the printer is broken")
    reply = hearing.said("solved", thread_ts=root.ts, subtype="thread_broadcast")

    assert message(hearing, hearing.told(reply)).thread.endswith(f":{root.ts}")


@pytest.mark.parametrize("subtype", ["file_share", "me_message"])
def test_files_and_me_are_words_of_a_person(hearing: Hearing, subtype: str) -> None:
    assert message(hearing, hearing.told(hearing.said("look", channel=hearing.dm, subtype=subtype))).text == "look"


def test_talk_among_people_is_overheard(hearing: Hearing) -> None:
    heard = message(hearing, hearing.told(hearing.said("lunch?")))

    assert (heard.overheard, heard.addressed) == (True, False)


def test_a_reply_to_somebody_else_is_dropped(hearing: Hearing) -> None:
    root = hearing.said("the printer is broken")
    reply = hearing.said(f"<@{hearing.ben.id}> can you look?", thread_ts=root.ts)

    assert hearing.heard(hearing.told(reply)) == SlackIgnored("others")


def test_own_messages_are_dropped(hearing: Hearing) -> None:
    own = hearing.said("an answer", user=hearing.workspace.bot, channel=hearing.dm)

    assert hearing.heard(hearing.told(own)) == SlackIgnored("own")


def test_other_bots_are_dropped_even_when_they_name_the_desk(hearing: Hearing) -> None:
    robot = hearing.workspace.add_user("robot", is_bot=True, bot_id="B9")
    said = hearing.said(f"<@{hearing.workspace.bot.id}> deploy", user=robot)
    webhook = events.bot_message(hearing.workspace, hearing.dm, "deployed")

    assert hearing.heard(hearing.told(said)) == SlackIgnored("bot")
    assert hearing.heard(hearing.mentioned(said)) == SlackIgnored("bot")
    assert hearing.heard(hearing.told_of(webhook)) == SlackIgnored("bot")


def test_an_edit_is_dropped_and_a_deletion_takes_the_words_back(hearing: Hearing) -> None:
    said = hearing.said("hello", channel=hearing.dm)
    before = events.message(hearing.workspace, said)

    assert hearing.heard(hearing.told_of(events.message_changed(hearing.workspace, said, before))) == SlackIgnored(
        "edited"
    )
    gone = hearing.heard(hearing.told_of(events.message_deleted(hearing.workspace, said, before)))
    assert isinstance(gone, Withdrawn)
    assert gone.message.endswith(f":{said.ts}")


def test_a_mention_that_an_edit_adds_asks(hearing: Hearing) -> None:
    said = hearing.said(f"<@{hearing.workspace.bot.id}> how do I reset my password?")
    body = hearing.mentioned(said)
    body["event"]["edited"] = {"user": hearing.ada.id, "ts": "2.0"}

    assert message(hearing, body).event_id == f"{said.channel}:{said.ts}"


@pytest.mark.parametrize("subtype", ["channel_join", "channel_topic", "pinned_item", "reminder_add", "tombstone"])
def test_every_other_subtype_is_dropped(hearing: Hearing, subtype: str) -> None:
    assert hearing.heard(hearing.told(hearing.said("x", channel=hearing.dm, subtype=subtype))) == SlackIgnored(
        "subtype"
    )


@pytest.mark.parametrize("field", ["user", "ts", "channel"])
def test_a_message_without_what_it_needs_is_dropped(hearing: Hearing, field: str) -> None:
    body = hearing.told(hearing.said("hello", channel=hearing.dm))
    del body["event"][field]

    assert hearing.heard(body) == SlackIgnored("unknown")


@pytest.mark.parametrize("field", ["team", "channel_type", "blocks", "client_msg_id", "text"])
def test_optional_fields_may_be_missing(hearing: Hearing, field: str) -> None:
    body = hearing.told(hearing.said("hello", channel=hearing.dm))
    body["event"].pop(field, None)

    assert message(hearing, body).account.kind == "member"


def test_a_group_message_has_to_name_the_desk(hearing: Hearing) -> None:
    body = hearing.told(hearing.said("hello"))
    body["event"]["channel_type"] = "mpim"

    assert hearing.heard(body) == SlackIgnored("talk")


# Companies and organisations


def test_people_of_another_company_are_external(hearing: Hearing) -> None:
    other = hearing.workspace.add_team("Partner")
    guest = hearing.workspace.add_user("gus", team_id=other.id)
    shared = hearing.workspace.add_channel("joint", (hearing.ada, guest), is_ext_shared=True)
    bot = f"<@{hearing.workspace.bot.id}> hello"

    theirs = message(hearing, hearing.told(hearing.said(bot, user=guest, channel=shared)))
    ours = message(hearing, hearing.told(hearing.said(bot, channel=shared)))

    assert (theirs.account.kind, theirs.account.tenant) == ("external", other.id)
    assert SlackAddress.of(theirs.address).user_team == other.id
    assert SlackAddress.of(theirs.address).team == hearing.workspace.team.id
    assert (ours.account.kind, ours.account.tenant) == ("member", hearing.workspace.team.id)


def test_who_is_not_told_in_a_shared_channel_is_external(hearing: Hearing) -> None:
    shared = hearing.workspace.add_channel("joint", (hearing.ada,), is_ext_shared=True)
    body = hearing.told(hearing.said(f"<@{hearing.workspace.bot.id}> hello", channel=shared))
    del body["event"]["team"]

    heard = message(hearing, body)

    assert (heard.account.kind, heard.account.tenant) == ("external", hearing.workspace.team.id)


def grid(body: Json, enterprise: str, **event: Any) -> Json:
    body["enterprise_id"] = enterprise
    body["authorizations"][0]["enterprise_id"] = enterprise
    body["event"] |= event
    return body


@pytest.mark.parametrize("home", ["T0HARBOUR", "E1"])
def test_an_organisation_is_part_of_the_tenant(hearing: Hearing, home: str) -> None:
    body = grid(hearing.told(hearing.said("hello", channel=hearing.dm)), "E1", user="W012AB", user_team=home)

    heard = message(hearing, body)

    assert (heard.account.tenant, heard.account.user, heard.account.kind) == ("E1/T0HARBOUR", "W012AB", "member")


def test_another_organisation_is_external(hearing: Hearing) -> None:
    body = grid(hearing.told(hearing.said("hello", channel=hearing.dm)), "E1", user="W9", user_team="E2")

    heard = message(hearing, body)

    assert (heard.account.tenant, heard.account.kind) == ("E2", "external")


def test_another_installation_of_the_app_is_not_answered(hearing: Hearing) -> None:
    hearing.installation.learn(team="T0HARBOUR", bot_user=hearing.workspace.bot.id)
    body = hearing.told(hearing.said("hello", channel=hearing.dm))
    body["authorizations"][0]["team_id"] = "T0OTHER"

    assert hearing.heard(body) == SlackIgnored("another_workspace")


# Commands


def test_a_command_is_a_private_message(hearing: Hearing) -> None:
    body = interactions.command(
        hearing.workspace, hearing.ada, hearing.general, name="/helpme", text="report &lt;printer&gt;"
    )
    hearing.installation.learn(team=hearing.workspace.team.id)

    heard = message(hearing, body)

    assert heard.text == "/desk report <printer>"
    assert (heard.private, heard.addressed, heard.unseen, heard.event_id) == (True, True, True, body["trigger_id"])
    assert heard.thread == f"slack:{hearing.workspace.team.id}:command:{hearing.ada.id}"
    address = SlackAddress.of(heard.address)
    assert (address.kind, address.channel, address.thread_ts) == ("command", hearing.general.id, "")


def test_a_bare_command_has_no_trailing_blank(hearing: Hearing) -> None:
    body = interactions.command(hearing.workspace, hearing.ada, hearing.dm, name="/desk", text="")

    assert message(hearing, body).text == "/desk"


# Words


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("see <https://example.com/a?b=1&amp;c=2>", "see https://example.com/a?b=1&c=2"),
        ("see <https://example.com|the page>", "see the page (https://example.com)"),
        ("see <http://example.com|example.com>", "see example.com"),
        ("to <mailto:ada@example.com|ada@example.com>", "to ada@example.com"),
        ("in <#C1|general> and <#C2> and <#C3|>", "in #general and #C2 and #C3"),
        ("ask <@U2> or <@W3|bob>", "ask <@U2> or <@W3>"),
        ("<!here> <!subteam^S1|@team> <!date^1^{date}|Monday>", "@here @team Monday"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("&lt;@U2&gt; was typed", "<@U2> was typed"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("重置 <https://example.com|密码>", "重置 密码 (https://example.com)"),
    ],
)
def test_markup_becomes_plain_words(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<@U1> hello", "hello"),
        ("<@U1|desk>: hello", "hello"),
        ("<@U1>，密码怎么重置？", "密码怎么重置？"),
        ("can <@U1> help?", "can help?"),
        ("first\n  <@U1> second", "first\nsecond"),
        ("<@U1>", ""),
        ("<@U12> is somebody else", "<@U12> is somebody else"),
        ("no  mention  here", "no  mention  here"),
    ],
)
def test_the_mention_is_taken_out(written: str, read: str) -> None:
    assert without_mention(written, "U1") == read
