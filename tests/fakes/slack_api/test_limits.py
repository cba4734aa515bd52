"""Tiers on the workspace's clock, and the troubles that a test can switch on."""

import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncConnectionErrorRetryHandler

from tests.fakes.slack.api import METHODS
from tests.fakes.slack.tiers import PER_MINUTE
from tests.fakes.slack_api.conftest import House, error

REFUSED = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)


async def test_a_channel_takes_a_burst_and_then_one_post_a_second(house: House) -> None:
    other = house.workspace.add_channel("other", (house.ann,))
    for _ in range(5):
        await house.post()
    with pytest.raises(SlackApiError) as refused:
        await house.post()

    assert (refused.value.response.status_code, refused.value.response["error"]) == (429, "ratelimited")
    assert refused.value.response.headers["Retry-After"] == "1"
    await house.post(channel=other.id)
    house.clock.advance(1)
    await house.post()
    assert await error(house.client.chat_postMessage(channel=house.help.id, text="a")) == "ratelimited"


async def test_the_workspace_has_a_limit_over_all_channels(house: House) -> None:
    channels = [house.workspace.add_channel(f"c{number}") for number in range(61)]
    for channel in channels[:60]:
        for _ in range(5):
            await house.post(channel=channel.id)

    assert await error(house.client.chat_postMessage(channel=channels[60].id, text="a")) == "ratelimited"


@pytest.mark.parametrize(
    ("method", "calls"),
    [("users.list", 20), ("conversations.info", 50), ("users.info", 100), ("auth.test", 600)],
)
async def test_each_method_has_its_own_minute(house: House, method: str, calls: int) -> None:
    known = {"conversations.info": {"channel": house.help.id}, "users.info": {"user": house.ann.id}}

    async def call() -> object:
        return await house.client.api_call(method, params=known.get(method, {}))

    for _ in range(calls):
        await call()
    assert await error(call()) == "ratelimited"
    house.clock.advance(60 / calls)
    await call()
    assert await error(call()) == "ratelimited"
    assert PER_MINUTE[METHODS[method].tier] == calls


async def test_tiers_can_be_left_out(house: House) -> None:
    house.server.api.tiers.enforced = False

    assert len({(await house.post()).ts for _ in range(30)}) == 30


async def test_a_storm_refuses_everything_for_its_time(house: House) -> None:
    house.workspace.faults.storm(30)
    with pytest.raises(SlackApiError) as refused:
        await house.client.auth_test()

    assert refused.value.response.headers["Retry-After"] == "30"
    house.clock.advance(30)
    assert (await house.client.auth_test())["ok"]


async def test_slack_is_down_in_two_ways(house: House) -> None:
    house.workspace.faults.down(60)
    with pytest.raises(SlackApiError) as refused:
        await house.client.auth_test()
    assert refused.value.response.status_code == 503
    house.workspace.faults.down(60, kind="unreachable")
    with pytest.raises(REFUSED):
        await house.client.auth_test()

    assert house.workspace.calls == []
    house.clock.advance(60)
    assert (await house.client.auth_test())["ok"]


async def test_slack_does_not_listen_until_it_is_back(house: House) -> None:
    house.workspace.faults.down(60, kind="refused")
    with pytest.raises(REFUSED):
        await house.client.auth_test()
    async with asyncio.timeout(60):
        while not await _refuses(house):
            pass
        house.clock.advance(60)
        while await _refuses(house):
            pass
    assert (await house.client.auth_test())["ok"]


async def _refuses(house: House) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
    except ConnectionRefusedError:
        return True
    writer.close()
    await writer.wait_closed()
    return False


async def test_an_answer_is_lost_although_the_call_was_carried_out(house: House) -> None:
    house.workspace.faults.lose_answer("chat.postMessage")
    with pytest.raises(REFUSED):
        await house.client.chat_postMessage(channel=house.help.id, text="once")

    assert [each.text for each in house.workspace.standing(house.help.id)] == ["once"]
    assert house.workspace.calls[-1].lost
    assert (await house.client.chat_postMessage(channel=house.help.id, text="twice"))["ok"]


async def test_the_default_retry_of_slack_sdk_posts_twice_when_an_answer_is_lost(house: House) -> None:
    """A trap for whoever keeps the client's default handlers: they send again what may have arrived."""
    house.client.retry_handlers.append(AsyncConnectionErrorRetryHandler())
    house.workspace.faults.lose_answer("chat.postMessage")
    await house.client.chat_postMessage(channel=house.help.id, text="once")

    assert [each.text for each in house.workspace.standing(house.help.id)] == ["once", "once"]


async def test_an_answer_is_held_on_the_clock_of_the_workspace(house: House) -> None:
    before = house.clock.monotonic()
    house.workspace.faults.slow("auth.test", 5)
    await house.client.auth_test()
    assert house.clock.monotonic() - before == 5

    house.workspace.faults.calm()
    await house.client.auth_test()
    assert house.clock.monotonic() - before == 5
