"""From an event to what is said: who it is, whether they may, and which use case answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from adapters.cards import Block, Suggestions, Text
from adapters.events import Event, Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press
from adapters.port import Chat, Invalid, Receipt, Shown
from agent.answer import Outcome
from agent.direct import Direct
from agent.runner import Request, Runner, RunResult
from agent.runs import Runs
from bot import commands, store
from bot.actions import Actions, Pressed
from bot.audience import language_of, spoken
from bot.cards import Reader, answer_blocks, card_of, failure, refusal
from bot.forms import Forms, Sent
from bot.home import Home
from bot.inbox import Reply
from bot.people import People
from bot.posts import Post
from bot.replies import Words
from bot.requests import request_of
from bot.settings import LimitSettings
from bot.showing import Showing, shows_in
from bot.spoken import Spoken, note, text
from bot.store import InboxEntry
from bot.streaming import live
from bot.texts.catalogue import say
from identity.actor import Actor
from identity.errors import Forbidden
from storage.clock import Clock
from storage.database import Database
from storage.throttle import Throttle
from tickets.config import TicketsConfig
from tickets.errors import TicketsError


@dataclass(frozen=True)
class Heard:
    """A message with everything that the platform vouches for."""

    actor: Actor
    event: Message
    reader: Reader


class Conversation:
    """Answers events; each ends in one `Reply`."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        people: People,
        throttle: Throttle,
        limits: LimitSettings,
        runner: Runner,
        direct: Direct,
        runs: Runs,
        actions: Actions,
        forms: Forms,
        home: Home,
        showing: Showing,
        chats: Mapping[str, Chat],
        tickets_config: TicketsConfig,
    ) -> None:
        self._database = database
        self._clock = clock
        self._people = people
        self._throttle = throttle
        self._limits = limits
        self._runner = runner
        self._direct = direct
        self._runs = runs
        self._actions = actions
        self._forms = forms
        self._home = home
        self._showing = showing
        self._chats = chats
        self._tickets_config = tickets_config

    async def respond(self, event: Press | FormSubmit) -> Receipt | None:
        """Answer a press that opens a form, or a form with wrong values, at once and from state alone."""
        actor = await self._people.behind(event.account)
        reader = self._reader(actor, event)
        if isinstance(event, FormSubmit):
            wrong = self._forms.wrong(event, reader)
            return Invalid(errors=wrong) if wrong else None
        try:
            form = await self._forms.opened_by(actor, event, reader)
        except (TicketsError, Forbidden):
            return None  # worked on like any press, so that the reason is said in the conversation
        return None if form is None else Shown(form=form)

    async def work(self, entry: InboxEntry, event: Inbound) -> Reply:
        """Answer one event."""
        actor = await self._people.behind(event.account)
        reader = self._reader(actor, event)
        try:
            said = await self._answer(entry, event, actor, reader)
        except (TicketsError, Forbidden) as error:
            words = Words(reader=reader, config=self._tickets_config).of(error)
            if words is None:
                raise
            said = note(Outcome.REFUSED, words, tone="warn", refresh=_subject_of(event))
        return self._reply(entry, event, reader, said)

    def apologise(self, entry: InboxEntry, event: Inbound, error: Exception) -> Reply:
        """Say that something broke, with the reference under which the log has it."""
        language = language_of(event.text, default="en") if isinstance(event, Message) else "en"
        if event.account.language and not isinstance(event, Message):
            language = "zh" if event.account.language.startswith("zh") else "en"
        reader = self._showing.reader_in("UTC", language=language, platform=event.account.platform)
        code = "timeout" if isinstance(error, TimeoutError) else "internal"
        said = Spoken(outcome=Outcome.FAILED, blocks=failure(language, code, entry.id))
        return self._reply(entry, event, reader, said)

    async def _answer(self, entry: InboxEntry, event: Inbound, actor: Actor, reader: Reader) -> Spoken | None:
        match event:
            case Message():
                return await self._message(entry, Heard(actor, event, reader))
            case Press():
                return await self._actions.press(Pressed(actor, event, reader))
            case FormSubmit():
                return await self._forms.sent(Sent(actor, event, reader))
            case Feedback(id=run_id, verdict=verdict, reason=reason):
                await self._runs.feedback(actor, run_id, verdict=verdict, reason=reason or "")
                return None
            case HomeOpened():
                await self._publish_home(event, actor, reader)
                return None
            case Joined():
                return self._welcome(reader)
            case _:
                assert_never(event)

    async def _message(self, entry: InboxEntry, heard: Heard) -> Spoken:
        refused = await self._over_limit(heard)
        if refused is not None:
            return refused
        await self._remember_address(heard)
        command = commands.parse(heard.event.text)
        if command is None:
            return await self._run(entry, heard, heard.event.text)
        return await self._command(entry, heard, command)

    async def _command(self, entry: InboxEntry, heard: Heard, command: commands.Command) -> Spoken:
        match command:
            case commands.Ask(question=question):
                return await self._run(entry, heard, question)
            case commands.New(description=description):
                return await self._spoken(heard, await self._direct.draft(self._request(heard, description)))
            case commands.Call(tool=tool, arguments=arguments):
                return await self._spoken(heard, await self._direct.call(self._request(heard), tool, arguments))
            case commands.Help():
                return text(Outcome.ANSWERED, say(heard.reader.language, "help.text"))
            case commands.Status():
                return Spoken(Outcome.ANSWERED, await self._home.blocks(heard.actor, heard.reader))
            case _:
                assert_never(command)

    async def _run(self, entry: InboxEntry, heard: Heard, words: str) -> Spoken:
        event = heard.event
        chat = self._chats[event.account.platform]
        request = self._request(heard, words)
        async with live(chat, event.address, key=_reply_key(entry), language=heard.reader.language) as on_event:
            result = await self._runner.run(request, on_event=on_event)
        return await self._spoken(heard, result)

    async def _spoken(self, heard: Heard, result: RunResult) -> Spoken:
        shown = await self._showing.blocks(heard.actor, shows_in(result.answer), heard.reader)
        blocks = answer_blocks(result.answer, heard.reader, run_id=result.run_id, shown=shown)
        subject = self._showing.subject(shows_in(result.answer))
        return Spoken(
            outcome=result.answer.outcome,
            blocks=blocks or shown,
            subject=subject,
            run_id=result.run_id,
            refresh=(subject,) if subject else (),
        )

    def _request(self, heard: Heard, words: str | None = None) -> Request:
        return request_of(heard, text=words or heard.event.text, now=self._clock.now())

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

    async def _remember_address(self, heard: Heard) -> None:
        async with self._database.transaction() as session:
            await store.remember_address(
                session,
                actor_id=heard.actor.id,
                platform=heard.event.account.platform,
                address=dict(heard.event.address),
                language=heard.reader.language,
                now=self._clock.now(),
            )

    async def _publish_home(self, event: HomeOpened, actor: Actor, reader: Reader) -> None:
        card = card_of(await self._home.blocks(actor, reader), reader, fallback=say(reader.language, "home.title"))
        await self._chats[event.account.platform].publish_home(event.address, card)

    def _welcome(self, reader: Reader) -> Spoken:
        language = reader.language
        examples = tuple(say(language, f"welcome.examples.{name}") for name in ("ask", "report", "follow"))
        blocks: Sequence[Block] = (
            Text(say(language, "welcome.text")),
            Suggestions(label=say(language, "welcome.try"), items=examples),
        )
        return Spoken(Outcome.ANSWERED, tuple(blocks))

    def _reader(self, actor: Actor, event: Event) -> Reader:
        own = spoken(actor)
        language = language_of(event.text, default=own) if isinstance(event, Message) else own
        return self._showing.reader(actor, language=language, platform=event.account.platform)

    def _reply(self, entry: InboxEntry, event: Inbound, reader: Reader, said: Spoken | None) -> Reply:
        if said is None:
            return Reply(outcome=Outcome.ANSWERED)
        post = Post(
            platform=event.account.platform,
            address=dict(event.address),
            card=card_of(said.blocks, reader),
            key=_reply_key(entry),
            subject=said.subject,
            timezone=reader.timezone,
        )
        return Reply(outcome=said.outcome, posts=(post,), run_id=said.run_id, refresh=said.refresh)


def _reply_key(entry: InboxEntry) -> str:
    return f"reply:{entry.id}"


def _subject_of(event: Inbound) -> tuple[str, ...]:
    """Return what a refused press was about: its cards may be out of date, so they are drawn again."""
    if isinstance(event, Press) and event.action.startswith("draft."):
        return (f"draft:{event.id}",)
    return ()
