"""What a call does when Slack says no, later, or nothing at all."""

import asyncio
import logging

import pytest

from adapters.outbound.calling import ANSWER_WITHIN_S, Going
from adapters.outbound.errors import CallDenied, NotAllowed, PlatformFailed, ScopeMissing
from adapters.outbound.gates import AWAY_AFTER
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import PostPriority
from adapters.port import Unavailable, Undeliverable
from adapters.slack.config import SlackConfig
from adapters.slack.wire.client import SlackCalls
from storage.clock import ManualClock, ScaledClock
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.adapters.waiting import until

POST = "chat.postMessage"


async def post(desk: Outgoing, text: str = "hello", **how: object) -> str:
    told = await desk.calls.call(POST, {"channel": desk.general.id, "text": text}, **how)  # type: ignore[arg-type]
    return str(told["ts"])


async def patient(desk: Outgoing, text: str) -> str:
    """Post as the outbox does: come back when Slack says so."""
    while True:
        try:
            return await post(desk, text)
        except Unavailable as later:
            await desk.clock.sleep(later.retry_after_s)


def alerts(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.levelname for record in caplog.records if record.name == "adapters.outbound.health"]


async def test_an_answer_is_returned() -> None:
    async with outgoing() as desk:
        ts = await post(desk)

        assert desk.workspace.messages[desk.general.id][ts].text == "hello"


async def test_the_installation_is_asked_once() -> None:
    async with outgoing() as desk:
        first, second = await asyncio.gather(desk.calls.installed(), desk.calls.installed())

        assert first is second
        assert (first.team, first.bot_user, first.bot_id) == (desk.workspace.team.id, "U0DESK", "B0DESK")
        assert len(desk.called("auth.test")) == 1


async def test_a_refusal_for_good_is_undeliverable_and_names_its_code() -> None:
    async with outgoing() as desk:
        desk.general.is_archived = True
        with pytest.raises(Undeliverable) as refused:
            await post(desk)

        assert isinstance(refused.value, CallDenied)
        assert refused.value.code == "is_archived"
        assert desk.calls.health.counts["refused.is_archived"] == 1


async def test_a_short_429_is_waited_out_and_the_call_goes_on() -> None:
    async with outgoing(ManualClock()) as desk:
        desk.workspace.faults.storm(1.0)
        await post(desk)

        assert [call.status for call in desk.called(POST)] == [429, 200]


async def test_a_long_429_says_when_to_come_back_and_closes_that_channel_alone() -> None:
    async with outgoing() as desk:
        desk.workspace.faults.storm(30.0)
        with pytest.raises(Unavailable) as later:
            await post(desk)
        with pytest.raises(Unavailable):
            await post(desk)
        desk.workspace.faults.calm()
        await desk.calls.call(POST, {"channel": desk.secret.id, "text": "elsewhere"})

        assert 25 < later.value.retry_after_s <= 31
        assert [call.status for call in desk.called(POST)] == [429, 200]


async def test_a_storm_is_one_alert_and_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with outgoing() as desk:
        desk.workspace.faults.storm(20.0)
        texts = [str(number) for number in range(12)]
        await asyncio.wait_for(asyncio.gather(*(patient(desk, text) for text in texts)), 20)

        assert sorted(message.text for message in desk.workspace.standing(desk.general.id)) == sorted(texts)
    assert alerts(caplog) == ["ERROR", "INFO"]


async def test_a_busy_channel_is_paced_below_slacks_limit_so_that_slack_never_says_429() -> None:
    async with outgoing() as desk:
        await asyncio.gather(*(patient(desk, str(number)) for number in range(25)))

        assert {call.status for call in desk.called(POST)} == {200}
        assert not desk.calls.health.episodes


