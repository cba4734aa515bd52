"""The only place that builds real objects. Every part can be replaced by keyword, so that a test owns what it needs."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta

from adapters.port import Chat
from adapters.web.chat import WebChat
from adapters.web.hub import Hub
from agent.approvals.approvals import Approvals
from agent.approvals.book import ApprovalBook
from agent.brains.assistant import Brain
from agent.brains.rules.model import RulesModel
from agent.gate.gate import Gate
from agent.memory.memory import Memory
from agent.runner.above import AboveReply
from agent.runner.direct import Direct
from agent.runner.runner import Runner
from agent.runs.rights import TodaysRights
from agent.runs.runs import TIMER, Runs
from agent.tools.execution import Executor
from bot.channels.channels import ChannelRules, ChannelService
from bot.channels.listening import Listener
from bot.channels.overhearing import Overhearing
from bot.compose import knowledge
from bot.compose.desk import Desk
from bot.compose.features import (
    FEATURES,
    above_of,
    at_once_of,
    grammar_of,
    instead_of,
    registry_of,
    sections_of,
    slots_of,
    topics_of,
    webhooks_of,
)
from bot.compose.parts import LEASE_S, Parts, open_parts, sql_service
from bot.compose.platforms import platforms
from bot.compose.queried.clusters import observed
from bot.compose.upkeep import Upkeep
from bot.compose.witness import Witness
from bot.conversation.actions import Actions, Engine
from bot.conversation.conversation import Conversation
from bot.conversation.files import Files
from bot.conversation.home import Home
from bot.conversation.messages import Messages
from bot.conversation.notices import Notices
from bot.conversation.people import People
from bot.conversation.readers import Readers
from bot.conversation.replies import Replies
from bot.conversation.unreachable import Unreachable
from bot.conversation.withdrawals import Withdrawals
from bot.delivery.news.configured import ConfiguredNews
from bot.delivery.news.mail import Mailer
from bot.delivery.news.renewal import Renewal
from bot.delivery.news.telling import NEWS, NewsTelling
from bot.delivery.news.ways import MAIL, WEBHOOK, Ways
from bot.delivery.news.webhook import WebhookSender
from bot.delivery.posts import ERASE, REFRESH, Poster, topic_of
from bot.delivery.showing import Showing
from bot.delivery.streaming import Live
from bot.delivery.transcript import DatabaseTranscript
from bot.inbox.due import wake
from bot.inbox.inbox import Inbox
from bot.inbox.room import WaitingRoom
from bot.rendering.help import HelpPages
from bot.rendering.results import result_blocks
from bot.schedules.control import JobControl
from bot.schedules.jobs import Jobs
from bot.settings import Settings
from features.anatomy.feature import Build, Services
from identity.audit import AuditTrail
from identity.directory import Directory
from identity.sign_in import SignIn
from queries.observe.service import ObserveService
from queries.sql.service import SqlService
from search.embedding.port import Embedder
from search.indexes.port import Index
from storage.clock import Clock
from storage.database import Database
from storage.queue.precedence import Precedence
from storage.queue.worker import Topic, Worker
from storage.redaction.announced import Announcements
from storage.throttle import Throttle
from tickets.service import TicketService
from tickets.tracker import Tracker
from tickets.use_cases.mirror import TrackerMirror

#: Posts for which nobody waits that a process has in hand at a time: the other places are for answers.
MOST_UNHURRIED = 8


async def compose(
    settings: Settings,
    *,
    clock: Clock | None = None,
    database: Database | None = None,
    embedder: Embedder | None = None,
    index: Index | None = None,
    chats: Mapping[str, Chat] | None = None,
    brain: Brain | None = None,
    features: Sequence[Build] = FEATURES,
    tracker: Tracker | None = None,
    lease_s: float = LEASE_S,
) -> Desk:
    """Build a desk. Migrates the desk's own SQLite file; raises `DatabaseNotReady` for another one that is behind."""
    closing = AsyncExitStack()
    async with closing:
        parts = await open_parts(
            settings,
            closing,
            clock=clock,
            database=database,
            embedder=embedder,
            index=index,
            chats=chats,
            brain=brain,
            tracker=tracker,
            lease_s=lease_s,
        )
        sql = await asyncio.to_thread(sql_service, settings, parts.clock, parts.database)
        closing.push_async_callback(sql.close)
        observe = await asyncio.to_thread(observed, settings, parts.clock, parts.database, parts.brain)
        closing.push_async_callback(observe.close)
        builder = _Builder(settings, parts, features, sql, observe)
        for platform in builder.platforms:
            closing.push_async_callback(platform.close)
        for feature in builder.features:
            if feature.stop is not None:
                closing.push_async_callback(feature.stop)
        closing.push_async_callback(builder.knowledge.thread_files.close)
        closing.callback(parts.database.courtesies.remove, builder.precedence.step)
        desk = builder.desk()
        desk.closing = closing.pop_all()
    return desk


