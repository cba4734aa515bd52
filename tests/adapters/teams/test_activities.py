"""An activity is read into plain values, whatever it holds."""

import contextlib
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.teams.inbound.activities import Activity, Malformed, Member, Mention, read
from tests.adapters.teams.hearing import (
    ADA,
    CARD,
    CONVERSATIONS,
    DESK,
    TENANT,
    Json,
    activity,
    executed,
    said,
)

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "type", "id", "name", "action", "text", "textFormat", "locale", "serviceUrl", "from", "recipient", "conversation",
    "replyToId", "membersAdded", "membersRemoved", "entities", "channelData", "value", "timestamp", "attachments",
)  # fmt: skip
#: Seconds per activity: well below what an acknowledgement may take, with room for a busy machine.
BOUND_S = 0.005


def test_a_message_is_read() -> None:
    body = said("<at>Duty Desk</at> hello", "channel", naming=(DESK,), replyToId=CARD)

    assert read(body) == Activity(
        type="message",
        id=body["id"],
        text="<at>Duty Desk</at> hello",
        locale="en-GB",
        service_url="https://smba.trafficmanager.net/emea/",
        sender=Member("29:1ada", "Ada Lind", "aaaa-0001"),
        recipient=Member("28:desk", "Duty Desk"),
        conversation=CONVERSATIONS["channel"]["id"],
        conversation_kind="channel",
        tenant=TENANT,
        team="19:general@thread.tacv2",
        reply_to=CARD,
        mentions=(Mention("28:desk", "Duty Desk", "<at>Duty Desk</at>"),),
    )


def test_members_who_come_and_go_are_read() -> None:
    sent = read(activity("conversationUpdate", "group", membersAdded=[ADA, {"id": "29:2"}], membersRemoved=[DESK]))

    assert sent.added == (Member("29:1ada", "Ada Lind", "aaaa-0001"), Member("29:2"))
    assert sent.removed == (Member("28:desk", "Duty Desk"),)


@pytest.mark.parametrize(("role", "machine"), [("bot", True), ("skill", True), ("Bot", True), ("user", False)])
def test_a_role_tells_machines_from_people(role: str, *, machine: bool) -> None:
    assert read(said("hi", sender=ADA | {"role": role})).sender.machine is machine


def test_the_tenant_is_the_channels_before_the_conversations() -> None:
    told = activity("message", channelData={"tenant": {"id": "other"}})
    untold = activity("message", channelData=None)

    assert (read(told).tenant, read(untold).tenant) == ("other", TENANT)


@pytest.mark.parametrize("field", ["timestamp", "attachments", "localTimestamp", "suggestedActions", "expiration"])
def test_what_nobody_needs_may_have_any_shape(field: str) -> None:
    assert read(said("hello") | {field: 5}).text == "hello"


@pytest.mark.parametrize("entities", [5, "x", [1, None], [{"type": "clientInfo"}], {"type": "mention"}])
def test_entities_of_other_shapes_are_passed_over(entities: Any) -> None:
    assert read(said("hello", entities=entities)).mentions == ()


def test_a_mention_of_nobody_names_nobody() -> None:
    assert read(said("hello", entities=[{"type": "mention", "mentioned": "x"}])).mentions == (Mention("", "", ""),)


def test_what_is_no_text_is_taken_out() -> None:
    body = said("a\x00b\ud800c", sender=ADA | {"name": "A\x00da"})

    assert (read(body).text, read(body).sender.name) == ("abc", "Ada")


def test_a_value_passes_as_it_is() -> None:
    body = executed({"a": [1, {"b": None}]})

    assert read(body).value == body["value"]


def test_a_value_that_is_no_object_is_none() -> None:
    assert read(said("", value=[1])).value == {}


@pytest.mark.parametrize("body", [None, [], "message", 5, {}, {"type": None}, {"type": ""}, {"type": "x", "from": 3}])
def test_what_is_no_activity_is_malformed(body: Any) -> None:
    with pytest.raises(Malformed):
        read(body)


def test_a_nest_is_malformed() -> None:
    nest: Json = {}
    for _ in range(5_000):
        nest = {"a": nest}

    with pytest.raises(Malformed):
        read(activity("message", text=nest))


@given(JSON)
def test_any_json_is_read_or_malformed(body: Any) -> None:
    with contextlib.suppress(Malformed):
        assert isinstance(read(body), Activity)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.booleans())
def test_any_activity_is_read_or_malformed(fields: Json, alone: bool) -> None:
    try:
        sent = read(fields if alone else activity("message", **fields))
    except Malformed:
        return
    values = [each for each in (*vars(sent).values(), *vars(sent.sender).values()) if isinstance(each, str)]
    assert values
    assert "\0" not in "".join(values).encode().decode()  # which half a surrogate pair would not survive


def test_reading_takes_no_time_that_others_wait_for() -> None:
    naming = [{"id": f"29:{number}", "name": f"Somebody {number}"} for number in range(20)]
    bodies = [said("x" * 20_000, "channel", naming=naming), executed({str(each): "x" * 50 for each in range(5_000)})]
    read(bodies[0])
    for body in bodies:
        began = time.process_time()
        for _ in range(20):
            read(body)
        assert (time.process_time() - began) / 20 < BOUND_S
