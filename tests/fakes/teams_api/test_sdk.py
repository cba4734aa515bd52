"""Microsoft's own client speaks with the connector: paths, bodies, answers and errors are those of the protocol."""

from typing import Any

import pytest
from botbuilder.schema import (  # type: ignore[import-untyped]
    Activity,
    Attachment,
    ChannelAccount,
    ConversationParameters,
    ErrorResponseException,
)
from botframework.connector.aio import ConnectorClient  # type: ignore[import-untyped]
from msrest.authentication import BasicTokenAuthentication

from tests.fakes.teams.content import CARD
from tests.fakes.teams_api.conftest import House, attachment, block


@pytest.fixture
def conversations(house: House) -> Any:
    token = {"access_token": house.headers["Authorization"].removeprefix("Bearer ")}
    client = ConnectorClient(BasicTokenAuthentication(token), base_url=house.organisation.service_url)
    return client.conversations


async def test_it_sends_replies_updates_and_deletes(house: House, conversations: Any) -> None:
    card = Attachment(content_type=CARD, content=attachment(block("a"))["content"])
    sent = await conversations.send_to_conversation(house.help.id, Activity(type="message", attachments=[card]))
    place = f"{house.help.id};messageid={sent.id}"
    reply = await conversations.reply_to_activity(place, sent.id, Activity(type="message", text="re"))
    updated = await conversations.update_activity(place, reply.id, Activity(type="message", text="new"))

    assert updated.id == reply.id
    assert [each.text for each in house.organisation.replies(house.help.id, sent.id)] == ["", "new"]
    await conversations.delete_activity(place, reply.id)
    assert len(house.organisation.replies(house.help.id, sent.id)) == 1


async def test_it_opens_a_chat_and_asks_who_is_there(house: House, conversations: Any) -> None:
    parameters = ConversationParameters(
        bot=ChannelAccount(id=house.organisation.bot.id),
        members=[ChannelAccount(id=house.ben.id)],
        channel_data={"tenant": {"id": house.organisation.tenant.id}},
        is_group=False,
    )
    opened = await conversations.create_conversation(parameters)
    member = await conversations.get_conversation_member(opened.id, house.ben.id)
    page = await conversations.get_conversation_paged_members(house.help.id)

    assert opened.id == house.organisation.chat(house.ben).id
    assert (member.name, member.aad_object_id) == ("Ben Brook", house.ben.aad_object_id)
    assert [each.id for each in page.members] == [house.ann.id, house.ben.id]


async def test_it_understands_a_refusal(house: House, conversations: Any) -> None:
    house.organisation.chat(house.ann).barrier = "ConversationBlockedByUser"
    with pytest.raises(ErrorResponseException) as refused:
        await conversations.send_to_conversation(house.chat.id, Activity(type="message", text="a"))

    assert refused.value.error.error.code == "ConversationBlockedByUser"
