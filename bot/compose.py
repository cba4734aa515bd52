"""The only place that builds real objects. Every part can be replaced by keyword, so that a test owns what it needs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Self

from adapters.port import Chat
from adapters.web.chat import WebChat
from adapters.web.hub import Hub
from agent.approvals import Approvals
from agent.assistant import Brain
from agent.brains.llm import build as build_model
from agent.brains.rules import RulesModel
from agent.direct import Direct
from agent.execution import Executor
from agent.extract import Extractor
from agent.gate import Gate
from agent.memory import Memory
from agent.registry import Registry
from agent.runner import Runner
from agent.runs import Runs
from agent.tools import knowledge as knowledge_tools
from agent.tools import tickets as ticket_tools
from bot import migrate, store
from bot.actions import Actions
from bot.conversation import Conversation
from bot.forms import Forms
from bot.home import Home
from bot.inbox import Inbox
from bot.jobs import Job, Jobs
from bot.notices import DRAFT_FILED, TICKET_CHANGED, Notices
from bot.people import People
from bot.posts import POST, REFRESH, Poster, enqueue_refresh
from bot.secrets import signing_key
from bot.settings import Settings
from bot.showing import Showing
from bot.transcript import DatabaseTranscript
from identity.audit import AuditTrail
from identity.directory import Directory
from identity.sign_in import SignIn
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import Embedder
from search.index import Index
from search.indexes.embedded.engine import EmbeddedIndex
from search.service import SearchService
from storage import outbox
from storage.clock import Clock, SystemClock
from storage.database import Database
from storage.ids import new_id
from storage.outbox import Outbox
from storage.throttle import Throttle
from tickets.service import TicketService
from tickets.trackers.local import LocalTracker

if TYPE_CHECKING:
    from storage.connect import RedisGateway

log = logging.getLogger(__name__)

#: Days after which a finished event may be forgotten.
INBOX_DAYS = 30
#: Seconds that one delivery may take before another worker tries it.
OUTBOX_LEASE_S = 15.0


class DatabaseNotReady(Exception):
    """The database has not seen every migration, and it is not the desk's own to migrate."""


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
    sign_in: SignIn
    tickets: TicketService
    search: SearchService
    runs: Runs
    memory: Memory
    approvals: Approvals
    registry: Registry
    gate: Gate
    runner: Runner
    direct: Direct
    showing: Showing
    home: Home
    conversation: Conversation
    inbox: Inbox
    outbox: Outbox
    jobs: Jobs
    chats: dict[str, Chat]
    transcript: DatabaseTranscript
    hub: Hub
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.closing.aclose()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the inbox worker, the outbox drain and the jobs for as long as the block lasts."""
        if self.settings.owns_database:
            await self.outbox.recover()
        stop = asyncio.Event()
        workers = [
            asyncio.create_task(self.inbox.run(stop), name="inbox"),
            asyncio.create_task(self.outbox.run(stop), name="outbox"),
        ]
        await self.jobs.start()
        try:
            yield
        finally:
            stop.set()
            await self.jobs.stop()
            await asyncio.gather(*workers, return_exceptions=True)


@dataclass(frozen=True)
class Parts:
    """What everything else is built from; any of them can be given instead of the real one."""

    clock: Clock
    database: Database
    embedder: Embedder
    index: Index
    chats: Mapping[str, Chat]
    brain: Brain | None
    redis: "RedisGateway | None"


async def compose(
    settings: Settings,
    *,
    clock: Clock | None = None,
    database: Database | None = None,
    embedder: Embedder | None = None,
    index: Index | None = None,
    chats: Mapping[str, Chat] | None = None,
    brain: Brain | None = None,
    search: SearchService | None = None,
    tickets: TicketService | None = None,
) -> Desk:
    """Build a desk. Migrates the desk's own SQLite file; raises `DatabaseNotReady` for another one that is behind."""
    await asyncio.to_thread(settings.home.mkdir, parents=True, exist_ok=True)
    closing = AsyncExitStack()
    async with closing:
        clock = clock or SystemClock()
        parts = Parts(
            clock=clock,
            database=database or await _database(settings, closing),
            embedder=embedder or OnnxEmbedder(),
            index=index or _index(settings, closing),
            chats=chats or {},
            brain=brain or _brain(settings),
            redis=await _redis(settings, clock, closing),
        )
        key = await asyncio.to_thread(signing_key, settings)
        desk = _Builder(settings, parts, key, search=search, tickets=tickets).desk()
        desk.closing = closing.pop_all()
    return desk


