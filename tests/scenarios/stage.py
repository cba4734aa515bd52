"""A desk, a platform before it, and the people at it: what every scenario plays on."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from adapters.port import Chat
from agent.brains.assistant import Brain
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.compose.features import FEATURES
from bot.delivery.news.telling import NEWS, TOGETHER
from features.anatomy.feature import Build
from identity.actor import local_operator
from search.embedding.memory import HashEmbedder
from storage.clock import SystemClock
from storage.database import Database
from storage.queue.tables import QueueTable
from tests.desks.house import serving
from tests.fakes.not_shown import NotShown
from tests.scenarios.platforms import (
    MAIN,
    Driver,
    DroppingFiles,
    Glimpsing,
    InChannels,
    OpenForm,
    Place,
    Seen,
    WithFiles,
    WithWithdrawals,
    together,
)
from tests.scenarios.slow_brain import slow_brain
from tests.scenarios.world import PAGES, settings_in, write_pages

#: Real seconds after which the desk counts as stuck, and between two looks at whether it is done.
PATIENCE_S, LOOK_S = 60.0, 0.02
#: How many events are not worked off, and how many posts are not out.
OPEN = text("SELECT count(*) FROM storage_queue WHERE state = 'open' AND topic NOT LIKE 'job:%'")
#: The pages of `world`, one that everybody may read, and more in Chinese.
SHELF = {
    **PAGES,
    "sales.md": "---\naccess:\n  allow: [unit:sales]\n---\n\n# Sales targets\n\n## Northern region\n\n"
    "The target of the northern region is 512 crates a week.\n",
    "zh/sales.md": "---\naccess:\n  allow: [unit:sales]\n---\n\n# 销售目标\n\n## 北区\n\n北区的目标是每周 512 箱。\n",
    "visit/.access.yaml": "allow: [public]\n",
    "visit/parking.md": "# Parking\n\nVisitors park on deck 4.\n",
    "zh/vpn.md": PAGES["zh/vpn.md"] + "\n## 安装客户端\n\n打开软件中心，安装 Tidegate 客户端。\n",
}


class MovableClock(SystemClock):
    """The machine's time, which can be put forward: whoever sleeps past the new time wakes up."""

    def __init__(self) -> None:
        self._ahead = timedelta()
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return super().now() + self._ahead

    def monotonic(self) -> float:
        return super().monotonic() + self._ahead.total_seconds()

    async def sleep(self, seconds: float) -> None:
        until = self.monotonic() + seconds
        await asyncio.sleep(0)
        while (left := until - self.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._moved.wait()

    def skip(self, seconds: float) -> None:
        """Put the clock forward; only while nothing happens."""
        self._ahead += timedelta(seconds=seconds)
        self._moved.set()
        self._moved = asyncio.Event()


@dataclass(frozen=True)
class Setting:
    """What a platform's opener is given: where, on which database, and what is set differently."""

    home: Path
    database: Database
    clock: MovableClock
    settings: Mapping[str, Any]
    think_s: float = 0.0  # seconds that each step of the brain takes
    brain: Brain | None = None  # another than the rules
    features: Sequence[Build] = FEATURES
    replicas: int = 1  # of the desk, behind one database

    @asynccontextmanager
    async def desk(self, **chats: Chat) -> AsyncIterator[Desk]:
        """Compose a desk with documents; whoever asked for it starts its workers."""
        read = await asyncio.to_thread(settings_in, self.home, database=self.database, **self.settings)
        made = await compose(
            read,
            clock=self.clock,
            database=self.database,
            embedder=HashEmbedder(),
            chats=chats,
            brain=slow_brain(self.clock, self.think_s) if self.think_s else self.brain,
            features=self.features,
        )
        async with made as desk:
            folder = await asyncio.to_thread(write_pages, self.home / "pages", SHELF)
            await desk.search.add_folder(local_operator(), folder)
            await desk.search.embed_pending()
            yield desk

    @asynccontextmanager
    async def served(self, port: int) -> AsyncIterator[Sequence[Desk]]:
        """Serve the desk at a port, and its other replicas where nothing is delivered; yield them in this order."""
        async with AsyncExitStack() as stack:
            desks = [await stack.enter_async_context(self.desk()) for _ in range(self.replicas)]
            for at, desk in enumerate(desks):
                await stack.enter_async_context(serving(desk, 0 if at else port))
            yield desks


@dataclass
class Stage:
    """What a scenario is told with; each method returns what the person was newly shown."""

    desk: Desk
    driver: Driver
    clock: MovableClock
    hurries: bool = True  # whether what is told together after a minute is waited for
    pause_s: float = 0.0  # passes before each act, where a platform holds haste against the desk
    others: Sequence[Desk] = ()  # further processes of the same desk, which nothing is delivered to

    async def say(
        self, person: str, text: str, place: Place = MAIN, *, addressed: bool = True, deliveries: int = 1
    ) -> Seen:
        """Write, and return what is newly shown."""
        before = await self._in_sight(person, place)
        await self.driver.say(person, text, place, addressed=addressed, deliveries=deliveries)
        return await self._news(person, before)

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place = MAIN, *, text: str = "", deliveries: int = 1
    ) -> Seen:
        """Send a file, and return what is newly shown."""
        assert isinstance(self.driver, WithFiles)
        before = await self._in_sight(person, place)
        await self.driver.send_file(person, name, content, place, text=text, deliveries=deliveries)
        return await self._news(person, before)

    async def withdraw(self, person: str, place: Place = MAIN, *, words_stay: bool = False) -> Seen:
        """Take away the newest message with a file, or the file out of it; return what is newly shown."""
        before = await self._in_sight(person, place)
        if words_stay:
            assert isinstance(self.driver, DroppingFiles)
            await self.driver.drop_files(person, place)
        else:
            assert isinstance(self.driver, WithWithdrawals)
            await self.driver.delete(person, place)
        return await self._news(person, before)

    async def press(self, person: str, seen: Seen, label: str, place: Place = MAIN, *, times: int = 1) -> Seen:
        """Press what was seen, and return what is newly shown."""
        before = await self._in_sight(person, place)
        await self.driver.press(person, seen.choice(label), place, times=times)
        return await self._news(person, before)

    async def open(self, person: str, seen: Seen, label: str, place: Place = MAIN) -> OpenForm:
        """Press what opens a form; once more where the machine was too busy to know in time who had pressed."""
        try:
            return await self.driver.open(person, seen.choice(label), place)
        except NotShown:
            return await self.driver.open(person, seen.choice(label), place)

    async def fill(self, person: str, seen: Seen, label: str, values: Mapping[str, str], place: Place = MAIN) -> Seen:
        """Open a form, send it with these values, and return what is newly shown; it has to be taken."""
        before = await self._in_sight(person, place)
        form = await self.open(person, seen, label, place)
        assert not await form.send(values)
        return await self._news(person, before)

    async def command(self, person: str, line: str) -> Seen:
        """Enter a command and return what is newly shown."""
        place = self.driver.commands(person)
        before = await self.read(person, place)
        await self.driver.command(person, line)
        return await self.news(person, place, before=before)

    async def read(self, person: str, place: Place = MAIN) -> Sequence[Seen]:
        """Return what a person sees in a conversation, once nothing moves."""
        await self.settle()
        self.clock.skip(self.pause_s)
        return await self.driver.read(person, place)

    async def news(self, person: str, place: Place = MAIN, *, before: Sequence[Seen]) -> Seen:
        """Return what is new or changed since `before`, as one."""
        now = await self.read(person, place)
        return together([each for at, each in enumerate(now) if at >= len(before) or before[at] != each])

    @property
    def channels(self) -> InChannels:
        """Return what can be done where several people read along."""
        assert isinstance(self.driver, InChannels)
        return self.driver

    async def glimpses(self, person: str, place: Place = MAIN) -> Sequence[str]:
        """Return what a person saw of messages before they were finished."""
        assert isinstance(self.driver, Glimpsing)
        return await self.driver.glimpses(person, place)

    async def rate(self, person: str, seen: Seen, label: str, place: Place = MAIN, *, reason: str = "") -> None:
        """Judge an answer by one of its two buttons, with a reason when asked for one."""
        await self.settle()
        await self.driver.rate(person, seen.choice(label), place, reason=reason)
        await self.settle()

    async def home(self, person: str) -> Seen:
        """Open a person's home."""
        await self.settle()
        await self.driver.open_home(person)
        await self.settle()
        return self.driver.home(person)

    async def delivered(self) -> None:
        """Wait until the desk has taken in what people did, whether or not it has begun to work on it."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.driver.idle():  # noqa: ASYNC110 - what is waited for is spread over many parts
                await asyncio.sleep(LOOK_S)

    async def settle(self) -> None:
        """Wait until nothing is on its way any more: in, in work, and out."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self._still():  # noqa: ASYNC110 - what is looked at is a database
                await asyncio.sleep(LOOK_S)

    async def _in_sight(self, person: str, place: Place) -> Mapping[Place, Sequence[Seen]]:
        """Return what stands in a conversation, and where the desk says to this person alone what is about it."""
        alone = (self.channels.alone(person, place),) if place.channel else ()
        return {each: await self.read(person, each) for each in (place, *alone)}

    async def _news(self, person: str, before: Mapping[Place, Sequence[Seen]]) -> Seen:
        return together([await self.news(person, place, before=stood) for place, stood in before.items()])

    async def _still(self) -> bool:
        return await self._nothing_to_do() and await self.driver.idle() and await self._nothing_to_do()

    async def _nothing_to_do(self) -> bool:
        """Look; news that wait for others of the same minute are told, those of quiet hours are let wait."""
        open_ = (QueueTable.state == "open", QueueTable.topic.not_like("job:%"))
        async with self.desk.database.reading() as session:
            query = select(QueueTable.topic, QueueTable.not_before, QueueTable.line).where(*open_)
            rows = (await session.execute(query)).all()
        now = self.clock.now()
        left = {line: (at - now).total_seconds() for topic, at, line in rows if topic == NEWS and at > now}
        if not rows:
            return True
        if sum(topic == NEWS and line in left for topic, _, line in rows) < len(rows):
            return False
        if min(left.values()) > TOGETHER.total_seconds() or not self.hurries:
            return True
        self.clock.skip(min(left.values()) + 0.1)
        return False
