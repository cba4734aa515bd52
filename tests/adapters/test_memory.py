"""The fake records what a test wants to read, and can fail on request."""

import pytest

from adapters.cards import Button, Card, Form, Text
from adapters.events import Account, Feedback, FormSubmit, Inbound, Message, Press
from adapters.memory import MemoryChat
from adapters.port import Accepted, Members, Receipt, Shown

ADA = Account(platform="memory", tenant="home", user="ada", name="Ada")
BEN = Account(platform="memory", tenant="home", user="ben", name="Ben")
HELLO = Card(blocks=(Text("Hello"),), fallback="Hello")
FORM = Form(form="f", id="1", nonce="n", title="T", submit="S", cancel="C", fields=())


def listening(receipt: Receipt | None = None) -> tuple[MemoryChat, list[Inbound]]:
    chat = MemoryChat(people=[ADA, BEN])
    heard: list[Inbound] = []

    async def receive(event: Inbound) -> Receipt:
        heard.append(event)
        return receipt or Accepted()

    chat.connect(receive)
    return chat, heard


async def test_everything_a_person_can_do_is_handed_in() -> None:
    chat, heard = listening()

    await chat.say("ada", "hello")
    await chat.press("ada", Button("Confirm", "draft.file", "d1", "n"))
    await chat.submit("ada", FORM, {"a": "b"})
    await chat.rate("ada", "run_1", verdict="down", reason="old")

    assert [type(event) for event in heard] == [Message, Press, FormSubmit, Feedback]
    assert len({event.event_id for event in heard}) == 4


async def test_a_redelivery_has_the_same_event_id() -> None:
    chat, heard = listening()

    await chat.say("ada", "hello", event_id="e1")
    await chat.say("ada", "hello", event_id="e1")

    assert [event.event_id for event in heard] == ["e1", "e1"]


async def test_a_form_that_comes_back_with_the_receipt_is_kept() -> None:
    chat, _ = listening(Shown(FORM))

    await chat.press("ada", Button("Edit", "draft.edit", "d1"))

    assert [form for _, form in chat.forms] == [FORM]


async def test_a_refusal_happens_once() -> None:
    chat, _ = listening()
    chat.refuse = ConnectionError("away")

    with pytest.raises(ConnectionError):
        await chat.send(chat.address("ada"), HELLO, key="k")
    await chat.send(chat.address("ada"), HELLO, key="k")

    assert len(chat.posted()) == 1


async def test_a_stream_without_its_send_is_unfinished() -> None:
    chat, _ = listening()

    await chat.stream(chat.address("ada"), key="k")

    assert [posted.key for posted in chat.unfinished()] == ["k"]
    assert chat.posted() == ()


async def test_everybody_in_a_channel_reads_along() -> None:
    chat, _ = listening()

    assert await chat.members(chat.address("ada", members=["ada", "ben"])) == Members((ADA, BEN))


async def test_an_unknown_card_cannot_be_updated() -> None:
    chat, _ = listening()

    with pytest.raises(KeyError):
        await chat.update(chat.address("ada"), "m9", HELLO)


async def test_nobody_listens_before_connect() -> None:
    with pytest.raises(RuntimeError):
        await MemoryChat(people=[ADA]).say("ada", "hello")
