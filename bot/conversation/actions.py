"""Presses and forms: from what came to the handler of the feature that it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from adapters.cards import Form
from adapters.events import FormSubmit, Press
from adapters.port import Chat
from agent.approvals import approval as decided
from agent.approvals.approval import Verdict
from agent.approvals.approvals import Approvals
from agent.errors import ApprovalNotFound
from agent.memory.memory import Memory
from agent.results import Records
from agent.runner.causes import FormSent
from agent.runner.direct import Direct
from agent.runner.runner import Runner
from agent.runner.waiting import answer_key
from agent.runs.answer import Answer, Outcome
from agent.runs.run import is_about
from agent.runs.runs import Runs, Write
from bot.channels.channels import ChannelService
from bot.conversation.requests import channel_of, envelope, request_of
from bot.delivery.showing import Showing
from bot.delivery.store import posted_of
from bot.rendering.texts.catalogue import say
from features.anatomy.feature import Feature
from features.anatomy.handling import Heard, OnPress, Pressed, Sent
from features.anatomy.reader import Reader, when
from features.anatomy.spoken import Spoken, note, refusal
from identity.actor import Actor
from identity.readership import Readership
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonValue


@dataclass(frozen=True)
class Engine:
    """Calls tools for people who pressed, sent or typed something; no brain is on this path."""

    clock: Clock
    runs: Runs
    memory: Memory
    direct: Direct
    showing: Showing
    runner: Runner
    chats: Mapping[str, Chat]
    channels: ChannelService
    database: Database

    async def call(self, heard: Heard, tool: str, arguments: Mapping[str, JsonValue], *, text: str) -> Spoken:
        """Call a tool through the gate, and say what came of it."""
        request = request_of(heard, text=text, now=self.clock.now(), channel=channel_of(heard.event, self.chats))
        request = await self.channels.placed(request)
        return await self.showing.said(heard.actor, await self.direct.call(request, tool, arguments), heard.reader)

    async def stands(self, heard: Heard, subject: str) -> bool:
        """Return whether a card of `subject`, which is drawn again as it changes, stands in the thread."""
        async with self.database.reading() as session:
            places = await posted_of(session, subject)
        return any(each.thread == heard.event.thread for each in places)

    async def filled(self, sent: Sent, subject: Records, answer: Answer) -> Write | None:
        """Let a form answer the run that asked about `subject`; return what writes it, None where none asked."""
        asked = await self.runs.waiting(answer_key(sent.actor.id, sent.event.thread))
        if asked is None or not is_about(asked, subject):
            return None
        request = request_of(sent, text=asked.text, now=self.clock.now())
        result = await self.runner.advance(asked.id, FormSent(request, sent.event.values, answer))
        return None if result is None else result.unwritten


class Actions:
    """Carries out presses and forms."""

    def __init__(self, features: tuple[Feature, ...], engine: Engine, approvals: Approvals) -> None:
        self.engine = engine
        self._approvals = approvals
        self._presses: Mapping[str, OnPress] = {
            "approval.confirm": self._decide,
            "approval.decline": self._decide,
            **{action: handler for feature in features for action, handler in feature.buttons.items()},
        }
        self.openers = {action: opener for feature in features for action, opener in feature.openers.items()}
        self._forms = {name: form for feature in features for name, form in feature.forms.items()}

    async def press(self, actor: Actor, event: Press, reader: Reader, readership: Readership) -> Spoken:
        """Do what the button says, or say why not."""
        handler = self._presses.get(event.action)
        if handler is None:
            return note(Outcome.REFUSED, refusal(reader.language, "unknown_button", event.action))
        return await handler(Pressed(actor, event, reader, readership, self.engine))

    async def opened_by(self, actor: Actor, press: Press, reader: Reader) -> Form | None:
        """Return the form that a press opens; None when it opens none. Raises what is in the way."""
        opener = self.openers.get(press.action)
        return None if opener is None else await opener(actor, press, reader)

    def wrong(self, event: FormSubmit, reader: Reader) -> Mapping[str, str]:
        """Return what is wrong with each value, from the values alone; empty when they can be taken."""
        form = self._forms.get(event.form)
        return {} if form is None else form.wrong(event, reader)

    async def sent(self, actor: Actor, event: FormSubmit, reader: Reader, readership: Readership) -> Spoken:
        """Do what the form is for."""
        form = self._forms.get(event.form)
        if form is None:
            return note(Outcome.REFUSED, say(reader.language, "form.gone"), tone="warn")
        return await form.sent(Sent(actor, event, reader, readership, self.engine))

    def typed(self, event: FormSubmit, reader: Reader) -> tuple[tuple[str, str], ...]:
        """Return the fields of a form and what was typed into them, as people read them."""
        form = self._forms.get(event.form)
        filled = [(name, value) for name, value in event.values.items() if value]
        return tuple((name, value) if form is None else form.row(reader, name, value) for name, value in filled)

    async def _decide(self, pressed: Pressed) -> Spoken:
        verdict: Verdict = "confirm" if pressed.event.action == "approval.confirm" else "decline"
        try:
            outcome = await self._approvals.decide(
                pressed.actor,
                pressed.event.id,
                nonce=pressed.event.nonce,
                verdict=verdict,
                place=envelope(pressed.event, pressed.reader.language),
            )
        except ApprovalNotFound:
            return note(Outcome.REFUSED, say(pressed.reader.language, "approval.gone"), tone="warn")
        return await self._decided(pressed, outcome)

    async def _decided(self, pressed: Pressed, outcome: decided.Decided) -> Spoken:
        language, refresh, showing = pressed.reader.language, (f"approval:{pressed.event.id}",), self.engine.showing
        match outcome:
            case decided.Executed(goes_on=True):
                return Spoken(outcome=Outcome.ANSWERED, blocks=(), refresh=refresh)
            case decided.Executed(result=result):
                blocks = await showing.blocks(pressed.actor, result.results, pressed.reader)
                private = showing.is_private(result.results)
                return Spoken(outcome=Outcome.ANSWERED, blocks=blocks, refresh=refresh, whisper=private)
            case decided.Declined():
                moment = when(self.engine.clock.now(), pressed.reader)
                words = say(language, "approval.declined", name=pressed.actor.name, when=moment)
                return note(Outcome.ANSWERED, words, refresh=refresh)
            case decided.ExecutionFailed(code=code, detail=detail):
                return note(Outcome.REFUSED, refusal(language, code, detail), tone="warn", refresh=refresh)
            case _:
                return _not_decided(pressed, outcome, refresh)


def _not_decided(pressed: Pressed, outcome: decided.Decided, refresh: tuple[str, ...]) -> Spoken:
    language, reader = pressed.reader.language, pressed.reader
    match outcome:
        case decided.AlreadyDecided(by=by, at=at) | decided.InProgress(by=by, at=at):
            words = say(language, "approval.already", name=by, when=when(at, reader))
        case decided.TooLate():
            words = say(language, "approval.expired")
        case decided.SomebodyElses(owner=owner):
            return note(Outcome.REFUSED, say(language, "approval.wrong_person", name=owner), tone="warn")
        case decided.Outdated():
            words = say(language, "approval.stale")
        case decided.Changed():
            words = say(language, "approval.changed")
        case decided.NoLongerPermitted(reason=reason):
            words = refusal(language, "not_permitted", reason)
        case decided.Undecidable(approval=approval):
            moment = when(approval.decided_at, reader) if approval.decided_at else ""
            words = say(language, "approval.unknown", name=approval.decided_by, when=moment)
        case decided.Executed() | decided.Declined() | decided.ExecutionFailed():
            raise TypeError(outcome)  # handled by the caller
        case _:
            assert_never(outcome)
    return note(Outcome.REFUSED, words, tone="warn", refresh=refresh)
