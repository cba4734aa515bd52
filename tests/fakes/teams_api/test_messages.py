"""Messages go where their conversation id says, are changed for everybody, and only by whom they belong to."""

import pytest

from tests.fakes.teams.records import Json
from tests.fakes.teams_api.conftest import House, attachment, block, refused


async def test_a_message_stands_in_a_chat_with_all_that_it_says(house: House) -> None:
    said = await house.post(text="**hi**", summary="hi", attachments=[attachment(block("card"))])

    assert (said.sender, said.text, said.root, said.summary) == (house.organisation.bot.id, "**hi**", "", "hi")
    assert said.attachments[0]["content"]["body"][0]["text"] == "card"
    assert list(house.organisation.standing(house.chat.id)) == [said]


async def test_in_a_channel_a_message_begins_a_thread_or_joins_one(house: House) -> None:
    first = await house.post(house.help.id)
    second = await house.post(house.thread(first))
    answer = await house.call("POST", f"/{house.help.id}/activities/{second.id}", {"type": "message", "text": "third"})

    assert answer.status_code == 201
    assert [each.id for each in house.organisation.replies(house.help.id, first.id)] == [
        first.id, second.id, answer.json()["id"]
    ]  # fmt: skip
    assert (await house.post(house.help.id)).root != first.id


async def test_a_thread_or_a_message_that_is_not_there_takes_no_reply(house: House) -> None:
    body = {"type": "message", "text": "a"}

    assert refused(await house.send(f"{house.help.id};messageid=17")) == (404, "ConversationNotFound")
    assert refused(await house.send("19:nowhere@thread.v2")) == (404, "ConversationNotFound")
    answer = await house.call("POST", f"/{house.chat.id}/activities/17", body)
    assert refused(answer) == (404, "ActivityNotFoundInConversation")


async def test_an_update_replaces_all_of_a_message(house: House) -> None:
    said = await house.post(text="old", attachments=[attachment(block("old"))])
    said.own_cards[house.ann.id] = {}
    answer = await house.call("PUT", f"/{house.chat.id}/activities/{said.id}", {"type": "message", "text": "new"})

    assert (answer.status_code, answer.json()) == (200, {"id": said.id})
    assert (said.text, said.attachments, said.own_cards, said.edited) == ("new", [], {}, True)
    assert said.earlier[0]["text"] == "old"


async def test_a_deleted_message_is_gone(house: House) -> None:
    said = await house.post()
    path = f"/{house.chat.id}/activities/{said.id}"

    assert (await house.call("DELETE", path)).status_code == 200
    assert list(house.organisation.standing(house.chat.id)) == []
    update = await house.call("PUT", path, {"type": "message", "text": "a"})
    assert refused(update) == (404, "ActivityNotFoundInConversation")
    assert refused(await house.call("DELETE", path)) == (404, "ActivityNotFoundInConversation")


async def test_other_peoples_messages_are_not_the_bots_to_change(house: House) -> None:
    said = house.organisation.say(house.ann.id, house.chat, text="mine")
    path = f"/{house.chat.id}/activities/{said.id}"

    update = await house.call("PUT", path, {"type": "message", "text": "yours"})
    assert refused(update) == (403, "NotEnoughPermissions")
    assert refused(await house.call("DELETE", path)) == (403, "NotEnoughPermissions")


async def test_typing_is_seen_and_says_nothing(house: House) -> None:
    answer = await house.send(type="typing", text="")

    assert answer.status_code == 202
    assert house.organisation.typing == {house.chat.id: house.organisation.epoch()}
    assert list(house.organisation.standing(house.chat.id)) == []


@pytest.mark.parametrize("kind", ["trace", "event", "invoke", "conversationUpdate"])
async def test_other_activities_are_not_for_bots_to_send(house: House, kind: str) -> None:
    assert refused(await house.send(type=kind)) == (400, "BadArgument")


# Conversations


def opening(house: House, member: str, tenant: str = "") -> Json:
    organisation = house.organisation
    return {
        "bot": {"id": organisation.bot.id},
        "members": [{"id": member}],
        "channelData": {"tenant": {"id": tenant or organisation.tenant.id}},
        "isGroup": False,
    }


async def test_a_persons_chat_is_opened_once(house: House) -> None:
    by_id = await house.call("POST", body=opening(house, house.ben.id))
    by_object = await house.call("POST", body=opening(house, house.ben.aad_object_id))

    assert by_id.status_code == 201
    assert by_id.json()["id"] == by_object.json()["id"] == house.organisation.chat(house.ben).id
    await house.post(by_id.json()["id"])


async def test_a_chat_may_be_opened_with_its_first_message(house: House) -> None:
    answer = await house.call(
        "POST", body=opening(house, house.ben.id) | {"activity": {"type": "message", "text": "a"}}
    )

    assert house.organisation.message(answer.json()["id"], answer.json()["activityId"])


async def test_a_thread_is_opened_in_a_channel(house: House) -> None:
    body: Json = {"isGroup": True, "channelData": {"channel": {"id": house.help.id}}}
    answer = await house.call("POST", body=body | {"activity": {"type": "message", "text": "news"}})

    assert answer.json()["id"] == f"{house.help.id};messageid={answer.json()['activityId']}"


async def test_no_chat_with_strangers_groups_or_people_without_the_app(house: House) -> None:
    elsewhere = house.organisation.add_tenant("Elsewhere")
    eve = house.organisation.add_user("Eve", tenant_id=elsewhere.id)
    house.organisation.chat(house.ben, with_bot=False)

    for body in (
        opening(house, "29:nobody"),
        opening(house, house.ann.id, tenant=elsewhere.id),
        opening(house, house.ann.id) | {"isGroup": True},
        opening(house, house.ann.id) | {"bot": {"id": "28:another"}},
        opening(house, house.ann.id) | {"members": [{"id": house.ann.id}, {"id": house.ben.id}]},
    ):
        assert refused(await house.call("POST", body=body)) == (400, "BadArgument")
    for body in (opening(house, eve.id, tenant=elsewhere.id), opening(house, house.ben.id)):
        assert refused(await house.call("POST", body=body)) == (403, "ForbiddenOperationException")


async def test_a_chat_without_the_app_takes_nothing_and_says_so_in_its_own_way(house: House) -> None:
    house.chat.with_bot = False
    answer = await house.send()

    assert answer.status_code == 403
    assert answer.json()["errorCode"] == 209
    assert '"subCode": "MessageWritesBlocked"' in answer.json()["message"]
    house.help.with_bot = False
    assert refused(await house.send(house.help.id)) == (403, "BotNotInConversationRoster")
    members = await house.call("GET", f"/{house.help.id}/members")
    assert refused(members) == (403, "BotNotInConversationRoster")


async def test_a_blocked_chat_takes_nothing(house: House) -> None:
    said = await house.post()
    house.chat.barrier = "ConversationBlockedByUser"

    assert refused(await house.send()) == (403, "ConversationBlockedByUser")
    update = await house.call("PUT", f"/{house.chat.id}/activities/{said.id}", {"type": "message", "text": "new"})
    assert refused(update) == (403, "ConversationBlockedByUser")


async def test_what_is_no_json_is_refused(house: House) -> None:
    url = f"{house.organisation.service_url}v3/conversations/{house.chat.id}/activities"
    for content in (b"{", b"[]"):
        assert refused(await house.http.post(url, content=content, headers=house.headers)) == (400, "BadSyntax")
