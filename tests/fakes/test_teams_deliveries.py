"""Teams tries again what was not taken, gives up, delivers twice and late when asked to, and writes it all down."""

from collections.abc import AsyncIterator

import pytest

from storage.clock import ScaledClock
from tests.fakes.teams.deliveries import LATE_S, RETRY_AFTER_S
from tests.fakes.teams.endpoint import ANSWER_WITHIN_S
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams_app import App, teams_with_app

Pair = tuple[LocalTeams, App]


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    async with teams_with_app(ScaledClock()) as opened:
        yield opened


async def test_what_an_app_cannot_take_now_is_tried_again(pair: Pair) -> None:
    teams, app = pair
    app.statuses += [503, 500]
    said = await teams.add_person("Ann").say("chat", "hello")
    await teams.deliveries.settled()

    records = teams.deliveries.records
    assert [(each.status, each.retry, each.reason) for each in records] == [
        (503, 0, "status"), (500, 1, "status"), (200, 2, None)
    ]  # fmt: skip
    assert {each.event_id for each in records} == {f"{said.conversation}:{said.id}"}
    assert app.heard[0] == app.heard[1] == app.heard[2]


async def test_teams_gives_up_in_the_end(pair: Pair) -> None:
    teams, app = pair
    app.statuses += [503] * 9
    await teams.add_person("Ann").say("chat", "hello")
    assert teams.deliveries.waiting() == 1
    await teams.deliveries.settled()

    assert len(app.heard) == 1 + len(RETRY_AFTER_S)
    assert teams.deliveries.waiting() == 0


@pytest.mark.parametrize("status", [201, 202, 400, 401, 403, 404])
async def test_what_was_taken_or_refused_is_not_tried_again(pair: Pair, status: int) -> None:
    teams, app = pair
    app.statuses.append(status)
    await teams.add_person("Ann").say("chat", "hello")
    await teams.deliveries.settled()

    assert [each.status for each in teams.deliveries.records] == [status]


async def test_an_answer_has_fifteen_seconds(pair: Pair) -> None:
    teams, app = pair
    app.slow_s, teams.deliveries.retry_after_s = ANSWER_WITHIN_S + 5, ()
    await teams.add_person("Ann").say("chat", "hello")
    await teams.deliveries.settled()

    (record,) = teams.deliveries.records
    assert (record.status, record.reason) == (None, "timeout")
    assert ANSWER_WITHIN_S * 1000 <= record.milliseconds < (ANSWER_WITHIN_S + 5) * 1000


async def test_nobody_listens(pair: Pair) -> None:
    teams, _ = pair
    teams.endpoint.url, teams.deliveries.retry_after_s = "http://127.0.0.1:9/api/messages", ()
    await teams.add_person("Ann").say("chat", "hello")
    await teams.deliveries.settled()

    assert [each.reason for each in teams.deliveries.records] == ["connection"]


async def test_duplicates_are_the_same_to_the_last_letter(pair: Pair) -> None:
    teams, app = pair
    teams.deliveries.duplicates = 1.0
    ann = teams.add_person("Ann")
    said = await ann.say("chat", "hello")
    await teams.deliveries.settled()
    teams.deliveries.send_again(f"{said.conversation}:{said.id}")
    await teams.deliveries.settled()

    assert len(app.heard) == 3
    assert app.heard[0] == app.heard[1] == app.heard[2]
    assert [each.duplicate for each in teams.deliveries.records] == [False, True, True]


async def test_some_are_overtaken_by_others(pair: Pair) -> None:
    teams, app = pair
    teams.deliveries.reordered = 0.5
    ann = teams.add_person("Ann")
    before = teams.organisation.clock.monotonic()
    for number in range(20):
        await ann.say("chat", f"{number}")
    await teams.deliveries.settled()

    heard = [each["text"] for each in app.heard]
    assert sorted(heard, key=int) == [f"{number}" for number in range(20)]
    assert heard != sorted(heard, key=int)
    assert teams.organisation.clock.monotonic() - before > LATE_S / 10


async def test_every_attempt_is_told_as_it_ends(pair: Pair) -> None:
    teams, app = pair
    statuses: list[int | None] = []
    teams.deliveries.on_delivery = lambda delivery: statuses.append(delivery.status)
    app.statuses.append(502)
    await teams.add_person("Ann").say("chat", "hello")
    await teams.deliveries.settled()

    assert statuses == [502, 200]


async def test_forged_requests_can_be_made(pair: Pair) -> None:
    teams, app = pair
    body = b'{"type": "message", "conversation": {"id": "a:1"}, "id": "1"}'
    answer = await teams.endpoint.post(body, {"Content-Type": "application/json", "Authorization": "Bearer x"})

    assert answer.status == 200
    assert app.headers[0]["Authorization"] == "Bearer x"
    assert teams.deliveries.records == []
