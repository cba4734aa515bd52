"""The pipeline over a wire in memory: what every platform gets for its `Wire`."""

import asyncio
from dataclasses import replace

import pytest

from adapters.cards import Card, Text
from adapters.outbound.errors import CallDenied, ContentRefused, OutcomeUnknown, PlaceClosed
from adapters.outbound.memory import MemoryPlace, MemoryWire
from adapters.outbound.posting import Posting
from adapters.port import Sending, Undeliverable
from storage.clock import ScaledClock
from tests.adapters.waiting import until

AGAIN = Sending(again=True)
PLACE = MemoryPlace("thread")
DIRECT = MemoryPlace("direct:ada")


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


@pytest.fixture
def wire() -> MemoryWire:
    return MemoryWire()


def posting(wire: MemoryWire) -> Posting[MemoryPlace]:
    """Return the pipeline of a process that remembers nothing."""
    return Posting(wire, ScaledClock(60))


async def test_a_lost_answer_is_found_by_another_process(wire: MemoryWire) -> None:
    wire.lost = {"post": OutcomeUnknown("post: nothing", retry_after_s=1.0)}
    with pytest.raises(OutcomeUnknown):
        await posting(wire).send(PLACE, card("Once"), key="k1")
    reference = await posting(wire).send(PLACE, card("Once"), key="k1", sending=AGAIN)

    assert (wire.seen(PLACE), reference) == (["Once"], "thread/m1")


async def test_where_nothing_can_be_found_what_this_process_posted_is_known(wire: MemoryWire) -> None:
    wire.finds = False
    out = posting(wire)
    long = card("a" * 100 + "b" * 100)
    first = asyncio.create_task(out.send(PLACE, long, key="k1"))
    await until(lambda: wire.messages)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await out.send(PLACE, long, key="k1", sending=AGAIN)

    assert wire.seen(PLACE) == ["a" * 100, "b" * 100]


async def test_an_answer_for_a_closed_place_reaches_the_person_and_news_do_not(wire: MemoryWire) -> None:
    wire.failures = {"post": PlaceClosed("post", "archived")}
    await posting(wire).send(PLACE, card("Answer"), key="k1")
    wire.failures = {"post": PlaceClosed("post", "archived")}
    with pytest.raises(Undeliverable):
        await posting(wire).send(PLACE, card("News"), key="k2", sending=Sending(proactive=True))

    assert (wire.seen(PLACE), wire.seen(DIRECT)) == ([], ["Answer"])


async def test_content_that_is_refused_is_sent_as_plain_words(
    wire: MemoryWire, caplog: pytest.LogCaptureFixture
) -> None:
    wire.failures = {"post": ContentRefused("post", "blocks")}
    await posting(wire).send(PLACE, card("Words"), key="k1")

    assert wire.seen(PLACE) == ["Words"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_of_several_edits_that_wait_the_last_is_wanted(wire: MemoryWire) -> None:
    out = posting(wire)
    reference = await out.send(PLACE, card("0"), key="k1")
    await asyncio.gather(*(out.update(PLACE, reference, card(str(number))) for number in range(1, 5)))

    assert wire.seen(PLACE) == ["4"]


@pytest.mark.parametrize("streams", [True, False])
async def test_a_text_in_the_making_becomes_the_answer(wire: MemoryWire, *, streams: bool) -> None:
    wire.streams, out, told = streams, posting(wire), list[str]()

    async def opened(reference: str) -> None:
        told.append(reference)

    text = out.stream(PLACE, key="k1", after_s=0.0, opened=opened)
    await text.append("First. ")
    await until(lambda: told)
    await text.append("Second. ")
    reference = await out.send(PLACE, card("First. Second. Third."), key="k1")

    assert (wire.seen(PLACE), [reference]) == (["First. Second. Third."], told)


@pytest.mark.parametrize("streams", [True, False])
async def test_what_a_crash_left_open_is_taken_over(wire: MemoryWire, *, streams: bool) -> None:
    wire.streams, out = streams, posting(wire)
    text = out.stream(PLACE, key="k1", after_s=0.0, opened=None)
    await text.append("First. ")
    await until(lambda: wire.messages)
    out.close()
    await posting(wire).send(PLACE, card("Whole."), key="k1", sending=AGAIN)

    assert wire.seen(PLACE) == ["Whole."]


async def test_what_can_neither_be_ended_nor_edited_is_taken_away_later(wire: MemoryWire) -> None:
    out = posting(wire)
    left = await wire.post(PLACE, {"text": "Half"}, key="", unfinished=True)
    wire.failures = {"edit": CallDenied("edit", "no")}
    await out.send(PLACE, card("Whole."), key="k1", sending=replace(Sending(), unfinished=PLACE.reference(left)))

    await until(lambda: wire.seen(PLACE) == ["Whole."])
    out.close()
