"""Each chat platform with the eyes of its reader, for the contract suite."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from adapters.cards import Card
from adapters.events import Account, Address, Inbound
from adapters.memory import MemoryChat
from adapters.port import Accepted, Chat, Receipt
from adapters.terminal.chat import TerminalChat
from adapters.terminal.drawing import Style
from adapters.web.chat import WebChat
from adapters.web.files import WebFiles
from adapters.web.hub import Hub
from adapters.web.transcript import HOME, MemoryTranscript, TranscriptPlace
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.adapters.teams import outgoing as teams

ADA = Account(platform="test", tenant="home", user="ada", name="Ada", email="ada@example.org", email_verified=True)


class Reader(Protocol):
    """What somebody who looks at the platform sees; `account` is theirs as an event names it."""

    chat: Chat
    address: Address
    account: Account

    async def messages(self) -> Sequence[str]:
        """Return the text of every message on the screen, oldest first."""
        ...

    async def forms(self) -> Sequence[str]:
        """Return the titles of the forms that were put before the person."""
        ...

    async def home(self) -> str:
        """Return the text of the home, or nothing."""
        ...


class MemoryReader:
    def __init__(self) -> None:
        self.memory = MemoryChat(people=[ADA])
        self.chat: Chat = self.memory
        self.address = self.memory.address("ada")
        self.account = ADA

    async def messages(self) -> Sequence[str]:
        posted = [posted.card.fallback for posted in self.memory.posted(self.address)]
        return posted + [card.fallback for _, card in self.memory.whispers]

    async def forms(self) -> Sequence[str]:
        return [form.title for _, form in self.memory.forms]

    async def home(self) -> str:
        return self.memory.homes["ada"].fallback if self.memory.homes else ""


class TerminalReader:
    """Its screen is what was written; a blank line begins a message."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.terminal = TerminalChat(ADA, read=self._read, write=self._write, settle_s=0)
        self.chat: Chat = self.terminal
        self.address = self.terminal.address
        self.account = ADA

    async def messages(self) -> Sequence[str]:
        texts: list[str] = []
        for line in self.lines:
            if not line:
                texts.append("")
            elif texts:
                texts[-1] = f"{texts[-1]}\n{line}" if texts[-1] else line
        return texts

    async def forms(self) -> Sequence[str]:
        self.lines.clear()
        await self.terminal.run(_nobody)
        return [line for line in self.lines if line and not line.startswith("(")]

    async def home(self) -> str:
        return self.lines[-1] if self.lines else ""

    async def _read(self, _prompt: str) -> str | None:
        return None

    def _write(self, text: str, _style: Style) -> None:
        self.lines.append(text)


class WebReader:
    """Reads the transcript, as an open page does."""

    def __init__(self, folder: Path) -> None:
        self.files = WebFiles(folder)
        self.transcript = MemoryTranscript()
        self.hub = Hub()
        self.place = TranscriptPlace(user="ada", thread="main")
        self.chat: Chat = WebChat(self.transcript, self.hub, account_of=_account_of, files=self.files)
        self.address: Address = self.place.address()
        self.account = ADA
        self._reading = self.hub.reading(self.place)
        self._page = self._reading.__enter__()

    async def messages(self) -> Sequence[str]:
        return [_fallback(entry.content) for entry in await self.transcript.recent(self.place)]

    async def forms(self) -> Sequence[str]:
        return [form.title for form in self._page.forms]

    async def home(self) -> str:
        entries = await self.transcript.recent(TranscriptPlace(user="ada", thread=HOME))
        return _fallback(entries[-1].content) if entries else ""


class SlackReader:
    """Reads a direct message with the desk, in a thread that somebody began."""

    def __init__(self, desk: Outgoing) -> None:
        self.desk = desk
        self.im = desk.workspace.im(desk.ada)
        self.chat: Chat = desk.chat
        self.address = desk.ask(self.im).to_json()
        self.account = Account(platform="slack", tenant=desk.workspace.team.id, user=desk.ada.id, name=desk.ada.id)

    async def messages(self) -> Sequence[str]:
        return [_written(message.blocks) or message.text for message in self.desk.seen(self.im)]

    async def forms(self) -> Sequence[str]:
        return [view.content["title"]["text"] for view in self.desk.workspace.modals.get(self.desk.ada.id, [])]

    async def home(self) -> str:
        home = self.desk.workspace.homes.get(self.desk.ada.id)
        return "" if home is None else _written(home.content["blocks"])


class TeamsReader:
    """Reads somebody's chat with the desk."""

    def __init__(self, desk: teams.Outgoing) -> None:
        self.desk = desk
        self.chat: Chat = desk.chat
        address = desk.ask()
        self.address = address.to_json()
        self.account = Account(platform="teams", tenant=address.tenant, user=address.person, name=address.name)

    async def messages(self) -> Sequence[str]:
        return [message.text or message.summary for message in self.desk.seen()]

    async def forms(self) -> Sequence[str]:
        return []

    async def home(self) -> str:
        seen = await self.messages()
        return seen[-1] if seen else ""


def _written(blocks: Sequence[Mapping[str, Any]]) -> str:
    """Return what stands in blocks of text."""
    texts = (block.get("text", "") for block in blocks)
    return "\n".join(text if isinstance(text, str) else text["text"] for text in texts)


def _fallback(content: str | Card) -> str:
    return content if isinstance(content, str) else content.fallback


async def _nobody(_event: Inbound) -> Receipt:
    return Accepted()


async def _account_of(user: str) -> Account | None:
    return ADA if user == ADA.user else None


@asynccontextmanager
async def open_memory(_folder: Path) -> AsyncIterator[Reader]:
    yield MemoryReader()


@asynccontextmanager
async def open_terminal(_folder: Path) -> AsyncIterator[Reader]:
    yield TerminalReader()


@asynccontextmanager
async def open_web(folder: Path) -> AsyncIterator[Reader]:
    yield WebReader(folder)


@asynccontextmanager
async def open_slack(_folder: Path) -> AsyncIterator[Reader]:
    async with outgoing() as desk:
        yield SlackReader(desk)


@asynccontextmanager
async def open_teams(_folder: Path) -> AsyncIterator[Reader]:
    async with teams.outgoing() as desk:
        yield TeamsReader(desk)


#: Every platform with how it is opened for a reader, in an empty folder.
READERS: Mapping[str, Callable[[Path], AbstractAsyncContextManager[Reader]]] = {
    "memory": open_memory,
    "slack": open_slack,
    "teams": open_teams,
    "terminal": open_terminal,
    "web": open_web,
}
