"""What every chat platform promises the desk: all are held to the same words."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.cards import Card, Field, Form, Text
from adapters.port import Sending, Undeliverable
from tests.contracts.chat_platforms import READERS, Reader

FORM = Form(form="f", id="1", nonce="n", title="About you", submit="Send", cancel="Leave", fields=(Field("a", "A"),))


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


@pytest.fixture(params=READERS)
async def reader(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Reader]:
    async with READERS[request.param](tmp_path) as opened:
        yield opened


async def test_a_sent_card_is_seen(reader: Reader) -> None:
    await reader.chat.send(reader.address, card("Hello"), key="k1")

    assert list(await reader.messages()) == ["Hello"]


async def test_cards_are_seen_in_the_order_of_sending(reader: Reader) -> None:
    references = [await reader.chat.send(reader.address, card(text), key=text) for text in ("one", "two", "three")]

    assert list(await reader.messages()) == ["one", "two", "three"]
    assert len(set(references)) == 3


async def test_the_same_key_shows_one_message_and_gives_one_reference(reader: Reader) -> None:
    first = await reader.chat.send(reader.address, card("Once"), key="k1")
    again = await reader.chat.send(reader.address, card("Once"), key="k1")

    assert reader.chat.limits.exactly_once or "exactly_once" in reader.chat.limits.notes
    assert list(await reader.messages()) == ["Once"]
    assert again == first


async def test_an_update_takes_the_place_of_a_card_or_follows_it_where_nothing_can_be_edited(reader: Reader) -> None:
    reference = await reader.chat.send(reader.address, card("Draft"), key="k1")
    await reader.chat.update(reader.address, reference, card("Filed"))

    seen = list(await reader.messages())
    assert seen == (["Filed"] if reader.chat.limits.edits else ["Draft", "Filed"])


async def test_a_streamed_message_is_ended_by_the_send_with_its_key(reader: Reader) -> None:
    stream = await reader.chat.stream(reader.address, key="k1")
    await stream.append("First line.\n")
    await stream.append("Second ")
    await stream.append("line.")
    await reader.chat.send(reader.address, card("First line.\nSecond line."), key="k1")

    seen = "\n".join(await reader.messages())
    assert seen.count("Second line.") == 1


async def test_what_was_streamed_never_outlives_the_final_card(reader: Reader) -> None:
    stream = await reader.chat.stream(reader.address, key="k1")
    await stream.status("Looking …")
    await stream.append("Half a")
    await reader.chat.send(reader.address, card("Something else"), key="k1")

    assert list(await reader.messages()) == ["Something else"]


async def test_an_attempt_after_the_first_shows_nothing_twice_and_finds_the_reference(reader: Reader) -> None:
    first = await reader.chat.send(reader.address, card("Once"), key="k1")
    again = await reader.chat.send(reader.address, card("Once"), key="k1", sending=Sending(again=True))
    await reader.chat.send(reader.address, card("New"), key="k2", sending=Sending(again=True))

    assert list(await reader.messages()) == ["Once", "New"]
    assert again == first


async def test_a_stream_that_was_left_open_is_ended_by_its_reference(reader: Reader) -> None:
    references: list[str] = []

    async def opened(reference: str) -> None:
        references.append(reference)

    stream = await reader.chat.stream(reader.address, key="k1", opened=opened)
    await stream.append("Half a")
    left_open = Sending(again=True, unfinished="".join(references[:1]))
    await reader.chat.send(reader.address, card("Whole"), key="k1", sending=left_open)

    assert list(await reader.messages()) == ["Whole"]


async def test_news_are_seen_like_answers(reader: Reader) -> None:
    await reader.chat.send(reader.address, card("News"), key="k1", sending=Sending(proactive=True))

    assert list(await reader.messages()) == ["News"]


async def test_what_is_whispered_is_seen_by_the_person(reader: Reader) -> None:
    await reader.chat.whisper(reader.address, card("For you alone"), key="k1")

    assert list(await reader.messages()) == ["For you alone"]


async def test_an_account_stays_the_same_when_the_platform_says_more_of_it(reader: Reader) -> None:
    known = await reader.chat.identify(reader.account, reader.address)

    assert (known.platform, known.tenant, known.user) == dataclasses.astuple(reader.account)[:3]
    assert known.kind == "member"
    assert known.name.startswith("Ada")


async def test_in_private_nobody_else_reads_along(reader: Reader) -> None:
    members = await reader.chat.members(reader.chat.privately(reader.address))

    assert [account.user for account in members.accounts] == [reader.account.user]
    assert not members.open


async def test_a_form_reaches_the_person_or_the_limits_say_when_one_can(reader: Reader) -> None:
    try:
        await reader.chat.open_form(reader.address, FORM)
    except Undeliverable:
        assert "press" in reader.chat.limits.notes["forms"]
    else:
        assert list(await reader.forms()) == ["About you"]


async def test_a_home_is_shown_and_replaced(reader: Reader) -> None:
    await reader.chat.publish_home(reader.address, card("No tickets"))
    await reader.chat.publish_home(reader.address, card("One ticket"))

    assert await reader.home() == "One ticket"


async def test_whoever_reads_along_is_known(reader: Reader) -> None:
    assert [account.user for account in (await reader.chat.members(reader.address)).accounts] == [reader.account.user]


async def test_every_limit_that_is_noted_exists(reader: Reader) -> None:
    limits = reader.chat.limits
    names = {field.name for field in dataclasses.fields(limits)}

    assert set(limits.notes) <= names
    assert limits.text_chars > 0
    assert limits.blocks > 0
