"""Teams as a chat platform: private places, homes, what it says of itself, and a bad day from end to end."""

import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from adapters.cards import Card, Field, Form, Note, Rating, Text
from adapters.events import Address
from adapters.outbound.errors import OutcomeUnknown
from adapters.outbound.streams import MANY
from adapters.port import Gone, Sending, Unavailable, Undeliverable
from adapters.teams.address import TeamsAddress
from adapters.teams.chat import LIMITS, TeamsChat
from storage.clock import ScaledClock
from tests.adapters.teams.hearing import WORDS
from tests.adapters.teams.outgoing import Outgoing, outgoing, words
from tests.adapters.waiting import until
from tests.fakes.teams.records import Conversation, Message

POST, EDIT = "SendToConversation", "UpdateActivity"


def card(text: str) -> Card:
    return Card(blocks=(Text(text), Note("sure")), fallback=text)


def whole(key: str) -> str:
    return f"Answer {key} in full, word by word."


def answer(key: str) -> Card:
    rating = Rating(id=key, up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
    return Card(blocks=(Text(whole(key)), rating), fallback=whole(key))


def chat_of(desk: Outgoing) -> Conversation:
    return desk.organisation.chat(desk.ada)


async def test_in_private_is_the_persons_chat_and_where_nobody_reads_along_the_same_place() -> None:
    async with outgoing() as desk:
        for place in (desk.general, desk.group):
            private = desk.chat.privately(desk.ask(place).to_json())
            await desk.chat.send(private, card("For you"), key=place.id)
            assert not TeamsAddress.of(private).others_read
        alone = desk.ask().to_json()

        assert len(desk.seen()) == 2
        assert desk.chat.privately(alone) == alone


@pytest.mark.parametrize("kind", ["channel", "group"])
async def test_what_is_whispered_stands_in_the_persons_chat_and_a_line_says_so_once(kind: str) -> None:
    async with outgoing() as desk:
        place = desk.general if kind == "channel" else desk.group
        address = desk.ask(place)
        for _ in range(3):
            await desk.chat.whisper(address.to_json(), card("For you alone"), key="k1")

        assert ["For you alone" in words(message) for message in desk.seen()] == [True]
        (pointer,) = desk.seen(place)
        assert (pointer.text, pointer.root) == (
            f"<at>{desk.ada.name}</at> {WORDS.see_chat}",
            address.activity if kind == "channel" else "",
        )
        (mention,) = pointer.entities
        assert mention["mentioned"]["id"] == desk.ada.id


async def test_a_whisper_that_broke_off_goes_on_where_it_stopped() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        await desk.chat.send(desk.chat.privately(address), card("Before"), key="k0")
        sending = asyncio.create_task(desk.chat.whisper(address, card("For you"), key="k1"))
        await desk.organisation.until(lambda: len(desk.seen()) == 2)
        desk.organisation.faults.refuse(POST, 429, retry_after_s=30)
        with pytest.raises(Unavailable):
            await sending
        await desk.clock.sleep(30)
        await desk.chat.whisper(address, card("For you"), key="k1")

        assert len(desk.seen()) == 2
        assert [WORDS.see_chat in message.text for message in desk.seen(desk.general)] == [True]


async def test_what_is_whispered_where_nobody_reads_along_is_an_answer_like_any() -> None:
    async with outgoing() as desk:
        await desk.chat.whisper(desk.ask().to_json(), card("For you"), key="k1")

        assert len(desk.seen()) == 1
        assert WORDS.see_chat not in words(desk.seen()[0])


async def test_a_closed_channel_does_not_keep_a_whisper_from_its_person() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        gone = replace(address, conversation="19:gone@thread.tacv2;messageid=1")
        await desk.chat.whisper(gone.to_json(), card("For you"), key="k1")
        desk.general.with_bot = False
        await desk.chat.whisper(address.to_json(), card("For you, too"), key="k2")

        assert len(desk.seen()) == 2


async def test_whoever_shut_the_desk_out_is_told_so_where_they_asked() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        desk.organisation.chat(desk.ada).barrier = "MessageWritesBlocked"
        with pytest.raises(Gone):
            await desk.chat.whisper(address.to_json(), card("For you alone"), key="k1")

        assert [(said.text, said.root) for said in desk.seen(desk.general)] == [
            (f"<at>{desk.ada.name}</at> {WORDS.no_chat}", address.activity)
        ]


async def test_a_home_is_a_card_in_the_chat_and_edited_while_nothing_stands_below_it() -> None:
    async with outgoing() as desk:
        await desk.chat.publish_home(desk.ask(desk.general).to_json(), card("Home 0"))
        await asyncio.gather(*(desk.chat.publish_home(desk.unopened().to_json(), card(f"Home {n}")) for n in (1, 2)))

        (home,) = desk.seen()
        assert "Home 2" in words(home)
        assert desk.seen(desk.general) == []


@pytest.mark.parametrize("below", ["question", "answer"])
async def test_a_home_with_something_below_it_is_posted_anew(below: str) -> None:
    async with outgoing() as desk:
        await desk.chat.publish_home(desk.unopened().to_json(), card("Home 1"))
        if below == "question":
            desk.chat.heard(desk.ask().to_json())
        else:
            await desk.chat.send(desk.unopened().to_json(), card("Answer"), key="k1")
        await desk.chat.publish_home(desk.unopened().to_json(), card("Home 2"))

        assert "Home 2" in words(desk.seen()[-1])
        assert sum("Home" in words(message) for message in desk.seen()) == 2


async def test_a_home_that_was_taken_away_is_posted_anew() -> None:
    async with outgoing() as desk:
        await desk.chat.publish_home(desk.unopened().to_json(), card("Home 1"))
        desk.seen()[0].deleted = True
        await desk.chat.publish_home(desk.unopened().to_json(), card("Home 2"))

        assert ["Home 2" in words(message) for message in desk.seen()] == [True]


async def test_a_form_cannot_be_shown_unasked() -> None:
    async with outgoing() as desk:
        form = Form("draft", "d1", "n1", "Draft", "Save", "Cancel", fields=(Field("title", "Title"),))
        with pytest.raises(Undeliverable):
            await desk.chat.open_form(desk.ask().to_json(), form)
        assert not desk.called()


async def test_an_address_of_another_platform_is_refused() -> None:
    async with outgoing() as desk:
        with pytest.raises(ValueError, match="not an address of Teams"):
            await desk.chat.send({"user": "ada", "thread": "main"}, card("Hello"), key="k1")


async def test_texts_that_nobody_ends_do_not_pile_up() -> None:
    async with outgoing(stream_after_s=3_600.0) as desk:
        address = desk.ask().to_json()
        for number in range(MANY + 50):
            stream = await desk.chat.stream(address, key=str(number))
            await stream.status("Searching …")

        def shown() -> int:
            return sum("LiveText._run" in repr(task) for task in asyncio.all_tasks())

        await until(lambda: shown() <= MANY)


async def test_where_a_chat_is_not_open_yet_nothing_is_shown_before_the_answer() -> None:
    async with outgoing() as desk:
        stream = await desk.chat.stream(desk.unopened().to_json(), key="k1")
        await stream.status("Searching …")
        await stream.append("Half")
        await stream.close(keep=False)

        assert not desk.called()


def test_what_teams_cannot_do_is_said_in_words() -> None:
    assert set(LIMITS.notes) >= {"streams", "forms", "home", "private_replies", "exactly_once", "channels"}
    assert all(note.endswith(".") for note in LIMITS.notes.values())


@dataclass
class Desk:
    """What survives a crash: which answers are owed, and what the outbox knows of each."""

    teams: Outgoing
    owed: dict[str, Address]
    random: random.Random
    opened: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    attempts: Counter[str] = field(default_factory=Counter)
    done: set[str] = field(default_factory=set)
    underway: set[str] = field(default_factory=set)
    #: How often something may have been sent for a key whose reference never came.
    unsure: Counter[str] = field(default_factory=Counter)

    def die(self) -> None:
        """Lose what a process loses: what it had under way may have arrived."""
        self.unsure.update(self.underway - self.opened.keys() - self.done)
        self.underway.clear()

    async def live(self, chat: TeamsChat) -> None:
        """Answer everything that is owed, side by side."""
        await asyncio.gather(*(self._answer(chat, key) for key in self.owed if key not in self.done))

    async def _answer(self, chat: TeamsChat, key: str) -> None:
        if key not in self.begun:
            self.begun.add(key)
            await self._stream(chat, key)
        while key not in self.done:
            self.attempts[key] += 1
            sending = Sending(again=self.attempts[key] > 1 or key in self.opened, unfinished=self.opened.get(key, ""))
            self.underway.add(key)
            try:
                await chat.send(self.owed[key], answer(key), key=key, sending=sending)
            except Unavailable as later:
                self.unsure[key] += isinstance(later, OutcomeUnknown) and key not in self.opened
                await self.teams.clock.sleep(later.retry_after_s)
            else:
                self.done.add(key)

    async def _stream(self, chat: TeamsChat, key: str) -> None:
        async def opened(reference: str) -> None:
            await asyncio.sleep(0.002)  # the database
            self.opened[key] = reference

        self.attempts[key] += 1  # the run: a crash in it makes the post a second attempt
        stream = await chat.stream(self.owed[key], key=key, opened=opened)
        self.underway.add(key)
        await stream.status("Searching …")
        for word in whole(key).split(" "):
            await self.teams.clock.sleep(self.random.uniform(0, 1.5))
            await stream.append(f"{word} ")
        await stream.close(keep=True)
        self.unsure[key] += key not in self.opened
        self.attempts[key] -= 1


def complete(message: Message, key: str) -> bool:
    return message.text == whole(key) and (message.stream is None or message.stream.ending == "final")


@pytest.mark.parametrize("seed", range(4))
async def test_after_crashes_and_lost_answers_each_question_has_its_answer_and_most_have_one(seed: int) -> None:
    async with outgoing(ScaledClock(60)) as teams:
        places = [teams.organisation.add_channel(f"team{number}", (teams.ada, teams.ben)) for number in range(4)]
        people = [teams.organisation.add_user(f"Person {number}") for number in range(12)]
        chats = [teams.ask(user=person) for person in people]
        threads = [teams.ask(places[number % 4]) for number in range(8)]
        owed = {str(number): each.to_json() for number, each in enumerate(chats + threads)}
        desk = Desk(teams, owed, random.Random(seed))
        for _ in range(3):
            for method in (POST, EDIT):
                teams.organisation.faults.lose_answer(method, desk.random.randint(0, 2))
            chat = teams.restarted()
            await chat.members(owed["0"])  # logs in
            life = asyncio.create_task(desk.live(chat))
            await asyncio.wait({life}, timeout=desk.random.uniform(0.05, 0.4))
            await kill(chat, life)
            desk.die()
        await asyncio.wait_for(desk.live(teams.restarted()), 60)

        for key, address in owed.items():
            messages = standing(teams, TeamsAddress.of(address))
            assert any(complete(message, key) for message in messages)
            assert len(messages) <= 1 + desk.unsure[key]


def standing(teams: Outgoing, to: TeamsAddress) -> list[Message]:
    """Return what stands of the desk in the place of an address."""
    messages = teams.organisation.standing(to.conversation.partition(";")[0])
    return [each for each in messages if each.sender == teams.organisation.bot.id and each.root in {"", to.activity}]


async def kill(chat: TeamsChat, life: "asyncio.Task[None]") -> None:
    """Stop a process wherever it is: what it has sent may have arrived."""
    life.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await life
    await chat.close()
