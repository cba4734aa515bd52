"""What a written message leads to: a command or a run, inside the limits, for those who read along."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from adapters.cards import Button, Buttons, Note
from adapters.events import Event, Feedback, Message
from adapters.port import Chat, Limits
from agent.runner.direct import Direct
from agent.runner.runner import Request, Runner
from agent.runs.answer import Answer, Answered, NoEvidence, Outcome
from bot.conversation.files import Files
from bot.conversation.home import Home
from bot.conversation.readers import Readers
from bot.conversation.requests import files_of, request_of
from bot.delivery import address_store, store
from bot.delivery.showing import Showing
from bot.delivery.store import InboxEntry
from bot.delivery.streaming import Live
from bot.rendering import commands
from bot.rendering.cards import Reader, refusal
from bot.rendering.help import HelpPages
from bot.rendering.spoken import Spoken, text
from bot.rendering.texts.catalogue import say
from bot.settings import LimitSettings
from identity.actor import Actor
from search.service import SearchService
from storage.clock import Clock
from storage.database import Database
from storage.throttle import Throttle

#: Characters of a question that are repeated above its answer.
ASKED_CHARS = 300
#: Share of a question's words from which the files that came with it are what it is about.
ABOUT_FILES = 0.6


@dataclass(frozen=True)
class Heard:
    """A message with everything that the platform vouches for."""

    actor: Actor
    event: Message
    reader: Reader
    brought: bool = False  # files that could be read came with it


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
        direct: Direct,
        search: SearchService,
        help_pages: HelpPages,
        home: Home,
        showing: Showing,
        readers: Readers,
        live: Live,
        files: Files,
        chats: Mapping[str, Chat],
    ) -> None:
        self._database = database
        self._clock = clock
        self._throttle = throttle
        self._limits = limits
        self._runner = runner
        self._direct = direct
        self._search = search
        self._help = help_pages
        self._home = home
        self._showing = showing
        self._readers = readers
        self._live = live
        self._files = files
        self._chats = chats

    async def answer(self, entry: InboxEntry, heard: Heard) -> Spoken | None:
        """Answer a message; None for what people show one another and the desk cannot read."""
        refused = await self._over_limit(heard)
        if refused is not None:
            return refused
        if not heard.event.files:
            return await self._said(entry, heard)
        received = await self._files.take_in(heard.actor, heard.event, heard.reader)
        if not heard.event.text.strip():
            if not received.blocks or (not heard.event.addressed and not received.read):
                return None
            return Spoken(Outcome.ANSWERED if received.read else Outcome.REFUSED, received.blocks)
        said = await self._said(entry, replace(heard, brought=received.read))
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
        command = commands.parse(heard.event.text, bare=self._limits_of(heard).bare_commands)
        if command is None:
            return await self._run(entry, heard, heard.event.text)
        return await self._command(entry, heard, command)

    async def _command(self, entry: InboxEntry, heard: Heard, command: commands.Command) -> Spoken:
        match command:
            case commands.Ask(question=question):
                return await self._run(entry, heard, question)
            case commands.New(description=description):
                result = await self._direct.draft(self._request(heard, description))
                return await self._showing.said(heard.actor, result, heard.reader)
            case commands.Call(tool=tool, arguments=arguments):
                result = await self._direct.call(self._request(heard), tool, arguments)
                return await self._showing.said(heard.actor, result, heard.reader)
            case commands.Help(verb=verb) if verb:
                words = self._help.usage(verb, heard.reader.language, bare=heard.reader.bare)
                return text(Outcome.ASKED_BACK, words)
            case commands.Help():
                words = self._help.text(heard.actor, heard.reader.language, bare=heard.reader.bare)
                return text(Outcome.ANSWERED, words)
            case commands.Status():
                return Spoken(Outcome.ANSWERED, await self._home.blocks(heard.actor, heard.reader), whisper=True)
            case _:
                assert_never(command)

    async def _run(self, entry: InboxEntry, heard: Heard, words: str) -> Spoken:
        event = heard.event
        audience = await self._readers.audience(event)
        about_files = heard.brought and await self._is_about_files(heard, words)
        request = self._request(heard, words, audience=frozenset() if about_files else audience)
        async with self._live.showing(
            self._chats[event.account.platform],
            event.address,
            key=entry.reply_key,
            order=entry.thread,
            language=heard.reader.language,
            again=entry.attempts > 1,
        ) as reports:
            result = await self._runner.run(request, on_event=reports.show)
            said = await self._showing.said(heard.actor, result, heard.reader)
            reports.keep = audience is None or not said.whisper
        if event.unseen and _is_from_documents(result.answer):
            said = replace(said, asked=_asked(heard, words))
        if (
            audience is None
            or about_files
            or not (_is_from_documents(result.answer) and await self._knows_more(heard, words, audience))
        ):
            return said
        return said.with_offer(_private_offer(heard.reader, result.run_id))

    async def _is_about_files(self, heard: Heard, words: str) -> bool:
        """Return whether the thread's files alone meet a question, so that nothing else is to answer it."""
        thread = files_of(heard.event.thread)
        found = await self._search.search(heard.actor, words, limit=1, audience=frozenset(), thread=thread)
        return bool(found.hits) and found.hits[0].signals.coverage >= ABOUT_FILES

    async def _knows_more(self, heard: Heard, words: str, audience: frozenset[str]) -> bool:
        """Return whether the best passage for the asker is one that not everybody here may read."""
        actor, thread = heard.actor, files_of(heard.event.thread)
        if actor.principals <= audience:
            return False
        own = await self._search.search(actor, words, limit=1, thread=thread)
        shared = await self._search.search(actor, words, limit=1, audience=audience, thread=thread)
        return bool(own.hits) and [hit.chunk.id for hit in own.hits] != [hit.chunk.id for hit in shared.hits]

    def _limits_of(self, heard: Heard) -> Limits:
        return self._chats[heard.event.account.platform].limits

    def _request(self, heard: Heard, words: str | None = None, *, audience: frozenset[str] | None = None) -> Request:
        return request_of(heard, text=words or heard.event.text, now=self._clock.now(), audience=audience)

    async def _over_limit(self, heard: Heard) -> Spoken | None:
        person = await self._throttle.admit(
            f"person:{heard.actor.id}", limit=self._limits.messages_per_minute, per_s=60
        )
        place = await self._throttle.admit(
            f"address:{heard.event.thread}", limit=self._limits.address_messages_per_minute, per_s=60
        )
        if person.allowed and place.allowed:
            return None
        seconds = str(max(1, round(max(person.retry_after_s, place.retry_after_s))))
        return text(Outcome.REFUSED, refusal(heard.reader.language, "rate", seconds))

    async def remember_address(self, event: Event, actor: Actor, reader: Reader) -> None:
        """Keep where the person can be written to without anybody else reading along."""
        async with self._database.transaction() as session:
            await address_store.remember_address(
                session,
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