class _Builder:
    """Wires the services; each step uses what the ones before it made."""

    def __init__(
        self, settings: Settings, parts: Parts, features: Sequence[Build], sql: SqlService, observe: ObserveService
    ) -> None:
        self.settings = settings
        self.parts = parts
        self.sql = sql
        self.observe = observe
        self.throttle = Throttle(parts.database, parts.clock, parts.redis)
        self.sign_in = SignIn(parts.database, parts.clock, session_hours=settings.web.session_hours)
        self.directory = Directory(parts.database, settings.people_path, parts.clock)
        self.people = People(self.directory)
        self.knowledge = knowledge.build(parts, settings.search_config, link_hosts=settings.agent_config.link_hosts)
        self.search, self.rights = self.knowledge.search, TodaysRights(self.knowledge.search)
        config = settings.tickets_config
        self.tickets = TicketService(parts.database, parts.clock, config, parts.tracker, parts.key)
        self.chats: dict[str, Chat] = {}
        self.tools_of: dict[str, frozenset[str]] = {}
        self.channels = ChannelService(
            parts.database,
            parts.clock,
            chats=self.chats,
            behind=self.people.behind,
            search=self.search,
            categories={name: (category.labels.en, category.labels.zh) for name, category in config.categories.items()},
            tools=self.tools_of,
            rules=ChannelRules(settings.channels.owners_may_set, settings.channels.answers_per_day),
        )
        self.ways = Ways(
            parts.clock,
            chats=self.chats,
            public_url=settings.public_url,
            mail=bool(settings.mail.host),
            webhook=bool(settings.webhook.url),
        )
        together = timedelta(seconds=settings.limits.news_together_s)
        self.news = NewsTelling(parts.database, parts.clock, self.people.by_id, ways=self.ways, together=together)
        self.telling = Notices(
            parts.database,
            parts.clock,
            people=self.people,
            chats=self.chats,
            ways=self.ways,
            news=self.news,
            public_url=settings.public_url,
        )
        self.memory = Memory(parts.database, parts.clock, settings.agent_config, search=self.rights)
        self.runs = Runs(parts.database, parts.clock, settings.agent_config, search=self.rights, wake=wake)
        self.book = ApprovalBook(parts.database, parts.clock, self.runs)
        services = Services(
            clock=parts.clock,
            database=parts.database,
            home=settings.home,
            tickets=self.tickets,
            tickets_config=config,
            search=self.search,
            search_config=settings.search_config,
            uploads=self.knowledge.uploads,
            thread_files=self.knowledge.thread_files,
            directory=self.directory,
            agent=settings.agent_config,
            refresh_minutes=settings.search.refresh_minutes,
            telling=self.telling,
            memory=self.memory,
            people=self.people.called,
            sql=sql,
            observe=observe,
            runs=self.runs,
            draw=result_blocks,
            sections=lambda: sections_of(self.features),
            approvals=self.book,
            digests=settings.digests,
            channels=self.channels,
        )
        self.features = tuple(build(services) for build in features)
        self.tools_of.update({each.name: frozenset(tool.spec.name for tool in each.tools) for each in self.features})
        for feature in self.features:
            self.news.know(feature.news)
        self.grammar = grammar_of(self.features)
        self._agent()
        self._bot()

    def _agent(self) -> None:
        database, clock, config = self.parts.database, self.parts.clock, self.settings.agent_config
        self.registry = registry_of(self.features)
        self.help_pages = HelpPages(self.registry, self.grammar)
        executor = Executor(database, clock, config)
        self.approvals = Approvals(
            self.book,
            config,
            registry=self.registry,
            executor=executor,
            people=self.people.by_id,
            signing_key=self.parts.key,
        )
        self.gate = Gate(
            clock, config, registry=self.registry, executor=executor, approvals=self.approvals, runs=self.runs
        )
        rules = RulesModel(
            routes=(route for feature in self.features for route in feature.routes),
            talks=(talk for feature in self.features for talk in feature.talks),
        )
        self.direct = Direct(gate=self.gate, approvals=self.approvals, runs=self.runs, memory=self.memory, clock=clock)
        self.runner = Runner(
            database=database,
            gate=self.gate,
            approvals=self.approvals,
            runs=self.runs,
            memory=self.memory,
            search=self.search,
            clock=clock,
            config=config,
            rules=Brain(name="rules", model=rules, follows_text=False),
            model=self.parts.brain,
            direct=self.direct,
            at_once=at_once_of(self.features),
            above=AboveReply(self.gate, above_of(self.features), instead_of(self.features)),
        )

    def _bot(self) -> None:
        settings, parts = self.settings, self.parts
        self.rights.kinds = {kind: may for feature in self.features for kind, may in feature.rights.items()}
        self.hub = Hub(streams_per_person=settings.limits.streams_per_person, streams=settings.limits.streams)
        self.announced = Announcements(parts.clock)
        self.transcript = DatabaseTranscript(
            parts.database, parts.clock, search=self.rights, people=self.people.by_id, announced=self.announced
        )
        web = WebChat(self.transcript, self.hub, account_of=self.people.account, files=self.knowledge.web_files)
        openers = frozenset(action for feature in self.features for action in feature.openers)
        self.platforms = platforms(settings, parts.clock, openers)
        self.chats[web.name] = web
        self.chats.update({platform.chat.name: platform.chat for platform in self.platforms})
        self.chats.update(parts.chats)
        self.showing = Showing(self.features, self.approvals, public_url=settings.public_url)
        self.news.draws(self.showing.card)
        self.renewal = Renewal(parts.clock, people=self.people.by_id, news=self.news, showing=self.showing)
        self.home = Home(self.features, approvals=self.approvals, showing=self.showing)
        unreachable = Unreachable(
            parts.database, parts.clock, people=self.people, chats=self.chats, goes_on=self.ways.post_goes_on
        )
        precedence = self.precedence = Precedence(
            lambda: self.inbox.worker.is_working or self.outbox.hurries(topic_of(""))
        )
        parts.database.courtesies.append(precedence.step)
        self.poster = Poster(
            parts.database,
            parts.clock,
            chats=self.chats,
            draw=self.showing.redraw,
            renew=self.renewal.renew,
            unreachable=unreachable.note,
            goes_on=self.ways.post_goes_on,
            search=self.rights,
            people=self.people.by_id,
            precedence=precedence,
        )
        self.outbox = Worker(
            parts.database,
            parts.clock,
            {
                **{topic_of(platform): self.poster.topic for platform in self.chats},
                **self._news_topics(),
                **TrackerMirror(parts.database, parts.tracker).handlers(),
                REFRESH: Topic(self.poster.refresh),
                ERASE: Topic(self.poster.erase),
                TIMER: Topic(self.runs.timer, patient=True),
                **{name: self.runs.telling(topic) for name, topic in topics_of(self.features).items()},
            },
            name="outbox",
            unhurried=MOST_UNHURRIED,
            lease_s=parts.lease_s,
        )
        self.files = Files(
            self.knowledge.thread_files,
            parts.clock,
            database=parts.database,
            chats=self.chats,
            config=settings.search.uploads,
            throttle=self.throttle,
            limits=settings.limits,
        )
        self.conversation = self._conversation()
        self.inbox = Inbox(
            parts.database,
            parts.clock,
            announced=self.announced,
            respond=self.conversation.respond,
            work=self.conversation.work,
            apologise=self.conversation.apologise,
            worth=self._overhearing().is_worth,
            platforms=self.chats,
            work_s=settings.limits.run_seconds,
            max_deaths=settings.limits.deaths,
            lease_s=parts.lease_s,
        )
        self.room = WaitingRoom(self.inbox, parts.database, parts.clock, limits=settings.limits)

    def _overhearing(self) -> Overhearing:
        return Overhearing(
            self.channels,
            self.chats,
            database=self.parts.database,
            clock=self.parts.clock,
            topics=lambda: self.inbox.worker.topics,
            waiting=self.settings.limits.waiting,
        )

    def _news_topics(self) -> Mapping[str, Topic]:
        """Return what is done with news, and with what goes by e-mail and by webhook where the desk has these ways."""
        settings, clock, ways = self.settings, self.parts.clock, self.ways
        renew, url = self.renewal.renew, settings.public_url
        mailer = Mailer(settings.mail, clock, ways=ways, renew=renew, public_url=url)
        sender = WebhookSender(settings.webhook, clock, ways=ways, renew=renew, public_url=url)
        return {NEWS: Topic(self.news.tell), MAIL: mailer.topic, WEBHOOK: sender.topic}

    def _conversation(self) -> Conversation:
        self.engine = Engine(
            self.parts.clock,
            self.runs,
            self.memory,
            self.direct,
            self.showing,
            self.runner,
            self.chats,
            self.channels,
            self.parts.database,
        )
        return Conversation(
            people=self.people,
            readers=Readers(self.people, self.chats),
            messages=self._messages(),
            runs=self.runs,
            runner=self.runner,
            actions=Actions(self.features, self.engine, self.approvals),
            home=self.home,
            showing=self.showing,
            chats=self.chats,
            withdrawals=Withdrawals(
                self.parts.database,
                files=self.files,
                runs=self.runs,
                memory=self.memory,
                approvals=self.approvals,
                tickets=self.tickets,
                transcript=self.transcript,
                erasing={name: kind.erase for each in self.features for name, kind in each.kinds.items() if kind.erase},
            ),
            grammar=self.grammar,
            replies=Replies(self.features),
            channels=self.channels,
            listener=Listener(self.channels, self.runner, self.registry, showing=self.showing, clock=self.parts.clock),
        )

    def _messages(self) -> Messages:
        parts = self.parts
        return Messages(
            database=parts.database,
            clock=parts.clock,
            throttle=self.throttle,
            limits=self.settings.limits,
            runner=self.runner,
            engine=self.engine,
            grammar=self.grammar,
            help_pages=self.help_pages,
            home=self.home,
            showing=self.showing,
            live=Live(parts.database, parts.clock, features=self.features),
            files=self.files,
            chats=self.chats,
            channels=self.channels,
        )

    def _upkeep(self, audit: AuditTrail, witness: Witness) -> Upkeep:
        return Upkeep(
            self.parts.database,
            self.parts.clock,
            audit=audit,
            witness=witness,
            approvals=self.approvals,
            runs=self.runs,
            memory=self.memory,
            throttle=self.throttle,
            sign_in=self.sign_in,
            web_files=self.knowledge.web_files,
            features=self.features,
        )

    def desk(self) -> Desk:
        """Return everything that was built."""
        parts, settings = self.parts, self.settings
        audit = AuditTrail(parts.database, parts.clock)
        witness = Witness(settings.witness_path, audit, parts.clock, settings.audit.webhook)
        noted = ConfiguredNews(parts.database, parts.clock, audit, settings.mail, settings.webhook, parts.key)
        hearings = [platform.listen(self.room.receive) for platform in self.platforms]
        return Desk(
            settings=settings,
            clock=parts.clock,
            database=parts.database,
            redis=parts.redis,
            directory=self.directory,
            people=self.people,
            audit=audit,
            witness=witness,
            sign_in=self.sign_in,
            tickets=self.tickets,
            sql=self.sql,
            observe=self.observe,
            search=self.search,
            uploads=self.knowledge.uploads,
            runs=self.runs,
            memory=self.memory,
            approvals=self.approvals,
            features=self.features,
            grammar=self.grammar,
            help_pages=self.help_pages,
            engine=self.engine,
            registry=self.registry,
            gate=self.gate,
            runner=self.runner,
            direct=self.direct,
            showing=self.showing,
            home=self.home,
            conversation=self.conversation,
            inbox=self.inbox,
            room=self.room,
            outbox=self.outbox,
            poster=self.poster,
            telling=self.telling,
            news=self.news,
            ways=self.ways,
            job_control=JobControl(parts.database, parts.clock, people=self.people.by_id),
            jobs=Jobs(
                parts.database,
                parts.clock,
                (*self._upkeep(audit, witness).jobs(), noted.job),
                slots=slots_of(self.features),
                in_turn=[topic for feature in self.features for topic in feature.in_turn],
                telling=self.telling,
                precedence=self.precedence,
            ),
            chats=self.chats,
            transcript=self.transcript,
            hub=self.hub,
            platforms=self.platforms,
            webhooks={
                **webhooks_of(self.features, parts.clock),
                **{path: app for hearing in hearings for path, app in hearing.webhooks.items()},
            },
            listening=tuple(listen for hearing in hearings for listen in hearing.listening),
        )
