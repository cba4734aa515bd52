"""A card that answers a press in its place: an edit of the message comes behind it, or the presser would not see it."""

import pytest

from adapters.cards import Card, Field, Form, Text
from adapters.outbound.posting import ANSWERED_S
from adapters.port import Shown
from adapters.teams.address import TeamsAddress, reference
from adapters.teams.drawing.forms import form_card
from storage.clock import ScaledClock
from tests.adapters.teams.hearing import CARD, Hearing, executed, invoke, press, said
from tests.adapters.teams.outgoing import outgoing

FORM = Form("draft", "d1", "n1", title="Your ticket", submit="Save", cancel="Cancel", fields=(Field("title", "Title"),))


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


async def test_the_message_that_is_answered_in_its_place_is_told() -> None:
    hearing = Hearing()
    sent = form_card(FORM, mode="cards")["actions"][0]["data"]
    await hearing.deliver(executed(sent | {"f.title": "Broken"}))
    hearing.inbox.receipt = Shown(FORM)
    await hearing.deliver(executed(press()))

    conversation = TeamsAddress.of(hearing.addresses[0]).conversation
    assert hearing.in_place == [reference(conversation, CARD)] * 2


async def test_what_is_answered_in_words_or_by_a_dialog_is_not() -> None:
    hearing = Hearing()
    await hearing.deliver(executed(press()))
    hearing.inbox.receipt = Shown(FORM)
    await hearing.deliver(invoke("task/fetch", {"data": press()}))
    await hearing.deliver(said("hello"))

    assert hearing.in_place == []


@pytest.mark.parametrize("answered", [True, False])
async def test_an_edit_comes_behind_the_answer(*, answered: bool) -> None:
    clock = ScaledClock(2)
    async with outgoing(clock) as desk:
        address = desk.ask(desk.general).to_json()
        posted = await desk.chat.send(address, card("Draft"), key="k1")
        began = clock.now().timestamp()
        if answered:
            desk.chat.answered_in_place(posted)
        await desk.chat.update(address, posted, card("Filed"))

        (edit,) = desk.called("UpdateActivity")
        assert (edit.at - began >= ANSWERED_S) is answered
