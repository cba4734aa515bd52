"""The door to the Bot Connector on bad days: limits, silence, refusals; each told apart, and alerted once."""

import asyncio
import logging
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web

from adapters.outbound.calling import LONGEST_BACK_OFF_S, Going
from adapters.outbound.errors import CallDenied, ContentRefused, NotAllowed, OutcomeUnknown, StreamOver, Vanished
from adapters.outbound.health import Trouble
from adapters.port import Gone, Unavailable, Undeliverable
from adapters.teams.wire.operations import TeamsPlace, delete, edit, members, post
from adapters.teams.wire.services import NotMicrosofts
from storage.clock import ManualClock, ScaledClock
from tests.adapters.teams.false_server import FalseServer, moved_to
from tests.adapters.teams.outgoing import Outgoing, outgoing
from tests.fakes.teams.records import Conversation

POST = "SendToConversation"
PATIENT = Going(patience_s=600.0)
HASTY = Going(patience_s=0.0)


def place(desk: Outgoing, where: Conversation | None = None) -> TeamsPlace:
    return TeamsPlace.of(desk.at(where or desk.organisation.chat(desk.ada)))


async def say(desk: Outgoing, text: str = "Hello", going: Going = PATIENT, *, where: Conversation | None = None) -> Any:
    return await desk.connector.call(post(place(desk, where), {"type": "message", "text": text}), going)


def texts(desk: Outgoing, where: Conversation | None = None) -> list[str]:
    return [message.text for message in desk.seen(where)]


def alerts(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.levelname for record in caplog.records if record.getMessage().startswith("Teams: ")]


async def test_a_message_is_posted_with_the_desks_token_to_the_conversation() -> None:
    async with outgoing() as desk:
        told = await say(desk)

        (call,) = desk.called(POST)
        assert desk.organisation.message(desk.organisation.chat(desk.ada).id, told["id"])
        assert desk.teams.server.logins.is_good(call.token)


async def test_ids_are_encoded_in_paths() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        told = await desk.connector.call(post(TeamsPlace.of(address), {"type": "message", "text": "Hi"}))
        await desk.connector.call(edit(TeamsPlace.of(address), told["id"], {"type": "message", "text": "Ho"}))

        assert ";messageid=" in address.conversation
        (message,) = desk.seen(desk.general)
        assert (message.text, message.root) == ("Ho", address.conversation.rpartition("=")[2])
        strange = TeamsPlace(address.service_url, "../../19:x/y?z#;%2e")
        assert edit(strange, "a/b", {}).path == "/v3/conversations/..%2F..%2F19%3Ax%2Fy%3Fz%23%3B%252e/activities/a%2Fb"


async def test_a_burst_into_one_conversation_is_never_refused_and_keeps_its_order() -> None:
    async with outgoing(ScaledClock(20)) as desk:
        await asyncio.gather(*(say(desk, str(number)) for number in range(70)))

        assert texts(desk) == [str(number) for number in range(70)]
        assert {call.status for call in desk.called()} == {201}
        assert desk.organisation.rates.refused == 0
        assert not desk.connector.health.episodes


@pytest.mark.parametrize("status", [429, 412])
async def test_what_is_limited_is_sent_when_teams_takes_it_again_in_order(status: int) -> None:
    async with outgoing(ScaledClock(10)) as desk:
        desk.organisation.faults.refuse(POST, status, times=3)
        await asyncio.gather(*(say(desk, str(number)) for number in range(5)))

        assert texts(desk) == ["0", "1", "2", "3", "4"]
        times = [call.at for call in desk.called(POST)][:4]
        waits = [later - earlier for earlier, later in pairwise(times)]
        assert waits[0] >= 0.5
        assert waits[2] > waits[0]


async def test_teams_own_word_on_when_to_come_back_counts() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 429, retry_after_s=17)
        with pytest.raises(Unavailable) as limited:
            await say(desk, going=Going())
        assert 16 <= limited.value.retry_after_s <= 18
        assert not isinstance(limited.value, OutcomeUnknown)
        began = desk.clock.monotonic()
        await say(desk)

        assert desk.clock.monotonic() - began >= 15
        assert texts(desk) == ["Hello"]