@pytest.mark.parametrize("kind", ["unavailable", "unreachable"])
async def test_slack_down_for_a_minute_is_one_alert_and_few_calls(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with outgoing() as desk:
        desk.workspace.faults.down(60.0, kind="unavailable" if kind == "unavailable" else "unreachable")
        started = desk.clock.monotonic()
        await asyncio.wait_for(asyncio.gather(*(patient(desk, str(number)) for number in range(6))), 20)

        assert 60 <= desk.clock.monotonic() - started < 150
        assert len(list(desk.workspace.standing(desk.general.id))) == 6
        assert desk.calls.health.counts["failures"] < 25
    assert alerts(caplog) == ["ERROR", "INFO"]


async def test_a_single_lost_answer_is_no_alert(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        desk.workspace.faults.lose_answer(POST)
        with pytest.raises(Unavailable) as lost:
            await post(desk)

        assert lost.value.retry_after_s <= 2
        assert len(list(desk.workspace.standing(desk.general.id))) == 1
    assert alerts(caplog) == []


async def test_a_late_answer_to_a_call_from_before_an_outage_does_not_end_it(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        await post(desk)
        desk.workspace.faults.slow(POST, 30.0)
        early = asyncio.create_task(post(desk, "early"))
        await until(lambda: len(desk.called(POST)) == 2)
        desk.workspace.faults.down(3_000)
        for number in range(AWAY_AFTER):
            with pytest.raises(Unavailable):
                await desk.calls.call("users.info", {"user": f"U{number}"})
        await early

        assert [episode.trouble for episode in desk.calls.health.episodes] == [Trouble.AWAY]
    assert alerts(caplog) == ["ERROR"]


async def test_an_answer_that_does_not_come_in_time_is_given_up() -> None:
    async with outgoing() as desk:
        calls = SlackCalls(desk.config, desk.clock, health=Health(desk.clock, platform="Slack"), answer_within_s=0.05)
        desk.workspace.faults.slow(POST, 60.0)
        with pytest.raises(Unavailable):
            await calls.call(POST, {"channel": desk.general.id, "text": "slow"})
        await calls.close()
    assert ANSWER_WITHIN_S < 7


async def test_a_revoked_token_stops_all_calls_for_a_minute_and_says_what_to_do(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with outgoing() as desk:
        desk.workspace.revoke()
        with pytest.raises(NotAllowed) as refused:
            await post(desk)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await post(desk)

        assert refused.value.retry_after_s == 60
        assert len(desk.called(POST)) == 1
        assert [episode.trouble for episode in desk.calls.health.episodes] == [Trouble.CREDENTIALS]
        desk.workspace.restore()
        await asyncio.wait_for(patient(desk, "back"), 10)
        assert not desk.calls.health.episodes
    assert alerts(caplog) == ["ERROR", "INFO"]
    assert "install the app again" in caplog.text
    assert desk.config.bot_token not in caplog.text


async def test_a_missing_scope_stops_that_method_alone_and_names_the_scope(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        desk.workspace.scopes.discard("users:read")
        for _ in range(2):
            with pytest.raises(ScopeMissing):
                await desk.calls.call("users.info", {"user": desk.ada.id})
        await post(desk)

        assert len(desk.called("users.info")) == 1
    assert alerts(caplog) == ["ERROR"]
    assert "users:read" in caplog.text


async def test_calls_of_one_thread_arrive_in_their_order() -> None:
    async with outgoing() as desk:
        desk.workspace.faults.slow(POST, 0.5)
        texts = [str(number) for number in range(4)]
        await asyncio.gather(*(post(desk, text, line="t") for text in texts))

        assert [message.text for message in desk.workspace.standing(desk.general.id)] == texts


async def test_what_nobody_waits_for_never_waits() -> None:
    async with outgoing() as desk:
        for _ in range(3):
            await post(desk)
        started = desk.clock.monotonic()
        with pytest.raises(Unavailable) as later:
            await post(desk, going=Going(PostPriority.PROACTIVE, patience_s=0))

        assert later.value.retry_after_s > 0
        assert desk.clock.monotonic() - started < 1


async def test_a_page_in_place_of_json_is_no_answer(unused_tcp_port: int) -> None:
    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nlogin")
        await writer.drain()
        writer.close()

    clock = ScaledClock(60)
    config = SlackConfig(bot_token="xoxb-1", api_url=f"http://127.0.0.1:{unused_tcp_port}/api/")
    calls = SlackCalls(config, clock, health=Health(clock, platform="Slack"))
    async with await asyncio.start_server(proxy, "127.0.0.1", unused_tcp_port):
        with pytest.raises(Unavailable) as failed:
            await calls.call("auth.test")
    await calls.close()
    assert not isinstance(failed.value, PlatformFailed)
