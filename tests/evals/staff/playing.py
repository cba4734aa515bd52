"""Plays conversations on a desk of their own, through the inbox and back, and keeps what a person read."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from adapters.cards import Button, Buttons
from adapters.events import Account
from adapters.memory import MemoryChat
from adapters.terminal.drawing import draw
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from identity.actor import local_operator
from storage.clock import SystemClock
from tests.evals.staff.cases import Conversation, Turn

#: News of a minute are told together: this much later all of them are out.
NEWS_S = 61.0
_NUMBER = re.compile(r"\b[A-Z]{2,10}-\d{4}-\d+\b")


@dataclass(frozen=True)
class Seen:
    """What came of one turn: what was newly shown, and how the run ended; "" where none ran."""

    text: str
    ends: str

    @property
    def number(self) -> str:
        """Return the number of a ticket that stands in it last; "" for none."""
        return next(iter(_NUMBER.findall(self.text)[::-1]), "")


class _Clock(SystemClock):
    """The machine's time, put forward so that nobody waits for news."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """Return the time with what it was put forward."""
        return super().now() + self._ahead

    def skip(self, seconds: float) -> None:
        """Put it forward."""
        self._ahead += timedelta(seconds=seconds)


@dataclass
class Stage:
    """A desk that knows a company's pages, and its people in a chat."""

    desk: Desk
    chat: MemoryChat
    clock: _Clock

    async def play(self, conversation: Conversation, *, thread: str) -> tuple[Seen, ...]:
        """Play a conversation in a thread of its own and return what came of every turn."""
        seen: list[Seen] = []
        number = ""
        for turn in conversation.turns:
            seen.append(await self._turn(turn, turn.by or conversation.by, thread, number))
            number = seen[-1].number or number
        return tuple(seen)

    async def _turn(self, turn: Turn, person: str, thread: str, number: str) -> Seen:
        if turn.by:
            thread = f"{thread} {turn.by}"
        before = self._shown(person, thread)
        if turn.press:
            button = self._button(person, thread, turn.press)
            if button is None:
                return Seen("", "no such button")
            await self.chat.press(person, button, thread=thread)
        else:
            await self.chat.say(person, turn.say.replace("{ticket}", number), thread=thread)
        await self._settle()
        now = self._shown(person, thread)
        return Seen("\n".join(text for at, text in now.items() if before.get(at) != text), await self._ended())

    async def _settle(self) -> None:
        for _ in range(2):
            await self.desk.inbox.drain()
            while await self.desk.outbox.drain_once():
                pass
            self.clock.skip(NEWS_S)

    def _shown(self, person: str, thread: str) -> dict[str, str]:
        posts = self.chat.posted(self.chat.address(person, thread=thread))
        return {each.reference: "\n".join(line.text for line in draw(each.card, lambda _: 0)) for each in posts}

    def _button(self, person: str, thread: str, label: str) -> Button | None:
        posts = self.chat.posted(self.chat.address(person, thread=thread))
        blocks = (block for each in reversed(posts) for block in each.card.blocks if isinstance(block, Buttons))
        items = (item for block in blocks for item in block.items)
        return next((item for item in items if isinstance(item, Button) and item.label == label), None)

    async def _ended(self) -> str:
        runs = await self.desk.runs.list(local_operator(), everybody=True, limit=1)
        return str(runs[0].outcome or "") if runs else ""


@asynccontextmanager
async def stage(home: Path, *, pages: Sequence[Path], people: Path, **settings: Any) -> AsyncIterator[Stage]:
    """Build a desk in a folder, index the pages, vectors included, and let the people in."""
    read = load(home=home, people_file=people, database_url="", redis_url="", model="rules", **settings)
    known = yaml.safe_load(await asyncio.to_thread(people.read_text, encoding="utf-8"))["people"]
    chat = MemoryChat(people=[_account(each) for each in known])
    clock = _Clock()
    async with await compose(read, clock=clock, chats={chat.name: chat}) as desk:
        chat.connect(desk.inbox.receive)
        for folder in pages:
            await desk.search.add_folder(local_operator(), folder, allow=("staff",))
        await desk.search.embed_pending()
        yield Stage(desk, chat, clock)


def _account(person: dict[str, Any]) -> Account:
    return Account(
        platform=MemoryChat().name,
        tenant="eval",
        user=str(person["id"]),
        name=str(person["name"]),
        email=str(person["email"]),
        email_verified=True,
    )
