"""Slack as a chat platform: homes, private places, what it says of itself, and a bad day from end to end."""

import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from adapters.cards import Button, Buttons, Card, Field, Form, Note, Text
from adapters.events import Address
from adapters.outbound.streams import MANY
from adapters.port import Sending, Unavailable, Undeliverable
from adapters.slack.address import SlackAddress
from adapters.slack.chat import LIMITS, SlackChat
from storage.clock import ScaledClock
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.adapters.waiting import until
from tests.fakes.slack.records import Message


def card(text: str) -> Card:
    return Card(blocks=(Text(text), Note("sure")), fallback=text)


async def test_news_of_what_began_with_a_command_in_a_channel_stay_in_the_direct_messages() -> None:
    async with outgoing() as desk:
        address = desk.at(desk.general, kind="command").to_json()
        await desk.chat.send(address, card("Resolved"), key="k1", sending=Sending(proactive=True))

        assert desk.seen(desk.general) == []
        (news,) = desk.seen(desk.workspace.im(desk.ada))
        assert news.ephemeral_to is None


async def test_a_home_is_published_and_the_later_one_stays() -> None:
    async with outgoing() as desk:
        address = SlackAddress(user=desk.ada.id, team=desk.workspace.team.id, kind="home").to_json()
        desk.workspace.faults.slow("views.publish", 1)
        homes = [desk.chat.publish_home(address, card(f"Home {number}")) for number in range(3)]
        await asyncio.gather(*homes)

        home = desk.workspace.homes[desk.ada.id]
        assert "Home 2" in str(home.content)
        assert home.updates == 2


async def test_a_home_with_a_hundred_tickets_is_shortened_rather_than_refused() -> None:
    async with outgoing() as desk:
        address = SlackAddress(user=desk.ada.id, team=desk.workspace.team.id, kind="home").to_json()
        rows = [Buttons((Button("Open", "ticket.show", str(number)),)) for number in range(150)]
        await desk.chat.publish_home(address, Card(blocks=tuple(rows), fallback="Many"))

        assert len(desk.workspace.homes[desk.ada.id].content["blocks"]) <= 100


async def test_in_private_is_the_persons_direct_messages_and_where_nobody_reads_along_the_same_place() -> None:
    async with outgoing() as desk:
        channel = desk.ask(desk.general)
        private = desk.chat.privately(channel.to_json())
        await desk.chat.send(private, card("For you"), key="k1")
        assert desk.seen(desk.workspace.im(desk.ada))[0].text == "For you"

        for address in (desk.ask(desk.workspace.im(desk.ada)), desk.at(desk.general, kind="command")):
            assert desk.chat.privately(address.to_json()) == address.to_json()


async def test_a_form_cannot_be_shown_unasked() -> None:
    async with outgoing() as desk:
        form = Form("draft", "d1", "n1", "Draft", "Save", "Cancel", fields=(Field("title", "Title"),))
        with pytest.raises(Undeliverable):
            await desk.chat.open_form(desk.ask(desk.general).to_json(), form)
        assert not desk.workspace.modals


async def test_an_address_of_another_platform_is_refused() -> None:
    async with outgoing() as desk:
        with pytest.raises(ValueError, match="not an address of Slack"):
            await desk.chat.send({"user": "ada", "thread": "main"}, card("Hello"), key="k1")


async def test_texts_that_nobody_ends_do_not_pile_up() -> None:
    async with outgoing(stream_after_s=3_600.0) as desk:
        address = desk.ask(desk.general).to_json()
        for number in range(MANY + 50):
            stream = await desk.chat.stream(address, key=str(number))
            await stream.status("Searching …")

        def shown() -> int:
            return sum("SlackStream._run" in repr(task) for task in asyncio.all_tasks())

        await until(lambda: shown() <= MANY)


def test_what_slack_cannot_do_is_said_in_words() -> None:
    assert set(LIMITS.notes) >= {"streams", "forms", "edits", "private_replies"}
    assert all(note.endswith(".") for note in LIMITS.notes.values())


@dataclass
class Desk:
    """What survives a crash: which answers are owed, and what the outbox knows of each."""

    slack: Outgoing
    owed: dict[str, Address]
    random: random.Random
    opened: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    attempts: Counter[str] = field(default_factory=Counter)
    done: set[str] = field(default_factory=set)

    async def live(self, chat: SlackChat) -> None:
        """Answer everything that is owed, side by side."""
        await asyncio.gather(*(self._answer(chat, key) for key in self.owed if key not in self.done))

    async def _answer(self, chat: SlackChat, key: str) -> None:
        if key not in self.begun:
            self.begun.add(key)
            await self._stream(chat, key)
        while key not in self.done:
            self.attempts[key] += 1
            sending = Sending(again=self.attempts[key] > 1 or key in self.opened, unfinished=self.opened.get(key, ""))
            try:
                await chat.send(self.owed[key], card(whole(key)), key=key, sending=sending)
            except Unavailable as later:
                await self.slack.clock.sleep(later.retry_after_s)
            else:
                self.done.add(key)

    async def _stream(self, chat: SlackChat, key: str) -> None:
        async def opened(reference: str) -> None:
            await asyncio.sleep(0.002)  # the database
            self.opened[key] = reference

        self.attempts[key] += 1  # the run: a crash in it makes the post a second attempt
        stream = await chat.stream(self.owed[key], key=key, opened=opened)
        await stream.status("Searching …")
        for sentence in whole(key).split(" "):
            await self.slack.clock.sleep(self.random.uniform(0, 1.5))
            await stream.append(f"{sentence} ")
        self.attempts[key] -= 1


def whole(key: str) -> str:
    return f"Answer {key} in full."


def words(message: Message) -> str:
    blocks = "\n".join(str(block["text"]) for block in message.blocks if block["type"] == "markdown")
    return blocks or message.text


@pytest.mark.parametrize("seed", range(4))
async def test_after_crashes_and_lost_answers_each_question_has_one_whole_answer(seed: int) -> None:
    async with outgoing(ScaledClock(60)) as slack:
        channels = [slack.workspace.add_channel(f"team{number}", (slack.ada,)) for number in range(5)]
        owed = {str(number): slack.ask(channels[number % 5]).to_json() for number in range(20)}
        desk = Desk(slack, owed, random.Random(seed))
        for _ in range(3):
            for method in ("chat.postMessage", "chat.startStream", "chat.stopStream", "chat.update"):
                slack.workspace.faults.lose_answer(method, desk.random.randint(0, 2))
            chat = slack.restarted()
            life = asyncio.create_task(desk.live(chat))
            await asyncio.wait({life}, timeout=desk.random.uniform(0.02, 0.3))
            await kill(chat, life)
        await asyncio.wait_for(desk.live(slack.restarted()), 60)

        for key, address in owed.items():
            said = slack.workspace.replies(str(address["channel"]), str(address["thread_ts"]))[1:]
            assert [words(message) for message in said] == [whole(key)]
            assert not slack.workspace.is_streaming(said[0])
        await until(lambda: all(message.metadata for channel in channels for message in slack.seen(channel)))


async def kill(chat: SlackChat, life: "asyncio.Task[None]") -> None:
    """Stop a process wherever it is: what it has sent may have arrived."""
    life.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await life
    await chat.close()
