"""From an event to what is said: who it is, whether they may, and which use case answers."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, assert_never

from adapters.cards import Block, Facts, Note, Suggestions, Text
from adapters.events import Act, Event, Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press, Withdrawn
from adapters.port import Chat, InvalidForm, Receipt, Shown, Unavailable, Undeliverable
from agent.errors import RunNotFound
from agent.results import Records
from agent.runner.causes import cause_of
from agent.runner.runner import Runner
from agent.runs.answer import Outcome
from agent.runs.runs import Runs
from bot.channels.channels import ChannelService
from bot.channels.listening import Asked, Listener
from bot.conversation.actions import Actions
from bot.conversation.home import Home
from bot.conversation.messages import Heard, Messages
from bot.conversation.people import People, spoken
from bot.conversation.readers import Readers, is_shared
from bot.conversation.replies import Replies
from bot.conversation.requests import envelope, open_envelope, private_thread
from bot.conversation.withdrawals import Withdrawals
from bot.delivery.events import Due
from bot.delivery.posts import Post
from bot.delivery.showing import Showing
from bot.delivery.store import RUN, InboxEntry
from bot.inbox.inbox import GaveUp, Reply
from bot.rendering.cards import card_of, card_of_spoken, failure
from bot.rendering.commands import Grammar
from bot.rendering.texts.catalogue import say
from features.anatomy.channels import DEFAULT, ChannelSettings
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from identity.actor import Actor, ActorKind
from identity.readership import ALONE, PUBLIC, Alone, Readership, Shared, ThreadOnly, others_read
from language.scripts import language_of
from search.errors import IndexBeingMade, IndexUnavailable, IndexUnusable
from storage.ids import JsonObject

E = TypeVar("E", bound=Event)

#: Seconds that a press may take to find out who pressed, while the platform still waits for a form.
WHO_S = 1.5


class Conversation:
    """Answers events; each ends in one `Reply`."""

    def __init__(
        self,
        *,
        people: People,
        readers: Readers,
        messages: Messages,
        runs: Runs,
        runner: Runner,
        actions: Actions,
        home: Home,
        showing: Showing,
        chats: Mapping[str, Chat],
        withdrawals: Withdrawals,
        grammar: Grammar,
        replies: Replies,
        channels: ChannelService,
        listener: Listener,
    ) -> None:
        self._people = people
        self._readers = readers
        self._messages = messages
        self._runs = runs
        self._runner = runner
        self._actions = actions
        self._home = home
        self._showing = showing
        self._chats = chats
        self._withdrawals = withdrawals
        self._grammar = grammar
        self._replies = replies
        self._channels = channels
        self._listener = listener

    async def respond(self, event: Press | FormSubmit) -> Receipt | None:
        """Answer a press that opens a form, or a form with wrong values, at once and from state alone."""
        if isinstance(event, Press) and event.action not in self._actions.openers:
            return None
        try:
            async with asyncio.timeout(WHO_S):
                event, actor = await self._behind(event)
        except (Unavailable, TimeoutError):
            return None  # worked on later, when it can be known who it is
        reader = self._reader(actor, event)
        if isinstance(event, FormSubmit):
            wrong = self._actions.wrong(event, reader)
            return InvalidForm(errors=wrong) if wrong else None
        try:
            form = await self._actions.opened_by(actor, event, reader)
        except self._replies.expected:
            return None  # worked on like any press, so that the reason is said in the conversation
        return None if form is None else Shown(form=form)

    async def work(self, entry: InboxEntry, event: Inbound | Due) -> Reply:
        """Answer one event; what was taken back goes without a word."""
        if isinstance(event, Due):
            return await self._go_on(entry, event)
        if isinstance(event, Withdrawn):
            return Reply(outcome=Outcome.ANSWERED, refresh=await self._withdrawals.withdraw(event))
        if isinstance(event, Message) and event.overheard:
            return await self._overheard(entry, event)
        return await self._work(entry, event)

    async def _overheard(self, entry: InboxEntry, event: Message) -> Reply:
        """Answer what was said to nobody where the desk is sure; else nothing is left of it but the record."""

        async def ask(settings: ChannelSettings) -> Asked:
            known, actor = await self._behind(event)
            reader = self._reader(actor, known, settings)
            heard = Heard(actor, known, reader, _narrowed(await self._readers.of(known), settings))
            return Asked(self._messages.request(heard), reader)

        try:
            overheard = await self._listener.answer(event, self._channel_of(event), ask)
        except self._replies.expected:
            return Reply(outcome=Outcome.REFUSED)
        if overheard.asked is None or overheard.said is None:
            return Reply(outcome=Outcome.NO_EVIDENCE, writes=overheard.writes)
        asked = overheard.asked.request
        reply = self._reply(
            entry,
            event,
            overheard.asked.reader,
            overheard.said,
            readership=asked.readership,
            actor_id=asked.actor.id,
        )
        return replace(reply, writes=(*overheard.writes, *reply.writes))

    def _channel_of(self, event: Act) -> JsonObject | None:
        """Return the target of the channel that an event comes from, where others read along."""
        return self._channels.around(envelope(event, "en")) if is_shared(event) else None

    async def _work(self, entry: InboxEntry, event: Act) -> Reply:
        event, actor = await self._behind(event)
        settings = await self._channels.settings(self._channel_of(event))
        reader = await self._reader_of(actor, event, settings)
        readership = _narrowed(await self._readers.of(event), settings)
        try:
            if isinstance(event, Message):
                said = await self._messages.answer(entry, Heard(actor, event, reader, readership, settings))
            else:
                said = await self._answer(entry, event, actor, reader, readership)
        except self._replies.expected as error:
            words = self._replies.of(error, reader, guest=actor.kind is ActorKind.GUEST)
            said = note(Outcome.REFUSED, words, tone="warn", refresh=self._subject_of(event))
            said = replace(said, blocks=(*said.blocks, *self._typed(event, reader)))
        reply = self._reply(entry, event, reader, said, readership=readership, actor_id=actor.id)
        address = self._messages.remembering_address(event, actor, reader)
        channel = self._messages.remembering_channel(event, reader)
        return replace(reply, writes=(address, *channel, *reply.writes))

    def _subject_of(self, event: Act) -> tuple[str, ...]:
        """Return what a refused press was about: its cards may be out of date, so they are drawn again."""
        if not isinstance(event, Press):
            return ()
        subject = self._showing.subject([Records(kind=event.action.partition(".")[0], ids=(event.id,))])
        return (subject,) if subject else ()

    async def _go_on(self, entry: InboxEntry, due: Due) -> Reply:
        """Let a run that waited come to its answer, and say it where it was asked."""
        result = await self._runner.advance(due.run_id, cause_of(due.waits_for))
        if result is None:
            return Reply(outcome=Outcome.ANSWERED)
        actor = result.request.actor
        platform, _, language = open_envelope(due.envelope)
        reader = self._showing.reader(actor, language=language, platform=platform)
        said = await self._showing.said(actor, result, reader)
        if result.silent:
            said = replace(said, blocks=())
        if due.privately:
            said = replace(said, privately=True)
        readership = result.request.readership
        return self._posted(entry, due.envelope, reader, said, readership=readership, actor_id=actor.id)

    def _posted(
        self,
        entry: InboxEntry,
        envelope: JsonObject,
        reader: Reader,
        said: Spoken,
        *,
        readership: Readership = ALONE,
        actor_id: str = "",
    ) -> Reply:
        """Return what is said where a run was asked, some time later."""
        platform, address, _ = open_envelope(envelope)
        post = Post(
            platform=platform,
            address=dict(self._chats[platform].privately(address)) if said.privately else address,
            card=card_of_spoken(said, reader),
            key=entry.reply_key,
            subject=self._subject(platform, said),
            timezone=reader.timezone,
            whisper=others_read(readership) and said.whisper,
            again=entry.attempts > 1,
            actor_id=actor_id,
            readership=_read_by(readership, said),
        )
        posts = (post,) if said.blocks else ()
        writes = (said.run,) if said.run else ()
        return Reply(outcome=said.outcome, posts=posts, run_id=said.run_id, writes=writes, refresh=said.refresh)

    def apologise(self, entry: InboxEntry, event: Inbound | Due, error: Exception) -> Reply:
        """Say that something broke, with the reference under which the log has it."""
        if isinstance(event, Due):
            platform, _, language = open_envelope(event.envelope)
            reader = self._showing.reader_in("UTC", language=language, platform=platform)
            broke = Spoken(outcome=Outcome.FAILED, blocks=_failure(reader.language, error, entry))
            return self._posted(entry, event.envelope, reader, broke)
        if isinstance(event, Withdrawn):
            return Reply(outcome=Outcome.FAILED)  # nobody waits for a word; the log has it
        if isinstance(event, Message) and event.overheard:
            return Reply(outcome=Outcome.FAILED)
        language = (language_of(event.text) or "en") if isinstance(event, Message) else "en"
        if event.account.language and not isinstance(event, Message):
            language = "zh" if event.account.language.startswith("zh") else "en"
        reader = self._showing.reader_in("UTC", language=language, platform=event.account.platform)
        blocks = (*_failure(language, error, entry), *self._typed(event, reader))
        readership = Shared(PUBLIC) if is_shared(event) else ALONE
        return self._reply(entry, event, reader, Spoken(Outcome.FAILED, blocks), readership=readership)

    async def _behind(self, event: E) -> tuple[E, Actor]:
        """Return the event with what its platform knows of the account now, and the actor behind it."""
        chat = self._chats[event.account.platform]
        try:
            account = await chat.identify(event.account, event.address)
        except Undeliverable:
            account = replace(event.account, kind="external")  # nobody knows them: no more than the public's
        return replace(event, account=account), await self._people.behind(account)

    async def _answer(
        self,
        entry: InboxEntry,
        event: Press | FormSubmit | Joined | Feedback | HomeOpened,
        actor: Actor,
        reader: Reader,
        readership: Readership,
    ) -> Spoken | None:
        match event:
            case Press():
                return await self._pressed(entry, event, actor, reader, readership)
            case FormSubmit():
                return await self._actions.sent(actor, event, reader, readership)
            case Joined():
                return await self._welcome(event, actor, reader)
            case Feedback():
                return await self._judged(event, actor, reader)
            case HomeOpened():
                await self._home_opened(event, actor, reader)
                return None
            case _:
                assert_never(event)

    async def _pressed(
        self, entry: InboxEntry, press: Press, actor: Actor, reader: Reader, readership: Readership
    ) -> Spoken:
        if press.action == "answer.private":
            return await self._privately(entry, press, actor)
        if press.action in self._actions.openers:
            return await self._not_opened(press, actor, reader)
        return await self._actions.press(actor, press, reader, readership)

    async def _not_opened(self, press: Press, actor: Actor, reader: Reader) -> Spoken:
        """Say why a press opened no form: what is in the way is raised here, else the platform was too slow."""
        await self._actions.opened_by(actor, press, reader)
        return note(Outcome.REFUSED, say(reader.language, "form.press_again"), tone="warn")

    async def _judged(self, event: Feedback, actor: Actor, reader: Reader) -> Spoken | None:
        run_id = event.id or await self._messages.answer_at(event)
        try:
            await self._runs.feedback(actor, run_id, verdict=event.verdict, reason=event.reason or "")
        except RunNotFound:
            return note(Outcome.REFUSED, say(reader.language, "feedback.not_yours"), tone="warn")
        return None

    async def _home_opened(self, event: HomeOpened, actor: Actor, reader: Reader) -> None:
        card = card_of(await self._home.blocks(actor, reader), reader, fallback=say(reader.language, "home.title"))
        await self._chats[event.account.platform].publish_home(event.address, card)

    async def _privately(self, entry: InboxEntry, press: Press, actor: Actor) -> Spoken:
        """Answer a question again for the asker alone, in a thread of its own, so that nothing of it comes back."""
        run = await self._runs.show(actor, press.id)
        asked = Message(
            event_id=press.event_id,
            account=press.account,
            address=self._chats[press.account.platform].privately(press.address),
            thread=private_thread(press.thread, actor),
            received_at=press.received_at,
            text=run.text,
            unseen=True,
        )
        heard = Heard(actor, asked, self._reader(actor, asked), await self._readers.of(asked))
        return replace(await self._messages.answer_privately(entry, heard), privately=True)

    async def _welcome(self, event: Joined, actor: Actor, reader: Reader) -> Spoken:
        language = reader.language
        examples = tuple(say(language, f"welcome.examples.{name}") for name in ("ask", "report", "follow"))
        blocks: Sequence[Block] = (
            Text(say(language, "welcome.text")),
            Suggestions(label=say(language, "welcome.try"), items=examples),
        )
        home = await self._home.blocks(actor, reader) if event.private else ()
        return Spoken(Outcome.ANSWERED, (*blocks, *home))

    def _reader(self, actor: Actor, event: Event, settings: ChannelSettings = DEFAULT) -> Reader:
        own = spoken(actor)
        bare = self._chats[event.account.platform].limits.bare_commands
        language = own
        if isinstance(event, Message):
            chosen = actor.preferences.language and not is_shared(event)  # where others read, it is theirs, too
            language = own if chosen else language_of(self._grammar.own_words(event.text, bare=bare)) or own
        language = settings.language or language
        return replace(self._showing.reader(actor, language=language, platform=event.account.platform), bare=bare)

    async def _reader_of(self, actor: Actor, event: Act, settings: ChannelSettings) -> Reader:
        """Return the reader of an answer; what is in no language, a bare command, is answered in that of before."""
        reader = self._reader(actor, event, settings)
        if not isinstance(event, Message) or settings.language or actor.preferences.language:
            return reader
        if language_of(self._grammar.own_words(event.text, bare=reader.bare)):
            return reader
        before = await self._messages.spoken_before(actor, event.account.platform)
        return replace(reader, language="zh" if before == "zh" else "en") if before else reader

    def _typed(self, event: Act, reader: Reader) -> tuple[Block, ...]:
        """Return what somebody typed into a form that came to nothing, so that they need not type it again."""
        if not isinstance(event, FormSubmit) or not any(event.values.values()):
            return ()
        return (Text(say(reader.language, "form.typed")), Facts(self._actions.typed(event, reader)))

    def _subject(self, platform: str, said: Spoken) -> str:
        judged = self._chats[platform].limits.judged_by_message and said.run_id
        return said.subject or (f"{RUN}{said.run_id}" if judged else "")

    def _reply(
        self,
        entry: InboxEntry,
        event: Act,
        reader: Reader,
        said: Spoken | None,
        *,
        readership: Readership,
        actor_id: str = "",
    ) -> Reply:
        if said is None:
            return Reply(outcome=Outcome.ANSWERED)
        if not said.blocks:  # what there is to say comes from elsewhere: a card is drawn again, a run goes on
            return Reply(outcome=said.outcome, run_id=said.run_id, refresh=said.refresh)
        shared = others_read(readership) and not said.privately
        taken_out = (Note(say(reader.language, "secrets.taken_out"), tone="warn"),) if entry.redacted else ()
        subject = self._subject(event.account.platform, said)
        if not subject:
            said = replace(said, blocks=(*said.blocks, *taken_out))
        chat = self._chats[event.account.platform]
        post = Post(
            platform=event.account.platform,
            address=dict(chat.privately(event.address) if said.privately else event.address),
            card=card_of_spoken(said, reader),
            key=entry.reply_key,
            subject=subject,
            timezone=reader.timezone,
            whisper=isinstance(event, Feedback) or (shared and (said.whisper or _is_refusal(event, said))),
            again=entry.attempts > 1,
            actor_id=actor_id,
            readership=_read_by(readership, said),
        )
        posts = [post]
        if taken_out and subject:  # a card that is drawn again from its state would lose it
            posts.append(replace(post, card=card_of(taken_out, reader), key=f"taken:{entry.id}", subject=""))
        if shared and said.offer:
            offer = card_of(said.offer, reader)
            posts.append(replace(post, card=offer, key=f"offer:{entry.id}", subject="", whisper=True))
        return Reply(
            outcome=said.outcome,
            posts=tuple(posts),
            run_id=said.run_id,
            writes=(said.run,) if said.run else (),
            refresh=said.refresh,
        )


def _narrowed(readership: Readership, settings: ChannelSettings) -> Readership:
    """Return who reads along with what may be said to them by how the channel is set."""
    return replace(readership, sources=settings.sources) if isinstance(readership, Shared) else readership


def _read_by(readership: Readership, said: Spoken) -> Alone | Shared:
    """Return who reads what is said."""
    if said.privately:
        return Alone(readership.thread)
    return readership.otherwise if isinstance(readership, ThreadOnly) else readership


def _is_refusal(event: Act, said: Spoken) -> bool:
    """Return whether somebody pressed what they may not, or too late: the reason is for their eyes."""
    return isinstance(event, Press | FormSubmit) and said.outcome in (Outcome.REFUSED, Outcome.FAILED)


def _failure(language: str, error: Exception, entry: InboxEntry) -> tuple[Block, ...]:
    pages = error.left if isinstance(error, IndexBeingMade) else 0
    return failure(language, _code_of(error), entry.id, pages=pages)


def _code_of(error: Exception) -> str:
    match error:
        case TimeoutError():
            return "timeout"
        case GaveUp(deadly=True):
            return "deadly"
        case IndexBeingMade():
            return "index"
        case IndexUnavailable() | IndexUnusable():
            return "search"
        case _:
            return "internal"
