"""Posting, changing and removing messages, and every reason why not."""

import pytest

from tests.fakes.slack.records import Json
from tests.fakes.slack_api.conftest import House, error, refusal

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}
RICH = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "a"}]}]}
METADATA = {"event_type": "answer", "event_payload": {"id": "7"}}


async def test_a_message_is_kept_as_it_was_sent(house: House) -> None:
    answer = await house.client.chat_postMessage(
        channel=house.help.id, text="hello", blocks=[SECTION], metadata=METADATA, unfurl_links=False, unfurl_media=False
    )

    kept = house.workspace.messages[house.help.id][answer["ts"]]
    assert (kept.text, kept.user, kept.bot_id, kept.metadata) == ("hello", "U0DESK", "B0DESK", METADATA)
    assert (kept.unfurl_links, kept.unfurl_media) == (False, False)
    assert kept.blocks[0].keys() == {"type", "text", "block_id"}
    assert answer["message"]["metadata"] == METADATA


async def test_a_post_to_a_person_lands_in_the_direct_conversation(house: House) -> None:
    answer = await house.client.chat_postMessage(channel=house.ann.id, text="hello")

    assert answer["channel"] == house.workspace.im(house.ann).id


async def test_where_the_app_may_not_write(house: House) -> None:
    workspace, post = house.workspace, house.client.chat_postMessage
    open_one = workspace.add_channel("open", (house.ann,), with_bot=False)
    secret = workspace.add_channel("secret", (house.ann,), with_bot=False, is_private=True)
    old = workspace.add_channel("old", (house.ann,), is_archived=True)

    assert await error(post(channel=open_one.id, text="a")) == "not_in_channel"
    assert await error(post(channel=secret.id, text="a")) == "channel_not_found"
    assert await error(post(channel=old.id, text="a")) == "is_archived"
    assert await error(post(channel="help", text="a")) == "channel_not_found"
    workspace.scopes.add("chat:write.public")
    assert (await post(channel=open_one.id, text="a"))["ok"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "no_text"),
        ({"text": ""}, "no_text"),
        ({"text": "a", "markdown_text": "b"}, "markdown_text_conflict"),
        ({"blocks": [SECTION], "markdown_text": "b"}, "markdown_text_conflict"),
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"text": "a", "attachments": [{"text": "b"}] * 101}, "too_many_attachments"),
        ({"text": "a", "blocks": "[{"}, "invalid_blocks_format"),
        ({"text": "a", "blocks": {"type": "divider"}}, "invalid_blocks_format"),
        ({"text": "a", "metadata": "{"}, "invalid_metadata_format"),
        ({"text": "a", "metadata": {"event": "x"}}, "invalid_metadata_format"),
        ({"text": "a", "metadata": {"event_type": "x"}}, "invalid_metadata_schema"),
        ({"text": "a", "metadata": {"event_type": "x", "event_payload": {"y": "z" * 16_000}}}, "metadata_too_large"),
        ({"text": "a", "thread_ts": "1.000000"}, "cannot_reply_to_message"),
    ],
)
async def test_what_a_post_may_not_say(house: House, arguments: Json, code: str) -> None:
    assert await error(house.client.api_call("chat.postMessage", json={"channel": house.help.id} | arguments)) == code
    assert list(house.workspace.standing(house.help.id)) == []


async def test_a_long_text_is_cut(house: House) -> None:
    assert len((await house.post("x" * 50_000)).text) == 40_000


async def test_a_reply_goes_to_the_root_of_its_thread(house: House) -> None:
    root = await house.post()
    reply = await house.post(thread_ts=root.ts)

    assert (reply.thread_ts, root.thread_ts, reply.root) == (root.ts, None, root.ts)
    again = house.client.chat_postMessage(channel=house.help.id, text="a", thread_ts=reply.ts)
    assert await error(again) == "cannot_reply_to_message"


async def test_markdown_is_kept_as_it_was_written(house: House) -> None:
    answer = await house.client.chat_postMessage(channel=house.help.id, markdown_text="**bold**")

    assert house.workspace.messages[house.help.id][answer["ts"]].markdown == "**bold**"