async def test_back_off_grows_to_a_limit_and_begins_anew_after_a_success() -> None:
    async with outgoing(ManualClock()) as desk:
        waits = []
        for _ in range(12):
            desk.organisation.faults.refuse(POST, 429)
            with pytest.raises(Unavailable) as limited:
                await say(desk, going=HASTY)
            waits.append(limited.value.retry_after_s)
            await desk.clock.sleep(limited.value.retry_after_s)
        await say(desk)
        desk.organisation.faults.refuse(POST, 429)
        with pytest.raises(Unavailable) as limited:
            await say(desk, going=HASTY)

        assert waits[0] <= 1.0 < waits[3]
        assert max(waits) <= LONGEST_BACK_OFF_S
        assert limited.value.retry_after_s <= 1.0


async def test_one_conversations_limit_holds_up_no_other() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 429, retry_after_s=600)
        slow = asyncio.create_task(say(desk, "slow", Going(patience_s=3_600.0)))
        await asyncio.wait({slow}, timeout=0.05)
        await say(desk, "quick", Going(), where=desk.general)

        assert texts(desk, desk.general) == ["quick"]
        assert not slow.done()
        slow.cancel()


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_a_gateway_that_fails_is_tried_again_and_what_is_not_known_is_said(status: int) -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, status)
        await say(desk)
        assert texts(desk) == ["Hello"]
        desk.organisation.faults.refuse(POST, status)
        with pytest.raises(OutcomeUnknown):
            await say(desk, going=HASTY)


@pytest.mark.parametrize("kind", ["unavailable", "unreachable", "refused"])
async def test_teams_down_for_a_minute_is_one_alert_and_few_calls(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def patient(desk: Outgoing, text: str) -> None:
        while True:
            try:
                await say(desk, text, Going())
            except Unavailable as away:
                await desk.clock.sleep(away.retry_after_s)
            else:
                return

    async with outgoing() as desk:
        await say(desk, "before")
        caplog.clear()
        desk.organisation.faults.down(60.0, kind=kind)
        began = desk.clock.monotonic()
        async with asyncio.timeout(20):
            await asyncio.gather(*(patient(desk, str(number)) for number in range(6)))

        assert 60 <= desk.clock.monotonic() - began < 180
        assert len(desk.seen()) == 7
        assert desk.connector.health.counts["failures"] < 30
    assert alerts(caplog) == ["ERROR", "INFO"]


async def test_a_lost_answer_is_ambiguous_and_no_alert(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        await say(desk, "before")
        desk.organisation.faults.lose_answer(POST)
        with pytest.raises(OutcomeUnknown) as lost:
            await say(desk)

        assert lost.value.retry_after_s <= 2
        assert texts(desk) == ["before", "Hello"]
    assert alerts(caplog) == []


async def test_an_answer_that_does_not_come_in_time_is_given_up() -> None:
    async with outgoing() as desk:
        await say(desk, "before")
        desk.organisation.faults.slow(POST, 600.0)
        with pytest.raises(OutcomeUnknown) as late:
            await say(desk)

        assert round(late.value.retry_after_s, 6) >= 5


async def test_a_token_that_is_good_no_more_is_replaced_unnoticed(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        await say(desk, "before")
        desk.teams.server.logins.revoke()
        await asyncio.gather(*(say(desk, str(number)) for number in range(5)))

        assert texts(desk) == ["before", "0", "1", "2", "3", "4"]
        assert len(desk.teams.server.logins.requests) == 2
        assert not desk.connector.health.episodes
    assert alerts(caplog) == []


async def test_refused_credentials_are_one_alert_and_tried_again_after_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 401, times=2)
        with pytest.raises(NotAllowed) as refused:
            await say(desk)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await say(desk, going=Going())
        assert len(desk.called(POST)) == 2
        assert [episode.trouble for episode in desk.connector.health.episodes] == [Trouble.CREDENTIALS]
        await desk.clock.sleep(refused.value.retry_after_s)
        await say(desk)

        assert texts(desk) == ["Hello"]
    assert alerts(caplog) == ["ERROR", "INFO"]


async def test_a_wrong_secret_is_told_by_its_code_and_nothing_of_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with outgoing(app_secret="wrong~secret") as desk:
        with pytest.raises(NotAllowed):
            await say(desk)

        assert [episode.trouble for episode in desk.connector.health.episodes] == [Trouble.CREDENTIALS]
        assert not desk.called()
    assert "AADSTS7000215" in caplog.text
    assert "wrong~secret" not in caplog.text


async def test_no_token_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with outgoing() as desk:
        await say(desk)
        desk.organisation.faults.refuse(POST, 500)
        with pytest.raises(OutcomeUnknown):
            await say(desk)

        assert desk.called(POST)[0].token not in caplog.text
        assert desk.config.app_secret not in caplog.text


async def test_a_login_server_that_is_away_is_an_absence_and_no_refusal() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse("Token", 503, times=3)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await say(desk, going=HASTY)

        assert [episode.trouble for episode in desk.connector.health.episodes] == [Trouble.AWAY]
        assert not desk.called()


@pytest.mark.parametrize(
    "code",
    ["MessageWritesBlocked", "ConversationBlockedByUser", "BotDisabledByAdmin", "BotNotInConversationRoster",
     "ForbiddenOperationException"],
)  # fmt: skip
async def test_whoever_blocked_the_desk_is_gone(code: str) -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 403, code)
        with pytest.raises(Gone, match=code):
            await say(desk)

        assert len(desk.called(POST)) == 1
        assert not desk.connector.health.episodes


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (413, "MessageSizeTooBig", ContentRefused),
        (404, "ConversationNotFound", Vanished),
        (404, "ActivityNotFoundInConversation", Vanished),
        (400, "BadSyntax", ContentRefused),
        (403, "NotEnoughPermissions", CallDenied),
        (403, "ContentStreamNotAllowed", StreamOver),
        (405, "", CallDenied),
        (501, "", CallDenied),
    ],
)
async def test_the_last_word_is_believed_at_once(status: int, code: str, kind: type[Undeliverable]) -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, status, code)
        with pytest.raises(kind) as never:
            await say(desk)

        assert (type(never.value), len(desk.called(POST))) == (kind, 1)
        assert not desk.connector.health.episodes


