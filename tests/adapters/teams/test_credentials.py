"""The desk's token: asked for once, off the event loop, kept as long as it is good, told to nobody."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

from adapters.outbound.errors import NotAllowed
from adapters.port import Unavailable
from adapters.teams.wire.credentials import EARLY_S, Credentials, ServiceToken
from storage.clock import ManualClock, ScaledClock
from tests.adapters.teams.false_server import FalseServer, moved_to
from tests.adapters.teams.outgoing import Outgoing, outgoing
from tests.fakes.teams.logins import LIFETIME_S


def credentials(desk: Outgoing) -> Credentials:
    return Credentials(desk.config, desk.clock)


def asked(desk: Outgoing) -> int:
    return len(desk.teams.server.logins.requests)


async def test_a_token_is_asked_for_once_however_many_want_it() -> None:
    async with outgoing() as desk:
        mine = credentials(desk)
        tokens = await asyncio.gather(*(mine.token() for _ in range(20)))

        (token,) = set(tokens)
        assert token is not None
        assert desk.teams.server.logins.is_good(token.value)
        assert asked(desk) == 1


async def test_a_token_is_replaced_before_it_runs_out() -> None:
    clock = ManualClock()
    async with outgoing(clock) as desk:
        mine = credentials(desk)
        first = await mine.token()
        clock.advance(LIFETIME_S - EARLY_S - 60)
        assert await mine.token() is first
        clock.advance(120)
        second = await mine.token()

        assert second is not None
        assert second is not first
        assert desk.teams.server.logins.is_good(second.value)


async def test_a_token_that_was_refused_is_not_used_again_and_a_later_one_stays() -> None:
    async with outgoing() as desk:
        mine = credentials(desk)
        first = await mine.token()
        assert first is not None
        mine.forget(first)
        second = await mine.token()
        mine.forget(first)  # whoever was late with it

        assert second is not first
        assert await mine.token() is second


async def test_the_event_loop_goes_on_while_a_token_is_asked_for() -> None:
    async with outgoing(ScaledClock(1)) as desk:
        desk.organisation.faults.slow("Token", 0.5)
        waiting = asyncio.create_task(credentials(desk).token())
        turns = 0
        while not waiting.done():
            await asyncio.sleep(0.005)
            turns += 1

        assert turns > 10


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"app_secret": "expired"}, "AADSTS7000215"),
        ({"app_id": "00000000-0000-4000-8000-000000000000"}, "AADSTS700016"),
        ({"tenant_id": "00000000-0000-4000-8000-000000000000"}, "AADSTS90002"),
    ],
)
async def test_what_is_set_up_wrongly_is_told_by_microsofts_code_alone(wrong: dict[str, Any], code: str) -> None:
    async with outgoing(**wrong) as desk:
        with pytest.raises(NotAllowed) as refused:
            await credentials(desk).token()

        assert refused.value.reason == f"no token: {code}"
        assert refused.value.retry_after_s >= 30


@pytest.mark.parametrize("kind", ["unavailable", "unreachable"])
async def test_a_login_server_that_is_away_is_no_wrong_secret(kind: str) -> None:
    async with outgoing() as desk:
        desk.organisation.faults.down(60, kind="unavailable" if kind == "unavailable" else "unreachable")
        with pytest.raises(Unavailable) as away:
            await credentials(desk).token()

        assert not isinstance(away.value, NotAllowed)
        assert away.value.retry_after_s <= 10


async def test_a_failure_is_not_kept() -> None:
    async with outgoing() as desk:
        mine = credentials(desk)
        desk.organisation.faults.refuse("Token", 503)
        with pytest.raises(Unavailable):
            await mine.token()

        assert await mine.token() is not None


async def test_in_test_mode_nobody_is_asked_and_nothing_is_sent_along() -> None:
    async with outgoing(signed=False) as desk:
        assert await credentials(desk).token() is None
        await desk.chat.members(desk.ask().to_json())

        assert asked(desk) == 0
        assert {call.token for call in desk.called()} == {""}


def endpoints_at(url: str) -> web.Response:
    return web.json_response({"authorization_endpoint": f"{url}/a", "token_endpoint": f"{url}/t/oauth2/v2.0/token"})


async def refused_token(desk: Outgoing, server: FalseServer) -> None:
    config = replace(desk.config, login_url=server.base_url)
    with pytest.raises(Unavailable) as away:
        await Credentials(config, desk.clock).token()
    assert not isinstance(away.value, NotAllowed)


async def test_the_secret_goes_to_the_login_server_of_the_settings_alone() -> None:
    other = FalseServer()
    async with outgoing() as desk, other, FalseServer(lambda _: endpoints_at(other.base_url)) as first:
        await refused_token(desk, first)

        assert first.bodies == [""]
        assert other.bodies == []


async def test_a_login_server_that_sends_elsewhere_is_not_followed() -> None:
    other = FalseServer()
    async with outgoing() as desk, other:
        async with FalseServer(lambda _: moved_to(other.base_url)) as first:
            await refused_token(desk, first)

        assert other.bodies == []


async def test_a_login_server_that_does_not_stop_talking_is_not_listened_to() -> None:
    async with outgoing() as desk, FalseServer(lambda _: web.Response(body=b"[" * 5_000_000)) as server:
        await refused_token(desk, server)


async def test_a_page_in_the_place_of_the_login_server_is_no_refusal() -> None:
    async with outgoing() as desk, FalseServer(lambda _: web.Response(text="<p>Please sign in</p>")) as server:
        await refused_token(desk, server)


async def test_neither_token_nor_secret_stand_in_what_is_shown_of_them() -> None:
    async with outgoing() as desk:
        token = await credentials(desk).token()

        assert token is not None
        assert token.value not in repr(token)
        assert desk.config.app_secret not in repr(desk.config)
        assert repr(ServiceToken("s3cret", 1.0)) == "ServiceToken(until=1.0)"
