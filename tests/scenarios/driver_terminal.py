"""Terminals of one desk: lines are typed when the prompt asks, and what is printed is what is seen.

What was printed between two prompts counts as one message. Each conversation is a session of its own.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from adapters.cards import Card, Form
from adapters.events import Account, Address, File
from adapters.port import ANSWER, Members, Opened, Receive, Sending, Stream
from adapters.terminal.chat import TerminalChat
from adapters.terminal.drawing import Style
from adapters.terminal.form import LEAVE_FORM
from bot.compose.desk import Desk
from bot.conversation.people import own_account
from tests.scenarios.platforms import Choice, OpenForm, Place, Seen
from tests.scenarios.stage import Setting, Stage

_CHOICE = re.compile(r" +(\d+)\) (.*)")
_ADDRESS = re.compile(r"https?://\S+")
_PROMPT = re.compile(r"(?P<label>.+?)\*?(?: \[(?P<value>.*)\])?: ", re.DOTALL)
READY = "> "


@asynccontextmanager
async def open_terminal(setting: Setting) -> AsyncIterator[Stage]:
    """Run a desk with terminals."""
    terminals = Terminals()
    async with AsyncExitStack() as stack:
        desk = await stack.enter_async_context(setting.desk())
        desk.also_serve(terminals)
        await stack.enter_async_context(desk.running(beside=True))
        driver = TerminalDriver(desk, terminals)
        stack.push_async_callback(driver.close)
        yield Stage(desk, driver, setting.clock)


@dataclass
class Session:
    """One person at one terminal."""

    person: str
    typed: deque[str] = field(default_factory=deque)
    screen: list[list[tuple[str, Style]]] = field(default_factory=lambda: [[]])
    prompt: str = ""  # what the terminal asks for, while it waits
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    _given: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, prompt: str) -> str | None:
        """Be the keyboard: return the next line once it is typed."""
        self._turn_over()
        while not self.typed:
            self.prompt = prompt
            self.asked.set()
            self._given.clear()
            await self._given.wait()
        self.asked.clear()
        self.prompt = ""
        self._turn_over()
        return self.typed.popleft()

    def write(self, text: str, style: Style) -> None:
        """Be the screen."""
        self.screen[-1].append((text, style))

    def type(self, *lines: str) -> None:
        """Type lines and press Enter after each."""
        self.typed.extend(lines)
        self.asked.clear()
        self._given.set()

    def seen(self) -> list[Seen]:
        """Return what was printed, turn by turn."""
        return [_seen(lines) for lines in self.screen if lines]

    def _turn_over(self) -> None:
        if self.screen[-1]:
            self.screen.append([])


def _seen(lines: Sequence[tuple[str, Style]]) -> Seen:
    found = [(text, _CHOICE.fullmatch(text)) for text, style in lines if style != "status"]
    choices = [Choice(match[2], match[1]) for _, match in found if match]
    text = "\n".join(match[2] if match else text for text, match in found).strip()
    return Seen(text, tuple(choices), tuple(_ADDRESS.findall(text)))


class Terminals:
    """All terminals of a desk as one chat: each card goes to the session that its address names."""

    name = TerminalChat.name
    limits = TerminalChat.limits

    def __init__(self) -> None:
        self.sessions: dict[str, TerminalChat] = {}

    def at(self, address: Address) -> TerminalChat:
        """Return the terminal of an address."""
        return self.sessions[str(address["session"])]

    async def identify(self, account: Account, address: Address) -> Account:
        del address
        return account

    def privately(self, address: Address) -> Address:
        return address

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return None: there are no channels."""
        del address
        return None

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        return self.channel(address)

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        return await self.at(address).send(address, card, key=key, sending=sending)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        await self.at(address).whisper(address, card, key=key)

    async def update(self, address: Address, reference: str, card: Card) -> None:
        await self.at(address).update(address, reference, card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> Stream:
        return await self.at(address).stream(address, key=key, opened=opened)

    async def open_form(self, address: Address, form: Form) -> None:
        await self.at(address).open_form(address, form)

    async def publish_home(self, address: Address, card: Card) -> None:
        await self.at(address).publish_home(address, card)

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        return await self.at(address).fetch(address, file, at_most=at_most)

    async def members(self, address: Address) -> Members:
        return await self.at(address).members(address)


@dataclass
class TerminalForm:
    """A form that is asked field by field; `answered` are the values that it was given so far."""

    session: Session
    title: str
    values: Mapping[str, str] = field(default_factory=dict)

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Answer every field that is asked for; what is asked for a second time was wrong."""
        self.values = {**self.values, **values}
        answered: set[str] = set()
        while (label := label_asked(self.session)) is not None:
            if label in answered:
                return {label: self._complaint(label)}
            answered.add(label)
            self.session.type(self.values.get(label, ""))
            await self.session.asked.wait()
        return {}

    def _complaint(self, label: str) -> str:
        lines = [text for turn in self.session.screen[-2:] for text, style in turn if style == "error"]
        return lines[-1].removeprefix(f"{label}: ") if lines else self.session.prompt


def label_asked(session: Session) -> str | None:
    """Return the label of the field that a terminal asks for; None when it asks for the next line."""
    found = _PROMPT.fullmatch(session.prompt)
    return None if found is None or session.prompt == READY else found["label"]


class TerminalDriver:
    """People at their terminals."""

    limits = TerminalChat.limits

    def __init__(self, desk: Desk, terminals: Terminals) -> None:
        self._desk = desk
        self._terminals = terminals
        self._sessions: dict[tuple[str, Place], Session] = {}
        self._running: list[asyncio.Task[None]] = []

    async def close(self) -> None:
        """Hang up."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        del addressed, deliveries
        await self._type(person, place, f'"{text}"' if text.isdecimal() else text)

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        await self._type(person, place, *[str(choice.handle)] * times)

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        session = await self._type(person, place, str(choice.handle))
        await session.asked.wait()
        assert label_asked(session) is not None, session.screen[-2:]
        heading = [text for turn in session.screen for text, style in turn if style == "heading"][-1]
        return TerminalForm(session, title=heading)

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        await self._type(person, place, str(choice.handle), *[reason] * bool(reason))

    async def command(self, person: str, line: str) -> None:
        await self.say(person, f"/desk {line}", self.commands(person))

    def commands(self, person: str) -> Place:
        del person
        return Place("commands")

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        return (await self._session(person, place)).seen()

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        session = await self._session(person, place)
        return [text for turn in session.screen for text, style in turn if style == "status"]

    async def open_home(self, person: str) -> None:
        raise NotImplementedError(person)

    def home(self, person: str) -> Seen:
        raise NotImplementedError(person)

    async def shared(self, *people: str) -> Place:
        raise NotImplementedError(people)

    async def idle(self) -> bool:
        return all(session.asked.is_set() for session in self._sessions.values())

    async def _type(self, person: str, place: Place, *lines: str) -> Session:
        session = await self._session(person, place)
        if label_asked(session) is not None:
            session.type(LEAVE_FORM, *lines)
        else:
            session.type(*lines)
        return session

    async def _session(self, person: str, place: Place) -> Session:
        if (person, place) not in self._sessions:
            session = self._sessions[person, place] = Session(person)
            account = own_account(TerminalChat.name, await self._desk.directory.person(person))
            terminal = TerminalChat(account, read=session.read, write=session.write, settle_s=0)
            self._terminals.sessions[str(terminal.address["session"])] = terminal
            receive: Receive = self._desk.inbox.receive
            self._running.append(asyncio.create_task(terminal.run(receive, prompt=READY)))
            await session.asked.wait()
        return self._sessions[person, place]
