"""What people say in Teams becomes a message of the desk, or is left alone on purpose."""

import time
from typing import Any

import pytest

from adapters.events import Message
from adapters.teams.address import TeamsAddress
from adapters.teams.inbound.activities import Mention
from adapters.teams.inbound.messages import plain, without
from adapters.teams.inbound.origin import TeamsIgnored
from tests.adapters.hostile import TOKENS
from tests.adapters.teams.hearing import (
    ADA,
    BEN,
    CHANNEL,
    CONVERSATIONS,
    DESK,
    ELSEWHERE,
    ROOT,
    TENANT,
    Json,
    Place,
    activity,
    mention,
    said,
    understood,
)

#: As long as a message of Teams' may be.
LONGEST = 100_000
#: Seconds of the processor; what grew with the square took many.
BOUND_S = 2.0
REPEATED = (
    *TOKENS,
    "<at>",
    "<a ",
    "<a href='",
    "href='",
    "&nbsp;",
    "&",
    "<p ",
    "</",
    " ",
    "\xa0",
    "<at>Duty Desk</at>",
)


def message(body: Json) -> Message:
    found = understood(body)
    assert isinstance(found, Message), found
    return found


def test_a_message_in_the_chat_is_addressed_and_private() -> None:
    body = said("how do I reset my password?")

    heard = message(body)

    assert (heard.text, heard.addressed, heard.private, heard.unseen) == (body["text"], True, True, False)
    assert heard.event_id == f"a:1chat:{body['id']}"
    assert heard.thread == "teams:a:1chat"
    assert TeamsAddress.of(heard.address) == TeamsAddress(
        service_url="https://smba.trafficmanager.net/emea/",
        tenant=TENANT,
        user="29:1ada",
        person="aaaa-0001",
        bot="28:desk",
        conversation="a:1chat",
        activity=body["id"],
        kind="personal",
        name="Ada Lind",
    )


def test_a_mention_in_a_channel_is_addressed_and_read_by_others() -> None:
    heard = message(said("<at>Duty Desk</at> the printer is broken", "channel", naming=[DESK], id=ROOT))

    assert (heard.text, heard.addressed, heard.private) == ("the printer is broken", True, False)
    assert heard.thread == f"teams:{CHANNEL};messageid={ROOT}"
    address = TeamsAddress.of(heard.address)
    assert (address.kind, address.team, address.activity) == ("channel", CHANNEL, ROOT)


def test_a_redelivery_has_the_same_id() -> None:
    body = said("hello")

    assert message(body).event_id == message(dict(body)).event_id


def test_two_messages_have_two_ids() -> None:
    assert message(said("hello")).event_id != message(said("hello")).event_id


# Addressed or not


def test_a_reply_in_a_thread_is_heard_unaddressed() -> None:
    assert message(said("since Monday", "channel")).addressed is False


def test_talk_in_a_group_is_dropped_because_it_never_ends() -> None:
    assert understood(said("since Monday", "group")) == TeamsIgnored("talk")


def test_a_post_that_names_nobody_is_overheard() -> None:
    alone = CONVERSATIONS["channel"] | {"id": CHANNEL}

    assert message(said("lunch?", "channel", id=ROOT)).overheard
    assert message(said("lunch?", "channel", conversation=alone)).overheard
    assert not message(said("since Monday", "channel")).overheard


@pytest.mark.parametrize("place", ["group", "channel"])
def test_what_is_said_to_somebody_else_is_dropped(place: Place) -> None:
    assert understood(said("<at>Ben Okoro</at> can you look?", place, naming=[BEN])) == TeamsIgnored("others")


def test_whoever_else_is_named_beside_the_desk_keeps_the_name() -> None:
    text = "<at>Duty Desk</at> tell <at>Ben Okoro</at> about it"

    assert message(said(text, "group", naming=[DESK, BEN])).text == "tell Ben Okoro about it"


def test_a_mention_is_told_by_the_entity_not_by_the_name() -> None:
    namesake = BEN | {"name": "Duty Desk"}

    assert understood(said("<at>Duty Desk</at> lunch?", "group", naming=[namesake])) == TeamsIgnored("others")
    assert message(said("<at>Duty Desk</at> lunch?", "channel")).addressed is False


def test_only_a_mention_says_nothing() -> None:
    assert message(said("<at>Duty Desk</at>\n", "group", naming=[DESK])).text == ""


def test_a_picture_in_the_chat_says_nothing() -> None:
    assert message(activity("message", attachments=[{"contentType": "image/*"}])).text == ""


# Who it was


@pytest.mark.parametrize("role", ["bot", "skill"])
def test_other_bots_are_dropped_even_when_they_name_the_desk(role: str) -> None:
    robot = {"id": "29:robot", "name": "Robot", "role": role}

    assert understood(said("<at>Duty Desk</at> deploy", "group", naming=[DESK], sender=robot)) == TeamsIgnored("bot")


def test_an_app_without_a_role_is_a_bot_all_the_same() -> None:
    assert understood(said("deploy", sender={"id": "28:other", "name": "Workflows"})) == TeamsIgnored("bot")


def test_own_messages_are_dropped() -> None:
    assert understood(said("an answer", sender=DESK)) == TeamsIgnored("own")


def test_an_account_is_its_person_in_lower_case() -> None:
    account = message(said("hello")).account

    assert (account.platform, account.tenant, account.user) == ("teams", TENANT, "aaaa-0001")
    assert (account.name, account.kind, account.email, account.email_verified) == ("Ada Lind", "member", None, False)