async def test_an_update_changes_what_it_speaks_of(house: House) -> None:
    posted = await house.post("before", blocks=[SECTION], metadata=METADATA)
    update = house.client.chat_update

    await update(channel=house.help.id, ts=posted.ts, text="after")
    assert (posted.text, len(posted.blocks), posted.metadata, posted.earlier) == ("after", 1, METADATA, ["before"])
    assert posted.edited is not None
    assert posted.edited["user"] == "U0DESK"
    await update(channel=house.help.id, ts=posted.ts, text="bare", blocks=[], metadata={})
    assert (posted.text, posted.blocks, posted.metadata) == ("bare", [], None)
    await update(channel=house.help.id, ts=posted.ts, markdown_text="**all new**")
    assert (posted.text, posted.markdown) == ("**all new**", "**all new**")


async def test_an_update_that_cannot_be(house: House) -> None:
    posted, rich = await house.post(), await house.post(blocks=[RICH])
    said = house.workspace.say(house.ann, house.help, "mine")
    hidden = await house.client.chat_postEphemeral(channel=house.help.id, user=house.ann.id, text="psst")
    channel, update = house.help.id, house.client.chat_update

    assert await error(update(channel=channel, ts="1.000000", text="a")) == "message_not_found"
    assert await error(update(channel=channel, ts=said.ts, text="a")) == "cant_update_message"
    assert await error(update(channel=channel, ts=hidden["message_ts"], text="a")) == "cant_update_message"
    assert await error(update(channel=channel, ts=posted.ts, text="x" * 4_001)) == "msg_too_long"
    assert await error(update(channel=channel, ts=rich.ts, text="a", blocks=[SECTION])) == "block_mismatch"
    assert await error(update(channel="C404", ts=posted.ts, text="a")) == "channel_not_found"
    await house.client.chat_delete(channel=channel, ts=posted.ts)
    assert await error(update(channel=channel, ts=posted.ts, text="a")) == "message_not_found"


async def test_a_message_is_deleted_by_whose_it_is(house: House) -> None:
    posted, said = await house.post(), house.workspace.say(house.ann, house.help, "mine")
    delete = house.client.chat_delete

    await delete(channel=house.help.id, ts=posted.ts)
    assert [each.text for each in house.workspace.standing(house.help.id)] == ["mine"]
    assert await error(delete(channel=house.help.id, ts=posted.ts)) == "message_not_found"
    assert await error(delete(channel=house.help.id, ts=said.ts)) == "cant_delete_message"


async def test_one_member_alone_sees_an_ephemeral_message(house: House) -> None:
    show = house.client.chat_postEphemeral
    await show(channel=house.help.id, user=house.ann.id, text="psst")

    assert [each.text for each in house.workspace.seen_by(house.ann, house.help)] == ["psst"]
    assert house.workspace.seen_by(house.ben, house.help) == []
    house.help.members.remove(house.ben.id)
    assert await error(show(channel=house.help.id, user=house.ben.id, text="a")) == "user_not_in_channel"
    assert await error(show(channel=house.help.id, user="U404", text="a")) == "user_not_found"


async def test_a_message_has_an_address(house: House) -> None:
    root = await house.post()
    reply = await house.post(thread_ts=root.ts)

    link = (await house.client.chat_getPermalink(channel=house.help.id, message_ts=reply.ts))["permalink"]

    assert link.startswith("https://harbour.slack.com/archives/")
    assert f"thread_ts={root.ts}" in link
    missing = house.client.chat_getPermalink(channel=house.help.id, message_ts="1.000000")
    assert await error(missing) == "message_not_found"


async def test_a_reaction_is_given_once(house: House) -> None:
    said = house.workspace.say(house.ann, house.help, "hi")
    react = house.client.reactions_add

    await react(channel=house.help.id, name="eyes", timestamp=said.ts)
    assert said.reactions == {"eyes": ["U0DESK"]}
    assert await error(react(channel=house.help.id, name="eyes", timestamp=said.ts)) == "already_reacted"
    assert await error(react(channel=house.help.id, name="eyes", timestamp="1.000000")) == "message_not_found"


async def test_a_refused_argument_is_named(house: House) -> None:
    answer = await refusal(house.client.chat_postMessage(channel=house.help.id, text="a", colour="red"))

    assert answer["response_metadata"]["messages"] == ["[ERROR] unknown argument: colour"]
