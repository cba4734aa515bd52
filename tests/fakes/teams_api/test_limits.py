"""Rates on the organisation's clock, sizes, and the troubles that a test can switch on."""

import json

import httpx
import pytest

from tests.fakes.teams.content import ACTIVITY_BYTES_MAX, CARD_BYTES_MAX
from tests.fakes.teams.rates import SPANS
from tests.fakes.teams_api.conftest import House, attachment, block, refused


async def test_a_conversation_takes_seven_in_a_second_and_eight_in_two(house: House) -> None:
    for _ in range(7):
        await house.post()
    answer = await house.send()

    assert (refused(answer), answer.headers["Retry-After"]) == ((429, "Throttled"), "1")
    house.clock.advance(1)
    await house.post()
    assert refused(await house.send()) == (429, "Throttled")
    house.clock.advance(1)
    await house.post()


async def test_sixty_in_half_a_minute_and_then_as_they_grow_old(house: House) -> None:
    for _ in range(60):
        await house.post()
        house.clock.advance(0.3)
    assert refused(await house.send()) == (429, "Throttled")

    house.clock.advance(30 - 60 * 0.3)
    await house.post()
    assert refused(await house.send()) == (429, "Throttled")


async def test_all_threads_of_a_channel_and_all_changes_count_together(house: House) -> None:
    first = await house.post(house.help.id)
    for _ in range(3):
        await house.post(house.thread(first))
        path = f"/{house.thread(first)}/activities/{first.id}"
        assert (await house.call("PUT", path, {"type": "message", "text": "a"})).status_code == 200
    assert refused(await house.send(house.help.id)) == (429, "Throttled")

    await house.post()  # another conversation


async def test_members_may_be_asked_for_twice_as_often(house: House) -> None:
    path = f"/{house.help.id}/members/{house.ann.id}"
    statuses = [(await house.call("GET", path)).status_code for _ in range(15)]

    assert statuses == [200] * 14 + [429]
    assert SPANS["members"] == {span: 2 * most for span, most in SPANS["send"].items()}


async def test_an_app_takes_thirty_a_second_over_all_places(house: House) -> None:
    chats = [house.organisation.chat(house.organisation.add_user(f"mate {number}")) for number in range(31)]
    answers = [await house.send(chat.id) for chat in chats]

    assert [each.status_code for each in answers] == [201] * 30 + [429]


async def test_rates_can_be_left_out(house: House) -> None:
    house.organisation.rates.enforced = False
    assert len({(await house.post()).id for _ in range(40)}) == 40


async def test_an_activity_has_a_hundred_kilobytes_as_utf_16(house: House) -> None:
    room = ACTIVITY_BYTES_MAX - len(json.dumps({"type": "message", "text": ""}).encode("utf-16-le"))

    await house.post(text="é" * (room // 2))
    assert refused(await house.send(text="é" * (room // 2 + 1))) == (413, "MessageSizeTooBig")


async def test_a_card_has_twenty_eight_kilobytes(house: House) -> None:
    half = "x" * (CARD_BYTES_MAX // 2)

    await house.post(attachments=[attachment(block(half))])
    assert refused(await house.send(attachments=[attachment(block(half), block(half))])) == (413, "MessageSizeTooBig")


@pytest.mark.parametrize(
    ("status", "code"),
    [(412, "PreconditionFailed"), (429, "Throttled"), (500, "ServiceError"), (502, "ServiceError")],
)
async def test_the_next_answers_are_what_a_test_wants(house: House, status: int, code: str) -> None:
    house.organisation.faults.refuse("SendToConversation", status, times=2)

    assert [refused(await house.send()) for _ in range(2)] == [(status, code)] * 2
    assert list(house.organisation.standing(house.chat.id)) == []
    await house.post()


async def test_a_gateway_may_give_up_on_what_was_done(house: House) -> None:
    house.organisation.faults.refuse("SendToConversation", 504, carried_out=True)
    answer = await house.send(text="once")

    assert (answer.status_code, answer.content) == (504, b"")
    assert [each.text for each in house.organisation.standing(house.chat.id)] == ["once"]


async def test_an_answer_is_lost_although_the_call_was_carried_out(house: House) -> None:
    house.organisation.faults.lose_answer("SendToConversation")
    with pytest.raises(httpx.RemoteProtocolError):
        await house.send(text="once")

    assert [each.text for each in house.organisation.standing(house.chat.id)] == ["once"]
    assert house.organisation.calls[-1].lost
    await house.post()


async def test_an_answer_is_held_on_the_clock_of_the_organisation(house: House) -> None:
    before = house.clock.monotonic()
    house.organisation.faults.slow("SendToConversation", 5)
    await house.post()

    assert house.clock.monotonic() - before == 5


async def test_teams_is_stormy_or_down(house: House) -> None:
    faults = house.organisation.faults
    faults.storm(30)
    answer = await house.send()
    assert (refused(answer), answer.headers["Retry-After"]) == ((429, "Throttled"), "30")
    faults.calm()
    faults.down(30)
    assert (await house.send()).status_code == 503
    faults.down(30, kind="unreachable")
    with pytest.raises(httpx.RemoteProtocolError):
        await house.send()
    house.clock.advance(30)
    await house.post()
