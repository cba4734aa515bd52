"""People and conversations, as the app may see them."""

from tests.fakes.slack_api.conftest import House, error


async def test_a_person_is_described_with_what_the_scopes_allow(house: House) -> None:
    shown = (await house.client.users_info(user=house.ann.id, include_locale=True))["user"]
    assert (shown["real_name"], shown["profile"]["email"], shown["locale"]) == ("Ann", "ann@harbour.example", "en-US")
    assert not shown["is_restricted"]

    house.workspace.scopes.discard("users:read.email")
    shown = (await house.client.users_info(user=house.ann.id))["user"]
    assert "email" not in shown["profile"]
    assert "locale" not in shown
    assert await error(house.client.users_info(user="U404")) == "user_not_found"


async def test_a_stranger_shows_no_address(house: House) -> None:
    other = house.workspace.add_team("Pier")
    carl = house.workspace.add_user("carl", team_id=other.id, is_stranger=True, email="carl@pier.example")

    shown = (await house.client.users_info(user=carl.id))["user"]

    assert (shown["is_stranger"], shown["team_id"]) == (True, other.id)
    assert "email" not in shown["profile"]
    assert await error(house.client.users_lookupByEmail(email="carl@pier.example")) == "users_not_found"


async def test_people_are_listed_page_by_page(house: House) -> None:
    names: list[str] = []
    async for answer in await house.client.users_list(limit=2):
        names += [user["name"] for user in answer["members"]]

    assert names == ["desk", "ann", "ben"]
    assert await error(house.client.users_list(cursor="???")) == "invalid_cursor"


async def test_a_person_is_found_by_address(house: House) -> None:
    found = await house.client.users_lookupByEmail(email="Ann@Harbour.example")
    assert found["user"]["id"] == house.ann.id

    house.ann.deleted = True
    assert await error(house.client.users_lookupByEmail(email="ann@harbour.example")) == "users_not_found"
    house.workspace.scopes.discard("users:read.email")
    assert await error(house.client.users_lookupByEmail(email="ben@harbour.example")) == "missing_scope"


async def test_a_conversation_is_described(house: House) -> None:
    house.help.is_ext_shared = True
    shown = (await house.client.conversations_info(channel=house.help.id, include_num_members=True))["channel"]

    assert (shown["name"], shown["is_ext_shared"], shown["is_member"]) == ("help", True, True)
    assert (shown["num_members"], shown["is_private"], shown["is_im"]) == (3, False, False)
    secret = house.workspace.add_channel("secret", (house.ann,), with_bot=False, is_private=True)
    assert await error(house.client.conversations_info(channel=secret.id)) == "channel_not_found"
    assert await error(house.client.conversations_info(channel="C404")) == "channel_not_found"


async def test_members_are_listed_page_by_page(house: House) -> None:
    members: list[str] = []
    async for answer in await house.client.conversations_members(channel=house.help.id, limit=2):
        members += answer["members"]

    assert members == [house.ann.id, house.ben.id, "U0DESK"]


async def test_a_direct_conversation_is_opened_once(house: House) -> None:
    first = await house.client.conversations_open(users=house.ann.id)
    again = await house.client.conversations_open(users=[house.ann.id], return_im=True)

    channel = first["channel"]["id"]
    assert channel.startswith("D")
    assert (again["already_open"], again["channel"]["id"], again["channel"]["user"]) == (True, channel, house.ann.id)
    assert (await house.client.conversations_open(channel=channel))["channel"] == {"id": channel}
    assert (await house.client.conversations_info(channel=channel))["channel"]["is_im"]


async def test_not_everybody_can_be_written_to(house: House) -> None:
    call = house.client.conversations_open
    house.ben.deleted = True

    assert await error(call(users="U404")) == "user_not_found"
    assert await error(call(users=house.ben.id)) == "user_disabled"
    assert await error(call(users="U0DESK")) == "cannot_dm_bot"
    assert await error(call(users="")) == "users_list_not_supplied"
    assert await error(call(users=[house.ann.id, house.ben.id])) == "invalid_arguments"
    assert await error(call(channel=house.help.id)) == "method_not_supported_for_channel_type"


async def test_history_goes_backwards_and_hides_replies(house: House) -> None:
    one, two, three = [await house.post(f"{number}") for number in (1, 2, 3)]
    await house.post("reply", thread_ts=two.ts)
    await house.post("loud", thread_ts=two.ts, reply_broadcast=True)
    await house.client.chat_postEphemeral(channel=house.help.id, user=house.ann.id, text="psst")
    await house.client.chat_delete(channel=house.help.id, ts=one.ts)

    answer = await house.client.conversations_history(channel=house.help.id)

    assert [each["text"] for each in answer["messages"]] == ["loud", "3", "2"]
    assert (answer["messages"][2]["reply_count"], answer["messages"][0]["subtype"]) == (2, "thread_broadcast")
    between = await house.client.conversations_history(channel=house.help.id, oldest=two.ts, latest=three.ts)
    assert between["messages"] == []
    ends = await house.client.conversations_history(
        channel=house.help.id, oldest=two.ts, latest=three.ts, inclusive=True
    )
    assert [each["text"] for each in ends["messages"]] == ["3", "2"]


async def test_history_comes_in_pages_that_do_not_shift(house: House) -> None:
    for number in range(5):
        await house.post(f"{number}")
    first = await house.client.conversations_history(channel=house.help.id, limit=2)
    house.workspace.say(house.ann, house.help, "new")
    cursor = first["response_metadata"]["next_cursor"]
    second = await house.client.conversations_history(channel=house.help.id, limit=2, cursor=cursor)

    assert first["has_more"]
    assert [each["text"] for each in second["messages"]] == ["2", "1"]


async def test_a_thread_goes_forwards_with_its_root(house: House) -> None:
    root = house.workspace.say(house.ann, house.help, "why?")
    metadata = {"event_type": "answer", "event_payload": {"id": "7"}}
    first = await house.post("because", thread_ts=root.ts, metadata=metadata)
    await house.post("and", thread_ts=root.ts)

    async def texts(**window: object) -> list[str]:
        known = {"channel": house.help.id, "ts": root.ts}
        answer = await house.client.api_call("conversations.replies", http_verb="GET", params=known | window)
        return [each["text"] for each in answer["messages"]]

    assert await texts() == ["why?", "because", "and"]
    assert await texts(oldest=first.ts) == ["why?", "and"]
    assert await texts(limit=2) == ["why?", "because"]
    answer = await house.client.conversations_replies(channel=house.help.id, ts=root.ts, include_all_metadata=True)
    assert answer["messages"][1]["metadata"] == metadata
    plain = await house.client.conversations_replies(channel=house.help.id, ts=root.ts)
    assert "metadata" not in plain["messages"][1]
    alone = await house.client.conversations_replies(channel=house.help.id, ts=first.ts)
    assert [each["text"] for each in alone["messages"]] == ["because"]
    assert await error(house.client.conversations_replies(channel=house.help.id, ts="1.000000")) == "thread_not_found"


async def test_only_members_read_a_channel(house: House) -> None:
    house.help.members.remove("U0DESK")

    assert await error(house.client.conversations_history(channel=house.help.id)) == "not_in_channel"
