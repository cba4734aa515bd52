"""Streams: whom they are for, what they take, and that Slack closes them."""

import pytest

from tests.fakes.slack.records import Json
from tests.fakes.slack_api.conftest import House, error

BUTTONS = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "rate",
            "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "up"},
            "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "down"},
        }
    ],
}


async def test_the_helper_of_slack_sdk_streams_an_answer(house: House) -> None:
    asked = house.workspace.say(house.ann, house.help, "why?")
    stream = await house.client.chat_stream(
        channel=house.help.id, thread_ts=asked.ts, recipient_user_id=house.ann.id,
        recipient_team_id=house.workspace.team.id, buffer_size=8,
    )  # fmt: skip
    await stream.append(markdown_text="Because ")
    await stream.append(markdown_text="**it is so**.")
    metadata = {"event_type": "answer", "event_payload": {"id": "7"}}
    answer = await stream.stop(blocks=[BUTTONS], metadata=metadata)

    kept = house.workspace.messages[house.help.id][answer["ts"]]
    assert (kept.text, kept.metadata, kept.thread_ts) == ("Because **it is so**.", metadata, asked.ts)
    assert kept.blocks[0]["type"] == "context_actions"
    assert kept.stream is not None
    assert (kept.stream.ending, kept.stream.recipient_user_id) == ("stopped", house.ann.id)
    assert house.workspace.thread(house.help.id, asked.ts).session_status == "active"


async def test_a_stream_says_where_and_for_whom(house: House) -> None:
    asked = house.workspace.say(house.ann, house.help, "why?")
    ann, team = house.ann.id, house.workspace.team.id

    async def code(**arguments: str) -> str:
        return await error(house.client.api_call("chat.startStream", json={"channel": house.help.id} | arguments))

    assert await code(recipient_user_id=ann, recipient_team_id=team) == "invalid_arguments"
    assert await code(thread_ts=asked.ts, recipient_team_id=team) == "missing_recipient_user_id"
    assert await code(thread_ts=asked.ts, recipient_user_id=ann) == "missing_recipient_team_id"
    assert await code(thread_ts=asked.ts, recipient_user_id="U404", recipient_team_id=team) == "user_not_found"
    assert await code(thread_ts=asked.ts, recipient_user_id=ann, recipient_team_id="T404") == "team_not_found"
    direct = house.workspace.im(house.ann)
    hello = house.workspace.say(house.ann, direct, "hello")
    assert (await house.client.chat_startStream(channel=direct.id, thread_ts=hello.ts))["ok"]


async def test_slack_closes_a_stream_after_five_minutes(house: House) -> None:
    ts = await house.stream(markdown_text="Because ")
    house.clock.advance(299)
    await house.client.chat_appendStream(channel=house.help.id, ts=ts, markdown_text="it ")
    update = {"channel": house.help.id, "ts": ts, "text": "all of it"}
    assert await error(house.client.api_call("chat.update", json=update)) == "streaming_state_conflict"
    house.clock.advance(1)

    late = house.client.chat_appendStream(channel=house.help.id, ts=ts, markdown_text="is")
    assert await error(late) == "message_not_in_streaming_state"
    assert await error(house.client.chat_stopStream(channel=house.help.id, ts=ts)) == "message_not_in_streaming_state"
    kept = house.workspace.messages[house.help.id][ts]
    assert kept.text == "Because it "
    assert kept.stream is not None
    assert kept.stream.ending == "expired"
    await house.client.api_call("chat.update", json=update)
    assert kept.text == "all of it"


async def test_a_stopped_stream_stays_stopped(house: House) -> None:
    ts = await house.stream()
    await house.client.chat_stopStream(channel=house.help.id, ts=ts, markdown_text="done")
    channel = house.help.id

    again = house.client.chat_appendStream(channel=channel, ts=ts, markdown_text="more")
    assert await error(again) == "message_not_in_streaming_state"
    plain = await house.post()
    not_one = house.client.chat_appendStream(channel=channel, ts=plain.ts, markdown_text="more")
    assert await error(not_one) == "message_not_in_streaming_state"
    nowhere = house.client.chat_appendStream(channel=channel, ts="1.000000", markdown_text="more")
    assert await error(nowhere) == "message_not_found"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "no_text"),
        ({"markdown_text": ""}, "no_text"),
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"markdown_text": "a", "chunks": [{"type": "markdown_text", "text": "b"}]}, "markdown_text_conflict"),
        ({"chunks": [{"type": "markdown_text", "text": "x" * 12_001}]}, "msg_too_long"),
        ({"chunks": [{"type": "markdown_text"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "song", "text": "la"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "plan_update", "title": "a", "colour": "red"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "task_update", "id": "1", "title": "a", "status": "late"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "task_update", "id": "1", "title": "x" * 257, "status": "error"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "blocks", "blocks": [{"type": "song"}]}]}, "invalid_blocks"),
        ({"chunks": "["}, "invalid_arguments"),
    ],
)
async def test_what_a_stream_does_not_take(house: House, arguments: Json, code: str) -> None:
    ts = await house.stream()

    assert (
        await error(house.client.api_call("chat.appendStream", json={"channel": house.help.id, "ts": ts} | arguments))
        == code
    )


async def test_a_stream_keeps_to_one_kind_of_content(house: House) -> None:
    channel, append = house.help.id, house.client.chat_appendStream
    chunk = {"type": "task_update", "id": "1", "title": "Look", "status": "in_progress"}
    words, tasks = await house.stream(markdown_text="a"), await house.stream(chunks=[chunk])

    assert await error(append(channel=channel, ts=words, chunks=[chunk])) == "streaming_mode_mismatch"
    assert await error(append(channel=channel, ts=tasks, markdown_text="a")) == "streaming_mode_mismatch"
    await append(channel=channel, ts=tasks, chunks=[{"type": "markdown_text", "text": "found"}])
    kept = house.workspace.messages[channel][tasks]
    assert kept.text == "found"
    assert kept.stream is not None
    assert len(kept.stream.chunks) == 2


async def test_a_session_has_four_states(house: House) -> None:
    ts = await house.stream()
    wrong = house.client.chat_stopStream(channel=house.help.id, ts=ts, session_status="tired")
    assert await error(wrong) == "invalid_arguments"
    await house.client.chat_stopStream(channel=house.help.id, ts=ts, session_status="suspended")

    root = house.workspace.messages[house.help.id][ts].root
    assert house.workspace.thread(house.help.id, root).session_status == "suspended"


async def test_twenty_streams_a_minute_may_start(house: House) -> None:
    for _ in range(20):
        await house.stream()
    asked = house.workspace.say(house.ann, house.help, "why?")
    start = house.client.chat_startStream(
        channel=house.help.id, thread_ts=asked.ts, recipient_user_id=house.ann.id,
        recipient_team_id=house.workspace.team.id,
    )  # fmt: skip

    assert await error(start) == "ratelimited"
    house.clock.advance(3)
    assert await house.stream()
