"""What the pipeline takes for granted of every platform's `Wire`, the fake among them."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.cards import Card, Rating, Text
from adapters.outbound.errors import StreamOver, Vanished
from adapters.outbound.memory import MemoryPlace, MemoryWire
from adapters.outbound.wire import Begun, Wire
from adapters.slack.wire.wire import SlackPlace, SlackWire
from adapters.teams.wire.operations import TeamsPlace
from adapters.teams.wire.wire import TeamsWire
from storage.clock import Clock, ScaledClock
from tests.adapters.slack import outgoing as slack
from tests.adapters.slack.hearing import words_for
from tests.adapters.teams import outgoing as teams
from tests.adapters.teams.hearing import WORDS


@dataclass
class Rig:
    """A wire, a place where the desk may stream, and what is seen there."""

    wire: Wire[Any]
    place: Any
    seen: Callable[[], Sequence[str]]
    clock: Clock
    finds: bool = True


@asynccontextmanager
async def memory() -> AsyncIterator[Rig]:
    wire, place = MemoryWire(), MemoryPlace("thread")
    yield Rig(wire, place, lambda: wire.seen(place), ScaledClock(60))


@asynccontextmanager
async def on_slack() -> AsyncIterator[Rig]:
    async with slack.outgoing(ScaledClock(5)) as desk:
        wire = SlackWire(desk.calls, desk.clock, desk.config, words_for)

        def seen() -> Sequence[str]:
            return [f"{each.text} {each.blocks}" for each in desk.seen(desk.general)]

        yield Rig(wire, SlackPlace.of(desk.ask(desk.general)), seen, desk.clock)


@asynccontextmanager
async def on_teams() -> AsyncIterator[Rig]:
    async with teams.outgoing(ScaledClock(5)) as desk:
        wire = TeamsWire(desk.connector, desk.clock, desk.config, lambda _: WORDS)

        def seen() -> Sequence[str]:
            return [teams.words(each) for each in desk.seen()]

        yield Rig(wire, TeamsPlace.of(desk.ask()), seen, desk.clock, finds=False)


RIGS: dict[str, Callable[[], AbstractAsyncContextManager[Rig]]] = {
    "memory": memory, "slack": on_slack, "teams": on_teams,
}  # fmt: skip
on_every_wire = pytest.mark.parametrize("opened", RIGS.values(), ids=RIGS)


def card(text: str) -> Card:
    rating = Rating(id="r1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
    return Card(blocks=(Text(text), rating), fallback=text)


def shows(rig: Rig, *texts: str) -> bool:
    seen = rig.seen()
    return len(seen) == len(texts) and all(text in each for text, each in zip(texts, seen, strict=True))


async def posted(rig: Rig, text: str, key: str = "k1") -> str:
    return await rig.wire.post(rig.place, rig.wire.draw(card(text))[0].payload(), key=key)


@on_every_wire
async def test_a_message_is_posted_edited_and_taken_away(opened: Any) -> None:
    async with opened() as rig:
        message = await posted(rig, "First")
        assert shows(rig, "First")
        assert rig.place.message(rig.place.reference(message)) == message
        await rig.wire.edit(rig.place, message, rig.wire.draw(card("Second"))[0].payload())
        assert shows(rig, "Second")
        await rig.wire.delete(rig.place, message)

        assert shows(rig)
        with pytest.raises(Vanished):
            await rig.wire.edit(rig.place, message, rig.wire.draw(card("Third"))[0].payload())


@on_every_wire
async def test_the_plain_words_of_a_message_are_a_message(opened: Any) -> None:
    async with opened() as rig:
        await rig.wire.post(rig.place, rig.wire.draw(card("Plain"))[0].words(), key="k1")

        assert shows(rig, "Plain")


@on_every_wire
async def test_a_stream_goes_on_and_ends_in_its_card_within_one_message(opened: Any) -> None:
    async with opened() as rig:
        message = await rig.wire.stream(rig.place, Begun(), "First. ", "")
        begun = Begun(message, streaming=True, shown="First. ", pieces=1)
        await rig.clock.sleep(rig.wire.tempo.pieces_s)
        assert await rig.wire.stream(rig.place, begun, "First. Second. ", "") == message
        begun = Begun(message, streaming=True, shown="First. Second. ", pieces=2)
        whole = await rig.wire.end(rig.place, begun, card("First. Second. Third."), key="k1")

        assert (whole, shows(rig, "First. Second. Third.")) == (True, True)


@on_every_wire
async def test_a_stream_that_says_something_else_is_ended_and_can_be_edited(opened: Any) -> None:
    async with opened() as rig:
        message = await rig.wire.stream(rig.place, Begun(), "First. ", "")
        begun = Begun(message, streaming=True, shown="First. ", pieces=1)

        assert not await rig.wire.end(rig.place, begun, card("Else."), key="k1")
        await rig.wire.edit(rig.place, message, rig.wire.draw(card("Else."))[0].payload(), key="k1")
        assert shows(rig, "Else.")


@on_every_wire
async def test_what_was_ended_takes_no_more(opened: Any) -> None:
    async with opened() as rig:
        message = await rig.wire.stream(rig.place, Begun(), "First. ", "")
        begun = Begun(message, streaming=True, shown="First. ", pieces=1)
        await rig.wire.end(rig.place, begun, key="k1")
        with pytest.raises(StreamOver):
            await rig.wire.stream(rig.place, begun, "First. Second. ", "")


@on_every_wire
async def test_an_unfinished_message_is_edited_until_it_is_whole(opened: Any) -> None:
    async with opened() as rig:
        begun = rig.wire.unfinished(rig.wire.growing("Half "), "Searching")
        message = await rig.wire.post(rig.place, begun, key="k1", unfinished=True)
        more = rig.wire.unfinished(rig.wire.growing("Half a word"), "Searching")
        await rig.wire.edit(rig.place, message, more, key="k1", unfinished=True)
        await rig.wire.edit(rig.place, message, rig.wire.draw(card("Whole"))[0].payload(), key="k1")

        assert shows(rig, "Whole")
        if rig.finds:
            with pytest.raises(StreamOver):
                await rig.wire.edit(rig.place, message, more, key="k1", unfinished=True)


@on_every_wire
async def test_what_was_posted_is_found_by_its_key_where_the_platform_can_be_asked(opened: Any) -> None:
    async with opened() as rig:
        first = await posted(rig, "One", "k1/1")
        last = await posted(rig, "Two", "k1")
        other = await posted(rig, "Other", "k2")
        found = await rig.wire.find(rig.place, "k1", adopts=True, others=frozenset())

        assert found.parts == ({"k1/1": first, "k1": last} if rig.finds else {})
        assert found.taken == ({first, last, other} if rig.finds else set())


@on_every_wire
async def test_a_message_that_nobody_ended_is_found_unless_this_process_makes_it(opened: Any) -> None:
    async with opened() as rig:
        message = await rig.wire.stream(rig.place, Begun(), "First. ", "")
        found = await rig.wire.find(rig.place, "k1", adopts=True, others=frozenset())
        own = await rig.wire.find(rig.place, "k1", adopts=True, others=frozenset({message}))
        news = await rig.wire.find(rig.place, "k1", adopts=False, others=frozenset())

        assert found.unfinished == (message if rig.finds else "")
        assert (own.unfinished, news.unfinished) == ("", "")


@on_every_wire
async def test_the_person_of_a_place_is_reached_directly(opened: Any) -> None:
    async with opened() as rig:
        direct = await rig.wire.direct(rig.place)
        await rig.wire.post(direct, rig.wire.draw(card("For you"))[0].payload(), key="k1")

        assert direct.direct
        assert (await rig.wire.direct(rig.place)).line == direct.line
