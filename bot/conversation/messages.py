"""What a written message leads to: a command or a run, inside the limits, for those who read along."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from adapters.cards import Button, Buttons, Note
from adapters.events import Event, Feedback, Message
from adapters.port import Chat, Limits
from agent.runner.requests import Request
from agent.runner.runner import Runner
from agent.runs.answer import Answer, Answered, NoEvidence, Outcome
from agent.runs.runs import Write
from bot.channels.channels import ChannelService
from bot.conversation.actions import Engine
from bot.conversation.files import Files
from bot.conversation.home import Home
from bot.conversation.requests import channel_of, request_of
from bot.delivery import address_store, store
from bot.delivery.channel_store import Channel, remember_channel
from bot.delivery.showing import Showing
from bot.delivery.store import InboxEntry
from bot.delivery.streaming import Live
from bot.inbox.turns import Turns
from bot.rendering import commands
from bot.rendering.help import HelpPages
from bot.rendering.texts.catalogue import say
from bot.settings import LimitSettings
from features.anatomy.channels import DEFAULT, ChannelSettings
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, refusal, text
from identity.actor import Actor
from identity.readership import Readership, ThreadOnly, others_read
from storage.clock import Clock
from storage.database import Database
from storage.throttle import Throttle

#: Characters of a question that are repeated above its answer.
ASKED_CHARS = 300


@dataclass(frozen=True)
class Heard:
    """A message with everything that the platform vouches for."""

    actor: Actor
    event: Message
    reader: Reader
    readership: Readership
    settings: ChannelSettings = DEFAULT  # of the channel that it comes from


class Messages:
    """Answers what people write."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        throttle: Throttle,
        limits: LimitSettings,
        runner: Runner,
        engine: Engine,
        grammar: commands.Grammar,
        help_pages: HelpPages,
        home: Home,
        showing: Showing,
        live: Live,
        files: Files,
        chats: Mapping[str, Chat],
        channels: ChannelService,
    ) -> None:
        self._database = database
        self._clock = clock
        self._throttle = throttle
        self._limits = limits
        self._runner = runner
        self._engine = engine
        self._grammar = grammar
        self._help = help_pages
        self._home = home
        self._showing = showing
        self._live = live
        self._files = files
        self._chats = chats
        self._channels = channels
        self._turns = Turns(limits.runs_per_person)

    async def answer(self, entry: InboxEntry, heard: Heard) -> Spoken | None:
        """Answer a message; None for what people show one another and the desk cannot read.

        Raises `Unavailable` while as many messages of its sender are worked on as one person may have at once.
        """
        if heard.settings.mention_needed and not heard.event.addressed:
            return None
        with self._turns.taken(heard.actor.id):
            return await self._answer(entry, heard)

    async def _answer(self, entry: InboxEntry, heard: Heard) -> Spoken | None:
        refused = await self._over_limit(heard)
        if refused is not None:
            return refused
        if not heard.settings.on and not self._sets_channel(heard):
            return Spoken(Outcome.REFUSED, (Note(say(heard.reader.language, "channel_off")),), privately=True)
        if not heard.event.files:
            return await self._said(entry, heard)
        received = await self._files.take_in(heard.actor, heard.event, heard.reader)
        if not heard.event.text.strip():
            if not received.blocks or (not heard.event.addressed and not received.read):
                return None
            return Spoken(Outcome.ANSWERED if received.read else Outcome.REFUSED, received.blocks)
        if received.read and not isinstance(heard.readership, ThreadOnly):
            heard = replace(heard, readership=ThreadOnly(otherwise=heard.readership))
        said = await self._said(entry, heard)
        return replace(said, blocks=(*received.blocks, *said.blocks))

    async def answer_privately(self, entry: InboxEntry, heard: Heard) -> Spoken:
        """Answer a question that was asked where others read along once more, for the asker alone."""
        return await self._over_limit(heard) or await self._run(entry, heard, heard.event.text)

    async def answer_at(self, event: Feedback) -> str:
        """Return the id of the run that a person judged by its message, "" when nobody knows it any more."""
        async with self._database.reading() as session:
            return await store.answer_at(
                session, platform=event.account.platform, thread=event.thread, reference=event.message or ""
            )

    async def _said(self, entry: InboxEntry, heard: Heard) -> Spoken:
        command = self._grammar.parse(heard.event.text, bare=self._limits_of(heard).bare_commands)
        if command is None:
            return await self._run(entry, heard, heard.event.text)
        return await self._command(entry, heard, command)

    def _sets_channel(self, heard: Heard) -> bool:
        """Return whether a message is the command by which a channel is set."""
        command = self._grammar.parse(heard.event.text, bare=self._limits_of(heard).bare_commands)
        return isinstance(command, commands.Call) and command.tool in self._channels.own_tools

    async def _command(self, entry: InboxEntry, heard: Heard, command: commands.Command) -> Spoken:
        match command:
            case commands.Ask(question=question):
                return await self._run(entry, heard, question)
            case commands.Call(tool=tool, arguments=arguments, prose=prose):
                return await self._engine.call(heard, tool, arguments, text=prose or heard.event.text)
            case commands.Usage() | commands.Unknown() | commands.Help():
                return self._explained(heard, command)
            case commands.Status():
                return Spoken(Outcome.ANSWERED, await self._home.blocks(heard.actor, heard.reader), whisper=True)
            case _:
                assert_never(command)

    def _explained(self, heard: Heard, command: commands.Usage | commands.Unknown | commands.Help) -> Spoken:
        language, bare = heard.reader.language, heard.reader.bare
        match command:
            case commands.Usage(verb=verb):
                return text(Outcome.ASKED_BACK, self._help.usage(verb, language, bare=bare))
            case commands.Unknown():
                return text(Outcome.ASKED_BACK, self._help.unknown(command, heard.actor, language, bare=bare))
            case commands.Help():
                return text(Outcome.ANSWERED, self._help.text(heard.actor, language, bare=bare))
            case _:
                assert_never(command)

    async def _run(self, entry: InboxEntry, heard: Heard, words: str) -> Spoken:
        event = heard.event
        request = self.request(heard, words)
        async with self._live.showing(
            self._chats[event.account.platform],
            event.address,
            key=entry.reply_key,
            order=entry.thread,
            language=heard.reader.language,
            again=entry.attempts > 1,
        ) as reports:
            result = await self._runner.think(await self._channels.placed(request), on_event=reports.show)
            said = await self._showing.said(heard.actor, result, heard.reader)
            reports.keep = not others_read(heard.readership) or not said.whisper
        if event.unseen and _is_from_documents(result.answer):
            said = replace(said, asked=_asked(heard, words))
        if not (result.more_alone and _is_from_documents(result.answer)):
            return said
        return said.with_offer(_private_offer(heard.reader, result.run_id))

    def _limits_of(self, heard: Heard) -> Limits:
        return self._chats[heard.event.account.platform].limits

    def request(self, heard: Heard, words: str | None = None) -> Request:
        """Return the request of a message."""
        channel = channel_of(heard.event, self._chats)
        return request_of(heard, text=words or heard.event.text, now=self._clock.now(), channel=channel)

    async def _over_limit(self, heard: Heard) -> Spoken | None:
        limits = {
            f"person:{heard.actor.id}": self._limits.messages_per_minute,
            f"address:{heard.event.thread}": self._limits.address_messages_per_minute,
        }
        admission = await self._throttle.admit_all(limits, per_s=60)
        if admission.allowed:
            return None
        seconds = str(max(1, round(admission.retry_after_s)))
        return text(Outcome.REFUSED, refusal(heard.reader.language, "rate", seconds))

    async def spoken_before(self, actor: Actor, platform: str) -> str | None:
        """Return the language in which the person was spoken to last on a platform; None where they never were."""
        async with self._database.reading() as session:
            known = await address_store.addresses_of(session, actor.id)
        return next((each.language for each in known if each.platform == platform), None)

    def remembering_channel(self, event: Event, reader: Reader) -> tuple[Write, ...]:
        """Return what keeps the channel that an event comes from, as somewhere that schedules can post to."""
        platform = event.account.platform
        found = self._chats[platform].channel(event.address)
        if found is None:
            return ()
        channel = Channel(platform, found[0], dict(found[1]), reader.language, self._clock.now())
        return (functools.partial(remember_channel, channel=channel),)

    def remembering_address(self, event: Event, actor: Actor, reader: Reader) -> Write:
        """Return what keeps where the person can be written to without anybody else reading along."""
        return functools.partial(
            address_store.remember_address,
            actor_id=actor.id,
            platform=event.account.platform,
            address=dict(self._chats[event.account.platform].privately(event.address)),
            language=reader.language,
            now=self._clock.now(),
        )


def _is_from_documents(answer: Answer) -> bool:
    """Return whether what may be read decides what is said; a ticket is the same for every reader."""
    return isinstance(answer, NoEvidence) or (isinstance(answer, Answered) and bool(answer.citations))


def _asked(heard: Heard, question: str) -> tuple[Note]:
    """Return the question for those who read the answer but could not see it asked."""
    key = "answer.you_asked" if heard.event.private else "answer.asked"
    words = " ".join(question.split())
    shown = words if len(words) <= ASKED_CHARS else f"{words[:ASKED_CHARS]}…"
    return (Note(say(heard.reader.language, key, name=heard.actor.name, question=shown)),)


def _private_offer(reader: Reader, run_id: str) -> tuple[Note, Buttons]:
    label = say(reader.language, "private.button")
    return (
        Note(say(reader.language, "private.offer")),
        Buttons((Button(label=label, action="answer.private", id=run_id, style="primary"),)),
    )
