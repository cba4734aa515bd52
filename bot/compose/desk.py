"""Everything that one desk is made of, and what runs while it is open. `compose.py` builds it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from starlette.types import ASGIApp

from adapters.port import Chat
from adapters.web.hub import Hub
from agent.approvals.approvals import Approvals
from agent.gate.gate import Gate
from agent.memory.memory import Memory
from agent.runner.direct import Direct
from agent.runner.runner import Runner
from agent.runs.runs import Runs
from agent.tools.registry import Registry
from bot.compose.platforms import Listening, Platform
from bot.compose.witness import Witness
from bot.conversation.actions import Engine
from bot.conversation.conversation import Conversation
from bot.conversation.home import Home
from bot.conversation.notices import Notices
from bot.conversation.people import People
from bot.delivery.news.telling import NewsTelling
from bot.delivery.news.ways import Ways
from bot.delivery.posts import Poster, topic_of
from bot.delivery.showing import Showing
from bot.delivery.transcript import DatabaseTranscript
from bot.inbox.inbox import Inbox
from bot.inbox.room import WaitingRoom
from bot.rendering.commands import Grammar
from bot.rendering.help import HelpPages
from bot.schedules.control import JobControl
from bot.schedules.jobs import Jobs
from bot.settings import Settings
from features.anatomy.feature import Feature
from identity.audit import AuditTrail
from identity.directory import Directory
from identity.sign_in import SignIn
from queries.observe.service import ObserveService
from queries.sql.service import SqlService
from search.service import SearchService
from search.uploads.uploads import Uploads
from storage.clock import Clock
from storage.database import Database
from storage.queue.worker import Worker
from tickets.service import TicketService

if TYPE_CHECKING:
    from storage.connect import RedisGateway


@dataclass
class Desk:
    """Everything that one desk is made of. Workers run inside `running()`."""

    settings: Settings
    clock: Clock
    database: Database
    redis: "RedisGateway | None"
    directory: Directory
    people: People
    audit: AuditTrail
    witness: Witness
    sign_in: SignIn
    tickets: TicketService
    sql: SqlService
    observe: ObserveService
    search: SearchService
    uploads: Uploads
    runs: Runs
    memory: Memory
    approvals: Approvals
    features: tuple[Feature, ...]
    grammar: Grammar
    help_pages: HelpPages
    engine: Engine
    registry: Registry
    gate: Gate
    runner: Runner
    direct: Direct
    showing: Showing
    home: Home
    conversation: Conversation
    inbox: Inbox
    room: WaitingRoom  # before the inbox, where the network reaches it
    outbox: Worker
    poster: Poster
    telling: Notices
    news: NewsTelling
    ways: Ways
    jobs: Jobs
    job_control: JobControl
    chats: dict[str, Chat]
    transcript: DatabaseTranscript
    hub: Hub
    webhooks: Mapping[str, ASGIApp] = field(default_factory=dict)  # path → where a platform's requests come in
    listening: tuple[Listening, ...] = ()  # connections of platforms that are held while the desk runs
    platforms: tuple[Platform, ...] = ()
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)

    def also_serve(self, chat: Chat) -> None:
        """Serve one more chat, from now on."""
        self.chats[chat.name] = chat
        self.outbox.serve(topic_of(chat.name), self.poster.topic)
        self.inbox.serve(chat.name)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.closing.aclose()

    @asynccontextmanager
    async def running(self, *, beside: bool = False) -> AsyncIterator[None]:
        """Run the inbox worker, the outbox worker and the jobs for as long as the block lasts.

        Unless it runs `beside` another process of the same home, what a dead process held is taken over at once.
        At the end nothing more is heard first, and the language model is let go last, when nobody thinks with it.
        """
        if self.settings.owns_database and not beside:
            await self.outbox.take_over()
        async with self.runner.running(), self._working(), AsyncExitStack() as stack:
            if not beside:
                for listen in self.listening:
                    await stack.enter_async_context(listen())
            yield

    @asynccontextmanager
    async def _working(self) -> AsyncIterator[None]:
        stop = asyncio.Event()
        workers = [
            asyncio.create_task(self.inbox.run(stop), name="inbox"),
            asyncio.create_task(self.outbox.run(stop), name="outbox"),
            asyncio.create_task(self.jobs.run(stop), name="jobs"),
        ]
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*workers, return_exceptions=True)