def test_who_has_no_account_is_external() -> None:
    account = message(said("hello", sender={"id": "29:guest", "name": "Gus"})).account

    assert (account.user, account.kind) == ("29:guest", "external")


def test_people_of_other_companies_are_external() -> None:
    account = message(said("hello", channelData={"tenant": {"id": ELSEWHERE}})).account

    assert (account.tenant, account.kind) == (ELSEWHERE, "external")


def test_a_tenant_is_the_same_in_capitals() -> None:
    account = message(said("hello", channelData={"tenant": {"id": TENANT.upper()}})).account

    assert (account.tenant, account.kind) == (TENANT, "member")


def test_without_a_company_everybody_is_a_member() -> None:
    heard = understood(said("hello", channelData={"tenant": {"id": ELSEWHERE}}), tenant="")

    assert isinstance(heard, Message)
    assert heard.account.kind == "member"


@pytest.mark.parametrize(
    ("locale", "language"), [("zh-CN", "zh"), ("zh-Hant-TW", "zh"), ("en-US", "en"), ("de-DE", None), (None, None)]
)
def test_the_language_is_the_clients(locale: str | None, language: str | None) -> None:
    assert message(said("hello", locale=locale)).account.language == language


@pytest.mark.parametrize("kind", ["meeting", "", None])
def test_in_a_chat_of_an_unknown_kind_others_may_read(kind: str | None) -> None:
    chat = {"id": "19:meeting", "conversationType": kind}

    assert message(said("<at>Duty Desk</at> x", conversation=chat, naming=[DESK])).private is False
    assert understood(said("x", conversation=chat)) == TeamsIgnored("talk")


@pytest.mark.parametrize("field", ["id", "from", "conversation", "serviceUrl"])
def test_a_message_without_what_it_needs_is_dropped(field: str) -> None:
    body = said("hello")
    del body[field]

    assert understood(body) == TeamsIgnored("unknown")


@pytest.mark.parametrize("field", ["entities", "channelData", "locale", "recipient", "textFormat", "text"])
def test_optional_fields_may_be_missing(field: str) -> None:
    body = said("hello")
    del body[field]

    assert message(body).account.kind == "member"


# The words

WRITTEN = {
    "<p>It is <strong>slow</strong>.</p>\n<p>Since&nbsp;Monday.</p>": "It is slow.\n\nSince Monday.",
    "one<br>two<br />three": "one\ntwo\nthree",
    "<ul><li>one</li><li>two</li></ul>": "- one\n- two",
    "a &lt;b&gt; &amp; c": "a <b> & c",
    "List<String> of <nothing>, 1 < 2 > 0": "List<String> of <nothing>, 1 < 2 > 0",
    "see <a href=\"https://wiki/x\" title='x'>the page</a>": "see the page (https://wiki/x)",
    '<a href="https://wiki/x">https://wiki/x</a>': "https://wiki/x",
    "<a name='x'>here</a>": "here",
    "https://wiki/?a=1&copy=2&lt=3": "https://wiki/?a=1&copy=2&lt=3",
    "def f():\n    return  1  \n": "def f():\n    return  1",
    "&lt;p&gt; is a tag": "<p> is a tag",
    "重置\xa0密码&#12290;": "重置 密码。",
    "&#0;&#xD800;": "\ufffd\ufffd",
}


@pytest.mark.parametrize(("written", "words"), WRITTEN.items())
def test_what_teams_leaves_in_a_text_becomes_plain_words(written: str, words: str) -> None:
    assert plain(written) == words


MENTIONED = {
    "<at>Duty Desk</at> my Duty Desk is broken": "my Duty Desk is broken",
    "<at>Duty Desk</at>, help": "help",
    "<at>Duty Desk</at>：帮忙": "帮忙",
    "<at>Duty Desk</at>&nbsp;help": "help",
    '<at id="0">Duty Desk</at> help': "help",
    "could <at>Duty Desk</at> help": "could help",
    "help <at>Duty Desk</at>": "help",
    "first\n<at>Duty Desk</at> second": "first\nsecond",
    "<p><at>Duty Desk</at>&nbsp;help</p>": "help",
}


@pytest.mark.parametrize(("text", "words"), MENTIONED.items())
def test_the_desks_own_name_is_taken_out(text: str, words: str) -> None:
    assert message(said(text, "group", naming=[DESK])).text == words


def test_a_name_that_is_escaped_in_the_text_is_taken_out() -> None:
    named = mention() | {"mentioned": DESK | {"name": "R&D (Desk)"}, "text": ""}

    for shown in ("R&D (Desk)", "R&amp;D (Desk)"):
        assert message(said(f"<at>{shown}</at> help", "group", entities=[named])).text == "help"


@pytest.mark.parametrize("token", REPEATED)
def test_a_text_is_read_in_time_whatever_it_repeats(token: str) -> None:
    own = [Mention("28:desk", "Duty Desk", "<at>Duty Desk</at>")]
    for text in ((token * LONGEST)[:LONGEST], f"<a {token * LONGEST}"[:LONGEST]):
        began = time.process_time()
        plain(without(text, own))

        assert time.process_time() - began < BOUND_S


# Other activities

PASSED_OVER: dict[str, Any] = {
    "messageUpdate": "edited",  # of what kind is not told
    "messageReaction": "talk",
    "typing": "talk",
    "event": "known",
    "endOfConversation": "unknown",
    "something new": "unknown",
}


@pytest.mark.parametrize(("kind", "reason"), PASSED_OVER.items())
def test_what_is_no_question_is_passed_over(kind: str, reason: Any) -> None:
    assert understood(activity(kind, text="hello", sender=ADA)) == TeamsIgnored(reason)
