"""A secret that is told in the message after its name is taken out; what is said otherwise there stays."""

import pytest

from storage.redaction.announced import WAITS, Announcements
from storage.redaction.stored import MARK
from tests.scenarios.stage import MovableClock


@pytest.mark.parametrize(
    ("announced", "told", "left"),
    [
        ("my password is", "hunter2!", f"{MARK}!"),
        ("wifi password?", "it is Gartenzaun7 on the sticker", f"it is {MARK} on the sticker"),
        ("here's my pin:", "4711", MARK),
        ("我的口令是", "芝麻开门", MARK),
        ("我的密码是", "Suzhou_2021", MARK),
        ("my password is", "not working since Monday", "not working since Monday"),
        ("I forgot my password", "The kiosk is down in B2.14", "The kiosk is down in B2.14"),
        ("What is the password policy?", "ThinkPad14 hangs", "ThinkPad14 hangs"),
        ("How do I reset my password?", "And where is room 4711?", "And where is room 4711?"),
        (f"my password is {MARK}", "swordfish", "swordfish"),
        ("the printer is down", "hunter2!", "hunter2!"),
    ],
)
async def test_a_secret_after_its_name(announced: str, told: str, left: str) -> None:
    heard = Announcements(MovableClock())
    assert await heard.freed("ada", "1", announced) == announced
    assert await heard.freed("ada", "2", told) == left


async def test_it_is_taken_out_again_when_it_is_delivered_again_and_in_no_later_message() -> None:
    heard = Announcements(MovableClock())
    await heard.freed("ada", "1", "my password is")
    assert [await heard.freed("ada", "2", "swordfish") for _ in range(2)] == [MARK, MARK]
    assert await heard.freed("ada", "3", "swordfish") == "swordfish"


async def test_what_is_kept_in_two_places_loses_it_in_both() -> None:
    heard = Announcements(MovableClock())
    said = (("1", "my password is"), ("2", "swordfish! My PIN is"), ("3", "4711"))
    kept = [(await heard.freed("ada", name, text), await heard.freed("ada", name, text)) for name, text in said]
    assert kept == [(said[0][1],) * 2, (f"{MARK}! My PIN is",) * 2, (MARK, MARK)]


async def test_another_place_and_a_later_hour_know_nothing_of_it() -> None:
    clock = MovableClock()
    heard = Announcements(clock)
    await heard.freed("ada", "1", "my password is")
    assert await heard.freed("ben", "2", "swordfish") == "swordfish"
    clock.skip(WAITS.total_seconds() + 1)
    assert await heard.freed("ada", "3", "swordfish") == "swordfish"
