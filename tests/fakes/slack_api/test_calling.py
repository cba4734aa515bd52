"""Who may call what, how it may be called, and what comes back besides the answer."""

import json

import pytest

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.records import Revocation
from tests.fakes.slack_api.conftest import House, error, refusal


async def test_the_app_learns_who_it_is(house: House) -> None:
    answer = await house.client.auth_test()

    assert (answer["user_id"], answer["bot_id"], answer["team_id"]) == ("U0DESK", "B0DESK", house.workspace.team.id)
    assert "chat:write" in answer.headers["x-oauth-scopes"].split(",")


@pytest.mark.parametrize("way", ["get", "form", "json", "json_text", "token_argument"])
async def test_a_method_can_be_called_in_every_way(house: House, way: str) -> None:
    url, blocks = f"{house.server.url}chat.postMessage", [{"type": "divider"}]
    told = {"channel": house.help.id, "text": "hello", "blocks": json.dumps(blocks)}
    headers = {"Authorization": f"Bearer {house.workspace.bot_token.value}"}
    calls = {
        "get": lambda: house.session.get(url, params=told, headers=headers),
        "form": lambda: house.session.post(url, data=told, headers=headers),
        "json": lambda: house.session.post(url, json=told | {"blocks": blocks}, headers=headers),
        "json_text": lambda: house.session.post(url, json=told, headers=headers),
        "token_argument": lambda: house.session.post(url, data=told | {"token": house.workspace.bot_token.value}),
    }
    async with calls[way]() as response:
        answer = await response.json()

    assert answer["ok"], answer
    (message,) = house.workspace.messages[house.help.id].values()
    assert (message.text, message.blocks[0]["type"]) == ("hello", "divider")


async def test_what_is_unknown_or_missing_is_refused(house: House) -> None:
    call = house.client.api_call

    assert await error(call("chat.postMassage", json={})) == "unknown_method"
    assert await error(call("chat.postMessage", json={"channel": house.help.id, "text": "a", "txt": "b"})) == (
        "invalid_arguments"
    )
    missing = await refusal(call("users.info", params={}))
    assert missing["response_metadata"]["messages"] == ["[ERROR] missing required field: user"]


@pytest.mark.parametrize(("body", "code"), [("{", "invalid_json"), ("[]", "json_not_object")])
async def test_a_body_that_cannot_be_read_is_refused(house: House, body: str, code: str) -> None:
    headers = {"Content-Type": "application/json"}
    async with house.session.post(f"{house.server.url}auth.test", data=body, headers=headers) as response:
        assert (await response.json())["error"] == code


async def test_tokens_are_looked_at(house: House) -> None:
    workspace, client = house.workspace, house.client

    async with house.session.get(f"{house.server.url}auth.test") as response:
        assert (await response.json())["error"] == "not_authed"
    assert await error(client.auth_test(token="xoxb-made-up")) == "invalid_auth"
    assert await error(client.apps_connections_open(app_token=workspace.bot_token.value)) == "not_allowed_token_type"
    assert await error(client.users_info(user="U0DESK", token=workspace.app_token.value)) == "not_allowed_token_type"
    reasons: tuple[Revocation, ...] = ("token_revoked", "invalid_auth", "account_inactive")
    for reason in reasons:
        workspace.revoke(error=reason)
        assert await error(client.auth_test()) == reason
    workspace.restore()
    assert (await client.auth_test())["ok"]


async def test_a_scope_that_is_missing_is_named(house: House) -> None:
    house.workspace.scopes -= {"users:read", "channels:read", "channels:history", "chat:write"}

    refused = await refusal(house.client.users_info(user=house.ann.id))
    assert (refused["error"], refused["needed"]) == ("missing_scope", "users:read")
    assert "im:write" in refused["provided"]
    assert (await refusal(house.client.conversations_info(channel=house.help.id)))["needed"] == "channels:read"
    history = house.client.conversations_history(channel=house.help.id)
    assert (await refusal(history))["needed"] == "channels:history"
    assert (await refusal(house.client.chat_postMessage(channel=house.help.id, text="a")))["needed"] == "chat:write"


async def test_a_websocket_is_handed_out_by_whoever_serves_one(house: House) -> None:
    app_token = house.workspace.app_token.value

    assert await error(house.client.apps_connections_open(app_token=app_token)) == "internal_error"
    house.workspace.open_socket = lambda: "ws://127.0.0.1:9/link"
    assert (await house.client.apps_connections_open(app_token=app_token))["url"] == "ws://127.0.0.1:9/link"
    house.workspace.app_scopes.clear()
    assert (await refusal(house.client.apps_connections_open(app_token=app_token)))["needed"] == "connections:write"


async def test_every_call_is_logged(house: House) -> None:
    await house.client.chat_postMessage(channel=house.help.id, text="hello")
    await error(house.client.chat_postMessage(channel="C404", text="hello"))

    first, second = house.workspace.calls
    assert (first.method, first.error, first.status) == ("chat.postMessage", None, 200)
    assert first.arguments == {"channel": house.help.id, "text": "hello"}
    assert (second.error, second.at) == ("channel_not_found", house.clock.now().timestamp())
    assert all(house.workspace.bot_token.value not in repr(call) for call in house.workspace.calls)


async def test_a_change_ends_a_wait(house: House) -> None:
    channel = house.help.id
    told: list[str] = []
    end = house.workspace.on_change(lambda change: told.append(change.kind))
    await house.client.chat_postMessage(channel=channel, text="hello")

    assert await house.workspace.until(lambda: [each.text for each in house.workspace.standing(channel)]) == ["hello"]
    with pytest.raises(TimeoutError):
        await house.workspace.until(lambda: False, within_s=0.01)
    assert told == ["message", "call"]
    end()
    house.workspace.say(house.ann, house.help, "hi")
    assert told == ["message", "call"]


async def test_ids_and_times_are_unique_and_grow(house: House) -> None:
    stamps = [house.workspace.new_ts() for _ in range(100)]
    house.clock.advance(1)
    stamps.append(house.workspace.new_ts())

    assert stamps == sorted(set(stamps))
    assert float(stamps[-1]) - float(stamps[0]) >= 1
    assert len({house.workspace.new_id("X") for _ in range(100)}) == 100


async def test_a_refusal_carries_its_code() -> None:
    assert Refused("no_text", hint="x").more == {"hint": "x"}