class _Builder:
    """Wires the services; each step uses what the ones before it made."""

    def __init__(
        self,
        settings: Settings,
        parts: Parts,
        key: bytes,
        *,
        search: SearchService | None,
        tickets: TicketService | None,
    ) -> None:
        self.settings = settings
        self.parts = parts
        self.directory = Directory(parts.database, settings.people_path, parts.clock)
        self.people = People(self.directory)
        self.search = search or SearchService(
            parts.database, parts.index, parts.embedder, parts.clock, settings.search_config
        )
        config = settings.tickets_config
        self.tickets = tickets or TicketService(parts.database, parts.clock, config, LocalTracker(), key)
        self._agent(key)
        self._bot()

    def _agent(self, key: bytes) -> None:
        database, clock, config = self.parts.database, self.parts.clock, self.settings.agent_config
        self.registry = Registry(
            [
                *knowledge_tools.tools(self.search, limit=config.search_limit),
                *ticket_tools.tools(self.tickets, self.people.named),
            ]
        )
        self.runs = Runs(database, clock, config)
        self.memory = Memory(database, clock, config)
        executor = Executor(database, clock, config)
        self.approvals = Approvals(
            database,
            clock,
            config,
            registry=self.registry,
            executor=executor,
            people=self.people.by_id,
            signing_key=key,
        )
        self.gate = Gate(
            database,
            clock,
            config,
            registry=self.registry,
            executor=executor,
            approvals=self.approvals,
            runs=self.runs,
        )
        tickets_config = self.settings.tickets_config
        self.runner = Runner(
            gate=self.gate,
            runs=self.runs,
            memory=self.memory,
            search=self.search,
            clock=clock,
            config=config,
            rules=Brain(name="rules", model=RulesModel(tickets_config), follows_text=False),
            model=self.parts.brain,
        )
        self.direct = Direct(
            gate=self.gate, runs=self.runs, memory=self.memory, clock=clock, extractor=Extractor(tickets_config)
        )

    def _bot(self) -> None:
        settings, parts, config = self.settings, self.parts, self.settings.tickets_config
        self.hub = Hub()
        self.transcript = DatabaseTranscript(parts.database, parts.clock)
        web = WebChat(self.transcript, self.hub, account_of=self.people.account)
        self.chats: dict[str, Chat] = {web.name: web, **parts.chats}
        self.showing = Showing(self.tickets, self.approvals, config, public_url=settings.public_url)
        self.home = Home(tickets=self.tickets, approvals=self.approvals, showing=self.showing)
        poster = Poster(parts.database, parts.clock, chats=self.chats, draw=self.showing.redraw)
        notices = Notices(parts.database, people=self.people, showing=self.showing)
        self.outbox = Outbox(
            parts.database,
            parts.clock,
            handlers={
                POST: poster.post,
                REFRESH: poster.refresh,
                TICKET_CHANGED: notices.ticket_changed,
                DRAFT_FILED: notices.draft_filed,
            },
            owner=new_id("outbox"),
            lease_s=OUTBOX_LEASE_S,
        )
        self.conversation = self._conversation()
        self.inbox = Inbox(
            parts.database,
            parts.clock,
            respond=self.conversation.respond,
            work=self.conversation.work,
            apologise=self.conversation.apologise,
            posted=self.outbox.wake,
            work_s=settings.limits.run_seconds,
            sole_worker=settings.owns_database,
        )

    def _conversation(self) -> Conversation:
        parts = self.parts
        return Conversation(
            database=parts.database,
            clock=parts.clock,
            people=self.people,
            throttle=Throttle(parts.database, parts.clock, parts.redis),
            limits=self.settings.limits,
            runner=self.runner,
            direct=self.direct,
            runs=self.runs,
            actions=Actions(
                tickets=self.tickets,
                approvals=self.approvals,
                direct=self.direct,
                runs=self.runs,
                showing=self.showing,
                clock=parts.clock,
            ),
            forms=Forms(tickets=self.tickets, showing=self.showing, config=self.settings.tickets_config),
            home=self.home,
            showing=self.showing,
            chats=self.chats,
            tickets_config=self.settings.tickets_config,
        )

    def desk(self) -> Desk:
        """Return everything that was built."""
        parts, settings = self.parts, self.settings
        audit = AuditTrail(parts.database, parts.clock)
        return Desk(
            settings=settings,
            clock=parts.clock,
            database=parts.database,
            redis=parts.redis,
            directory=self.directory,
            people=self.people,
            audit=audit,
            sign_in=SignIn(parts.database, parts.clock, session_hours=settings.web.session_hours),
            tickets=self.tickets,
            search=self.search,
            runs=self.runs,
            memory=self.memory,
            approvals=self.approvals,
            registry=self.registry,
            gate=self.gate,
            runner=self.runner,
            direct=self.direct,
            showing=self.showing,
            home=self.home,
            conversation=self.conversation,
            inbox=self.inbox,
            outbox=self.outbox,
            jobs=Jobs(parts.database, parts.clock, self._jobs(audit)),
            chats=self.chats,
            transcript=self.transcript,
            hub=self.hub,
        )

    def _jobs(self, audit: AuditTrail) -> tuple[Job, ...]:
        return (
            Job("seal the audit", every_s=1.0, work=audit.seal),
            Job("expire approvals", every_s=30.0, work=self._expire_approvals),
            Job("expire drafts", every_s=300.0, work=self.tickets.expire_drafts),
            Job("resume interrupted approvals", every_s=30.0, work=self.approvals.recover),
            Job("close abandoned runs", every_s=300.0, work=self.runs.close_abandoned),
            Job("forget old runs", every_s=3_600.0, work=self.runs.retain),
            Job("forget finished events", every_s=3_600.0, work=self._forget_events),
        )

    async def _expire_approvals(self) -> None:
        expired = await self.approvals.expire()
        async with self.parts.database.transaction() as session:
            for approval in expired:
                await enqueue_refresh(session, f"approval:{approval.id}", version="expired")

    async def _forget_events(self) -> None:
        before = self.parts.clock.now() - timedelta(days=INBOX_DAYS)
        async with self.parts.database.transaction() as session:
            await store.drop_finished(session, before=before)
            await outbox.prune(session, before=before)


async def _database(settings: Settings, closing: AsyncExitStack) -> Database:
    database = Database(settings.resolved_database_url)
    closing.push_async_callback(database.close)
    if settings.owns_database:
        await migrate.upgrade(database)
    elif not await migrate.is_current(database):
        raise DatabaseNotReady("the database is behind this release: run `dutydesk migrate`, then start again")
    return database


def _index(settings: Settings, closing: AsyncExitStack) -> Index:
    index = EmbeddedIndex(settings.index_path)
    closing.push_async_callback(index.close)
    return index


def _brain(settings: Settings) -> Brain | None:
    return None if settings.model == "rules" else build_model(settings.agent_config.model)


async def _redis(settings: Settings, clock: Clock, closing: AsyncExitStack) -> "RedisGateway | None":
    if not settings.redis_url:
        return None
    # The client is an extra: only who sets an address needs it installed.
    from storage.connect import RedisGateway  # noqa: PLC0415

    gateway = RedisGateway(settings.redis_url, clock)
    closing.push_async_callback(gateway.close)
    return gateway
