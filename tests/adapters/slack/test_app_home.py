"""The home shows what a press on it has changed."""

from adapters.events import HomeOpened, Press
from tests.adapters.slack.hearing import Hearing
from tests.adapters.slack.test_inbound_presses import in_view


async def test_after_a_press_on_the_home_it_is_drawn_again() -> None:
    hearing = Hearing()
    await hearing.deliver(in_view(hearing, "home"))

    press, again = hearing.inbox.events
    assert isinstance(press, Press)
    assert isinstance(again, HomeOpened)
    assert again.thread == press.thread  # worked off after it
    assert again.event_id != press.event_id


async def test_a_press_on_a_message_leaves_the_home_alone() -> None:
    hearing = Hearing()
    await hearing.deliver(hearing.pressed("draft.confirm"))

    assert [type(event) for event in hearing.inbox.events] == [Press]