async def test_no_token_goes_to_another_host_and_none_is_asked_for() -> None:
    async with outgoing() as desk:
        elsewhere = TeamsPlace("https://smba.trafficmanager.net.evil.example/emea/", "a:1")
        with pytest.raises(NotMicrosofts):
            await desk.connector.call(post(elsewhere, {"type": "message", "text": "Hello"}))

        assert not desk.teams.server.logins.requests


async def test_who_sends_elsewhere_is_not_followed() -> None:
    other = FalseServer()
    async with outgoing() as desk, other, FalseServer(lambda _: moved_to(other.base_url)) as first:
        with pytest.raises(OutcomeUnknown):
            await desk.connector.call(post(TeamsPlace(first.base_url, "a:1"), {"type": "message", "text": "Hello"}))

        assert first.tokens
        assert other.tokens == []


@pytest.mark.parametrize("body", [b"[" * 5_000_000, b"<p>Please sign in</p>", b"[]"])
async def test_what_teams_would_not_say_is_no_answer_of_teams(body: bytes) -> None:
    async with outgoing() as desk, FalseServer(lambda _: web.Response(body=body)) as server:
        with pytest.raises(OutcomeUnknown):
            await desk.connector.call(post(TeamsPlace(server.base_url, "a:1"), {"type": "message", "text": "Hello"}))


async def test_what_waits_and_is_not_wanted_any_more_is_not_sent() -> None:
    async with outgoing() as desk:
        wanted = True
        going = Going(wanted=lambda: wanted)
        desk.organisation.faults.slow(POST, 2.0)
        first = asyncio.create_task(say(desk, "first"))
        await asyncio.sleep(0)
        second = asyncio.create_task(say(desk, "second", going))
        await asyncio.sleep(0)
        wanted = False
        await asyncio.gather(first, second)

        assert texts(desk) == ["first"]


async def test_reading_who_is_there_does_not_wait_behind_what_is_written() -> None:
    async with outgoing() as desk:
        await say(desk, "before")
        desk.organisation.faults.slow(POST, 60.0)
        slow = asyncio.create_task(say(desk, "slow"))
        await asyncio.wait({slow}, timeout=0.05)
        page = await desk.connector.call(members(place(desk)))

        assert [each["name"] for each in page["members"]] == ["Ada Lind"]
        assert not slow.done()
        await slow


async def test_a_message_is_taken_away() -> None:
    async with outgoing() as desk:
        told = await say(desk)
        await desk.connector.call(delete(place(desk), told["id"]))

        assert desk.seen() == []
