"""The recording fake as a platform: what a person does becomes events, what they see is read off its cards."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import assert_never

from adapters.cards import Button, Card, Form, Sources
from adapters.events import (
    Event,
    Feedback,
    File,
    FormSubmit,
    HomeOpened,
    Inbound,
    Message,
    Press,
    Withdrawn,
    withdrawal_of,
)
from adapters.memory import MemoryChat
from adapters.port import InvalidForm
from adapters.terminal.drawing import Choice as Drawn
from adapters.terminal.drawing import Say, TerminalRating, draw
from tests.scenarios.platforms import MAIN, Choice, OpenForm, Place, Seen
from tests.scenarios.stage import Setting, Stage
from tests.scenarios.world import ACCOUNTS, account

#: Somebody of another company, and somebody who says that Ben's address is hers.
EVE = replace(account("eve"), tenant="elsewhere", kind="external")
UMA = replace(account("ben", verified=False), user="uma", name="Uma")


@asynccontextmanager
async def open_memory(setting: Setting) -> AsyncIterator[Stage]:
    """Run a desk on the recording fake."""
    chat = MemoryChat(people=(*ACCOUNTS, EVE, UMA))
    async with setting.desk(memory=chat) as desk, desk.running():
        chat.connect(desk.inbox.receive)
        yield Stage(desk, MemoryDriver(chat), setting.clock)


@dataclass
class MemoryForm:
    """A form as the fake keeps it."""

    driver: "MemoryDriver"
    person: str
    place: Place
    form: Form

    def __post_init__(self) -> None:
        self.title = self.form.title
        self.values: Mapping[str, str] = {each.label: each.value for each in self.form.fields}

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        self.values = {**self.values, **values}
        by_name = {each.name: self.values[each.label] for each in self.form.fields}
        event = self.driver.event(self.person, self.place)
        form = self.form
        receipt = await self.driver.chat.deliver(
            FormSubmit(**vars(event), form=form.form, id=form.id, nonce=form.nonce, values=by_name)
        )
        wrong = receipt.errors if isinstance(receipt, InvalidForm) else {}
        return {each.label: wrong[each.name] for each in form.fields if each.name in wrong}


class MemoryDriver:
    """People at the recording fake."""

    def __init__(self, chat: MemoryChat) -> None:
        self.chat = chat
        self.limits = chat.limits
        self._channels: dict[str, tuple[Sequence[str], bool]] = {}
        self._events = itertools.count(1)
        self._begun: set[Place] = set()  # where somebody has written
        self._sent: dict[tuple[str, Place], Message] = {}  # with files, the newest

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        event = self.event(person, place)
        overheard = not addressed and place not in self._begun
        self._begun.add(place)
        message = Message(**vars(event), text=text, addressed=addressed, overheard=overheard, private=not place.channel)
        for _ in range(deliveries):
            await self.chat.deliver(message)

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place, *, text: str = "", deliveries: int = 1
    ) -> None:
        event = self.event(person, place)
        self.chat.files[event.event_id] = content
        file = File(name=name, reference={"id": event.event_id}, size=len(content))
        message = Message(**vars(event), text=text, private=not place.channel, files=(file,))
        self._sent[person, place] = message
        for _ in range(deliveries):
            await self.chat.deliver(message)

    async def delete(self, person: str, place: Place) -> None:
        event, sent = self.event(person, place), self._sent[person, place].event_id
        await self.chat.deliver(Withdrawn(**{**vars(event), "event_id": withdrawal_of(sent)}, message=sent))

    async def drop_files(self, person: str, place: Place) -> None:
        event, sent = self.event(person, place), self._sent[person, place].event_id
        await self.chat.deliver(Withdrawn(**vars(event), message=sent))

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        if isinstance(choice.handle, Say):
            await self.say(person, choice.handle.text, place)
            return
        await asyncio.gather(*(self._press(person, choice, place) for _ in range(times)))

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        before = len(self.chat.forms)
        await self._press(person, choice, place)
        ((_, form),) = self.chat.forms[before:]
        return MemoryForm(self, person, place, form)

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        assert isinstance(choice.handle, TerminalRating)
        answer, verdict = choice.handle.rating.id, choice.handle.verdict
        await self.chat.deliver(Feedback(**vars(self.event(person, place)), id=answer, verdict=verdict))
        if reason:
            event = self.event(person, place)
            await self.chat.deliver(Feedback(**vars(event), id=answer, verdict=verdict, reason=reason))

    async def command(self, person: str, line: str) -> None:
        await self.say(person, f"/desk {line}", self.commands(person))

    def commands(self, person: str) -> Place:
        del person
        return Place("commands")

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        thread, shared = self._thread(place), bool(place.channel)
        told = [(posted.address, posted.card) for posted in self.chat.posted()]
        here = [
            (address, card)
            for address, card in told
            if address.get("thread") == thread and bool(address.get("members")) is shared
        ]
        shown = [card for address, card in here if shared or address.get("user") == person]
        whispered = [(address, card) for address, card in self.chat.whispers if address.get("thread") == thread]
        shown += [card for address, card in whispered if shared and address.get("user") == person]
        return [seen_on(card) for card in shown]

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        mine = (self._thread(place), person)
        here = [each for each in self.chat.posted() if (each.address.get("thread"), each.address.get("user")) == mine]
        return [said for posted in here for said in (*posted.statuses, *posted.pieces)]

    async def open_home(self, person: str) -> None:
        await self.chat.deliver(HomeOpened(**vars(self.event(person, MAIN))))

    def home(self, person: str) -> Seen:
        return seen_on(self.chat.homes[person])

    async def channel(self, *people: str, private: bool = True) -> Place:
        name = f"channel{len(self._channels)}"
        self._channels[name] = (people, not private)
        return Place("main", channel=name)

    async def begun(self, person: str, place: Place) -> Sequence[Seen]:
        del person
        begun = f"{self._thread(place)}#new"
        return [seen_on(each.card) for each in self.chat.posted() if each.address.get("thread") == begun]

    def alone(self, person: str, place: Place) -> Place:
        del person
        return Place(self._thread(place))

    async def shared(self, *people: str) -> Place:
        return await self.channel(*people)

    async def idle(self) -> bool:
        return True

    def event(self, person: str, place: Place) -> Event:
        """Return an event of its own id."""
        thread = self._thread(place)
        people, is_open = self._channels.get(place.channel, ((), False))
        address = {**self.chat.address(person, thread=thread, members=people), "open": is_open}
        return Event(
            event_id=f"memory-{next(self._events)}",
            account=self.chat.people[person],
            address=address,
            thread=f"memory:{place.channel or person}:{thread}",
            received_at=datetime.now(UTC),
        )

    async def _press(self, person: str, choice: Choice, place: Place) -> None:
        button = choice.handle
        assert isinstance(button, Button)
        event: Inbound = Press(
            **vars(self.event(person, place)),
            action=button.action,
            id=button.id,
            nonce=button.nonce,
            private=not place.channel,
        )
        await self.chat.deliver(event)

    @staticmethod
    def _thread(place: Place) -> str:
        return f"{place.channel}/{place.name}" if place.channel else place.name


def seen_on(card: Card) -> Seen:
    """Return what a reader sees on a card, drawn line by line as a terminal would."""
    offered: list[Drawn] = []

    def offer(choice: Drawn) -> int:
        offered.append(choice)
        return len(offered)

    lines = [line.text for line in draw(card, offer)]
    links = tuple(item.url for block in card.blocks if isinstance(block, Sources) for item in block.items)
    return Seen("\n".join(lines), tuple(Choice(_label(choice), choice) for choice in offered), links)


def _label(choice: Drawn) -> str:
    match choice:
        case Button(label=label):
            return label
        case Say(text=text):
            return text
        case TerminalRating(rating=rating, verdict=verdict):
            return rating.up if verdict == "up" else rating.down
        case _:
            assert_never(choice)
