"""Buttons: one table from action to use case. No language model is on this path.

A press carries an action, an id and a nonce; who presses comes from the platform. Everything is looked up and
checked again here: the card that held the button may be old, forwarded, or somebody else's.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from adapters.events import Press
from agent.approvals import approval as decided
from agent.approvals.approval import Verdict
from agent.approvals.approvals import Approvals
from agent.errors import ApprovalNotFound
from agent.memory.memory import Memory
from agent.runner.direct import Direct
from agent.runs.answer import Outcome
from agent.runs.runs import Runs
from agent.tools.drafts import settled
from bot.conversation.requests import request_of
from bot.delivery.showing import Showing, shows_tickets
from bot.rendering.cards import Reader, refusal
from bot.rendering.spoken import Spoken, note, text
from bot.rendering.texts.catalogue import say
from bot.rendering.ticket_cards import when
from identity.actor import Actor
from storage.clock import Clock
from tickets.service import TicketService


@dataclass(frozen=True)
class Pressed:
    """A press with everything that the platform vouches for."""

    actor: Actor
    event: Press
    reader: Reader


Handler = Callable[["Actions", Pressed], Awaitable[Spoken]]


class Actions:
    """Carries out presses."""

    def __init__(
        self,
        *,
        tickets: TicketService,
        approvals: Approvals,
        direct: Direct,
        runs: Runs,
        memory: Memory,
        showing: Showing,
        clock: Clock,
    ) -> None:
        self.tickets = tickets
        self.approvals = approvals
        self.direct = direct
        self.runs = runs
        self.memory = memory
        self.showing = showing
        self.clock = clock

    async def press(self, pressed: Pressed) -> Spoken:
        """Do what the button says, or say why not."""
        handler = PRESSES.get(pressed.event.action)
        if handler is None:
            return note(Outcome.REFUSED, refusal(pressed.reader.language, "unknown_button", pressed.event.action))
        return await handler(self, pressed)


async def _confirm_draft(actions: Actions, pressed: Pressed) -> Spoken:
    ticket = await actions.tickets.file(pressed.actor, pressed.event.id, nonce=pressed.event.nonce)
    await actions.memory.note(pressed.actor, thread=pressed.event.thread, last=settled(ticket.number))
    shown = await actions.showing.ticket(pressed.actor, ticket.number, pressed.reader)
    filed = text(Outcome.ANSWERED, say(pressed.reader.language, "ticket.filed", number=f"**{ticket.number}**"))
    # The draft's own cards are drawn again by what filing itself announces.
    return Spoken(outcome=Outcome.ANSWERED, blocks=(*filed.blocks, *shown))


async def _discard_draft(actions: Actions, pressed: Pressed) -> Spoken:
    draft_id = pressed.event.id
    await actions.tickets.discard(pressed.actor, draft_id, nonce=pressed.event.nonce)
    await actions.memory.note(pressed.actor, thread=pressed.event.thread, last=settled())
    moment = when(actions.clock.now(), pressed.reader)
    words = say(pressed.reader.language, "draft.discarded", name=pressed.actor.name, when=moment)
    return note(Outcome.ANSWERED, words, refresh=(f"draft:{draft_id}",))


async def _start_draft(actions: Actions, pressed: Pressed) -> Spoken:
    """Draft a ticket from the question that found no answer; the press's id is that run's."""
    run = await actions.runs.show(pressed.actor, pressed.event.id)
    return await _drafted(actions, pressed, run.text)


async def _draft_from_message(actions: Actions, pressed: Pressed) -> Spoken:
    """Draft a ticket from a message that somebody wrote; its words are data, whoever wrote them."""
    if not pressed.event.text.strip():
        return note(Outcome.REFUSED, say(pressed.reader.language, "draft.no_words"), tone="warn")
    return await _drafted(actions, pressed, pressed.event.text)


async def _drafted(actions: Actions, pressed: Pressed, words: str) -> Spoken:
    request = request_of(pressed, text=words, now=actions.clock.now())
    return await actions.showing.said(pressed.actor, await actions.direct.draft(request), pressed.reader)


async def _cancel_ticket(actions: Actions, pressed: Pressed) -> Spoken:
    """Ask for confirmation: the tool's policy makes an approval of it."""
    request = request_of(pressed, text=f"cancel {pressed.event.id}", now=actions.clock.now())
    result = await actions.direct.call(request, "cancel_ticket", {"ticket": pressed.event.id})
    return await actions.showing.said(pressed.actor, result, pressed.reader)


async def _assign_me(actions: Actions, pressed: Pressed) -> Spoken:
    ticket = await actions.tickets.assign(pressed.actor, pressed.event.id, assignee=pressed.actor)
    return await _changed(actions, pressed, ticket.number, "ticket.assigned", name=pressed.actor.name)


async def _urge(actions: Actions, pressed: Pressed) -> Spoken:
    ticket = await actions.tickets.urge(pressed.actor, pressed.event.id, key=pressed.event.event_id)
    return await _changed(actions, pressed, ticket.number, "ticket.urged")


async def _show(actions: Actions, pressed: Pressed) -> Spoken:
    blocks = await actions.showing.ticket(pressed.actor, pressed.event.id, pressed.reader)
    return Spoken(outcome=Outcome.ANSWERED, blocks=blocks, whisper=True)


async def _changed(actions: Actions, pressed: Pressed, number: str, key: str, **values: str) -> Spoken:
    said = note(Outcome.ANSWERED, say(pressed.reader.language, key, number=number, **values), tone="good")
    shown = await actions.showing.ticket(pressed.actor, number, pressed.reader)
    return Spoken(outcome=Outcome.ANSWERED, blocks=(*said.blocks, *shown), whisper=True)


async def _decide(actions: Actions, pressed: Pressed) -> Spoken:
    verdict: Verdict = "confirm" if pressed.event.action == "approval.confirm" else "decline"
    try:
        outcome = await actions.approvals.decide(
            pressed.actor, pressed.event.id, nonce=pressed.event.nonce, verdict=verdict
        )
    except ApprovalNotFound:
        return note(Outcome.REFUSED, say(pressed.reader.language, "approval.gone"), tone="warn")
    return await _decided(actions, pressed, outcome)


async def _decided(actions: Actions, pressed: Pressed, outcome: decided.Decided) -> Spoken:
    language, refresh = pressed.reader.language, (f"approval:{pressed.event.id}",)
    match outcome:
        case decided.Executed(result=result):
            blocks = await actions.showing.blocks(pressed.actor, result.shows, pressed.reader)
            return Spoken(outcome=Outcome.ANSWERED, blocks=blocks, refresh=refresh, whisper=shows_tickets(result.shows))
        case decided.Declined():
            moment = when(actions.clock.now(), pressed.reader)
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


#: Action → what it does. Actions that open a form stand in `forms.OPENERS`.
PRESSES: Mapping[str, Handler] = {
    "approval.confirm": _decide,
    "approval.decline": _decide,
    "draft.confirm": _confirm_draft,
    "draft.discard": _discard_draft,
    "draft.from_message": _draft_from_message,
    "draft.start": _start_draft,
    "ticket.assign_me": _assign_me,
    "ticket.cancel": _cancel_ticket,
    "ticket.show": _show,
    "ticket.urge": _urge,
}
