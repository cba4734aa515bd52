"""Socket Mode of the local Slack against slack_bolt's own handler, over real websockets."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from storage.clock import ScaledClock
from tests.fakes.bolt_app import BoltApp, bolt_app, connected, manifest
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.test_slack_people import FORM

Json = dict[str, Any]


@contextlib.asynccontextmanager
async def socket_slack(*, speed: float = 1.0) -> AsyncIterator[tuple[LocalSlack, BoltApp, Person]]:
    """Run a Slack with an app that is not connected yet, and one person in #ops."""
    async with LocalSlack(ScaledClock(speed)) as slack:
        await slack.install(manifest(socket_mode_enabled=True))
        ada = slack.add_person("ada")
        slack.workspace.add_channel("ops", (ada.user,))
        yield slack, bolt_app(slack), ada


async def until(condition: Any, *, within_s: float = 8.0) -> None:
    """Return when the condition holds; it is asked often, for what no event tells of."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - a connection has no event to wait for
            await asyncio.sleep(0.01)


async def test_events_commands_and_modals_come_over_the_websocket() -> None:
    async with socket_slack() as (slack, bolt, ada), connected(bolt.app, slack):

        async def command(ack: Any) -> None:
            await ack("Say `/desk help`.")

        bolt.app.command("/desk")(command)
        await ada.mention("#ops", "VPN drops")
        answer = await ada.command("/desk", "#ops")
        await slack.deliveries.settled()

        assert {kind for kind, _ in bolt.understood.kinds()} == {"message", "app_mention"}
        assert answer.body == {"text": "Say `/desk help`."}
        assert ada.sees("#ops")[-1].text == "Say `/desk help`."
        assert [each.status for each in slack.deliveries.records] == [200, 200, 200]


async def test_what_a_modal_is_answered_travels_in_the_acknowledgement() -> None:
    async with socket_slack() as (slack, bolt, ada), connected(bolt.app, slack):

        async def command(ack: Any, body: Json, client: Any) -> None:
            await ack()
            await client.views_open(trigger_id=body["trigger_id"], view=FORM)

        async def submitted(ack: Any) -> None:
            await ack(response_action="errors", errors={"title": "Too short."})

        bolt.app.command("/desk")(command)
        bolt.app.view("form")(submitted)
        await ada.command("/desk", "#ops")
        await slack.workspace.until(lambda: slack.workspace.modals.get(ada.user.id))

        assert await ada.send_form({"Title": "VPN"}) == {"title": "Too short."}


async def test_an_event_without_an_acknowledgement_comes_again_and_says_so() -> None:
    async with socket_slack(speed=20) as (slack, bolt, ada), connected(bolt.app, slack):
        came: list[Json] = []

        async def late(request: Any, next: Any) -> None:  # noqa: A002 - bolt's name for it
            came.append(request.headers)
            if len(came) == 1:
                await slack.workspace.clock.sleep(4)
            await next()

        bolt.app.use(late)
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

        assert [(each.retry_num, each.reason) for each in slack.deliveries.records] == [(0, "timeout"), (1, None)]
        assert came[1]["x-slack-retry-num"] == ["1"]
        assert came[1]["x-slack-retry-reason"] == ["timeout"]


async def test_events_of_a_time_without_a_connection_come_later() -> None:
    async with socket_slack(speed=20) as (slack, bolt, ada):
        await ada.say("dm", "is anybody there?")
        await until(lambda: len(slack.deliveries.records) == 2)
        async with connected(bolt.app, slack):
            await slack.deliveries.settled()

        assert [each.reason for each in slack.deliveries.records] == ["timeout", "timeout", None]
        assert bolt.understood.events[0]["text"] == "is anybody there?"


async def test_events_go_to_one_of_several_connections() -> None:
    async with (
        socket_slack() as (slack, bolt, ada),
        connected(bolt.app, slack),
        connected(bolt.app, slack),
    ):
        for number in range(20):
            await ada.say("dm", f"message {number}")
        await slack.deliveries.settled()

        assert len(bolt.understood.events) == 20
        assert sorted(len(each.sent) > 0 for each in slack.socket.connections) == [True, True]


async def test_a_recycled_connection_is_replaced_by_the_app_and_nothing_is_lost() -> None:
    async with socket_slack(speed=20) as (slack, bolt, ada), connected(bolt.app, slack, ping_interval=0.2):
        refreshing = asyncio.ensure_future(slack.socket.refresh())
        await until(lambda: slack.socket.opened == 2)
        await ada.say("dm", "still there?")
        await slack.deliveries.settled()
        await refreshing

        assert bolt.understood.events[0]["text"] == "still there?"


async def test_connections_are_recycled_when_they_are_old() -> None:
    async with socket_slack(speed=600) as (slack, bolt, _):
        slack.socket.life_s = 300
        async with connected(bolt.app, slack, ping_interval=0.2):
            await until(lambda: slack.socket.opened >= 2)


async def test_a_dropped_connection_comes_back() -> None:
    async with socket_slack() as (slack, bolt, ada), connected(bolt.app, slack, ping_interval=0.2):
        slack.socket.drop()
        await until(lambda: slack.socket.opened == 2 and len(slack.socket.connections) == 1)
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

        assert slack.deliveries.records[-1].reason is None


@pytest.mark.parametrize("pongs", [True, False])
async def test_a_silent_connection_stays_open_and_says_nothing(pongs: bool) -> None:
    async with socket_slack(speed=60) as (slack, _, ada), aiohttp.ClientSession() as session:
        async with session.ws_connect(slack.socket.ticket(), autoping=False) as line:
            assert (await line.receive_json())["type"] == "hello"
            slack.socket.go_silent(pongs=pongs)
            await line.ping(b"are you there?")
            if pongs:
                assert (await line.receive(timeout=2)).type == aiohttp.WSMsgType.PONG
            await ada.say("dm", "hello")
            with pytest.raises(asyncio.TimeoutError):
                await line.receive(timeout=0.5)
            assert not line.closed
        assert {each.reason for each in slack.deliveries.records} == {"timeout"}


async def test_a_ticket_lets_one_connection_in_and_ten_are_enough() -> None:
    async with socket_slack() as (slack, _, _), aiohttp.ClientSession() as session:
        url = slack.socket.ticket()
        async with contextlib.AsyncExitStack() as lines:
            first = await lines.enter_async_context(session.ws_connect(url))
            hello = await first.receive_json()
            assert (hello["num_connections"], hello["connection_info"]) == (1, {"app_id": slack.workspace.app_id})
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(url)
            for _ in range(9):
                await lines.enter_async_context(session.ws_connect(slack.socket.ticket()))
            eleventh = await lines.enter_async_context(session.ws_connect(slack.socket.ticket()))
            assert (await eleventh.receive_json())["reason"] == "too_many_websockets"


async def test_only_the_app_token_opens_a_connection() -> None:
    async with socket_slack() as (slack, bolt, _):
        with pytest.raises(SlackApiError, match="not_allowed_token_type"):
            await bolt.app.client.apps_connections_open(app_token=slack.workspace.bot_token.value)
