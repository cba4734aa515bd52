"""Buttons of drafts and tickets."""

import functools
from collections.abc import Mapping
from dataclasses import replace

from adapters.cards import Buttons, Note, Text
from agent.runs.answer import Outcome
from features.anatomy.handling import OnPress, Pressed
from features.anatomy.reader import when
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from features.tickets.drawing import Drawing
from features.tickets.rendering import undo_button
from features.tickets.tools.drafting import settled, waiting, went_wrong
from features.tickets.understanding.extract import Extractor
from tickets.service import TicketService
from tickets.ticket import Draft


class TicketButtons:
    """Carries out presses."""

    def __init__(self, tickets: TicketService, drawing: Drawing, extractor: Extractor) -> None:
        self._tickets = tickets
        self._drawing = drawing
        self._extractor = extractor

    def table(self) -> Mapping[str, OnPress]:
        """Return what each action does. Actions that open a form stand in `forms`."""
        return {
            "draft.confirm": self._confirm_draft,
            "draft.discard": self._discard_draft,
            "draft.continue": self._continue_draft,
            "draft.from_message": self._draft_from_message,
            "draft.solved": self._solved,
            "draft.start": self._start_draft,
            "draft.undo": self._undo_discard,
            "draft.urgent": functools.partial(self._start_draft, priority="urgent"),
            "ticket.assign_me": self._assign_me,
            "ticket.cancel": self._cancel_ticket,
            "ticket.show": self._show,
            "ticket.urge": self._urge,
        }

    async def _confirm_draft(self, pressed: Pressed) -> Spoken:
        ticket = await self._tickets.file(pressed.actor, pressed.event.id, nonce=pressed.event.nonce)
        await self._settled(pressed, ticket.number)
        shown = await self._drawing.ticket(pressed.actor, ticket.number, pressed.reader)
        words = say(pressed.reader.language, "ticket.filed", number=f"**{ticket.number}**")
        # The draft's own cards are drawn again by what filing itself announces.
        told = await self._drawing.told(pressed.actor, ticket.number, pressed.reader)
        return Spoken(outcome=Outcome.ANSWERED, blocks=(Text(words), told, *shown))

    async def _discard_draft(self, pressed: Pressed) -> Spoken:
        draft_id = pressed.event.id
        await self._tickets.discard(pressed.actor, draft_id, nonce=pressed.event.nonce)
        await self._settled(pressed, discarded=draft_id)
        moment = when(pressed.engine.clock.now(), pressed.reader)
        words = say(pressed.reader.language, "draft.discarded", name=pressed.actor.name, when=moment)
        undo = undo_button(draft_id, pressed.reader.language, await self._tickets.nonce_for(pressed.actor, draft_id))
        # The draft's own cards are drawn again by what discarding announces.
        return Spoken(Outcome.ANSWERED, (Note(words), Buttons((undo,))))

    async def _solved(self, pressed: Pressed) -> Spoken:
        """Discard a draft because the steps that were shown first have helped."""
        draft = await self._tickets.discard(pressed.actor, pressed.event.id, nonce=pressed.event.nonce)
        await self._settled(pressed, discarded=draft.id)
        blocks = await self._drawing.discarded(pressed.actor, draft.id, pressed.reader, code="draft.solved")
        return Spoken(Outcome.ANSWERED, blocks)

    async def _settled(self, pressed: Pressed, number: str = "", *, discarded: str = "") -> None:
        """Note that a draft is filed or gone; what still waits in the thread is spoken of then."""
        thread = pressed.event.thread
        others = await self._tickets.drafts_of(pressed.actor, thread=thread)
        last = settled(number, discarded=discarded, other=next(iter(others), None))
        await pressed.engine.memory.note(pressed.actor, thread=thread, last=last)

    async def _continue_draft(self, pressed: Pressed) -> Spoken:
        """Go on with a draft because the steps that were shown first have not helped."""
        event, language = pressed.event, pressed.reader.language
        last = (await pressed.engine.memory.recall(pressed.actor, thread=event.thread)).last
        tried = last.get("tried", "") if last.get("draft") == event.id else ""
        draft = await self._tickets.open_draft(pressed.actor, event.id, nonce=event.nonce)
        changes = went_wrong(draft, tried, language=language)
        if changes:
            draft = await self._tickets.revise(pressed.actor, draft.id, changes=changes, nonce=event.nonce)
        await pressed.engine.memory.note(pressed.actor, thread=event.thread, last=waiting(draft))
        return await self._shown_draft(pressed, draft)

    async def _undo_discard(self, pressed: Pressed) -> Spoken:
        draft = await self._tickets.restore(pressed.actor, pressed.event.id, nonce=pressed.event.nonce)
        await pressed.engine.memory.note(pressed.actor, thread=pressed.event.thread, last=waiting(draft))
        return await self._shown_draft(pressed, draft)

    async def _shown_draft(self, pressed: Pressed, draft: Draft) -> Spoken:
        blocks = await self._drawing.draft(pressed.actor, draft.id, pressed.reader)
        outcome = Outcome.ASKED_BACK if draft.missing else Outcome.NEEDS_APPROVAL
        return Spoken(outcome, blocks, subject=f"draft:{draft.id}", refresh=(f"draft:{draft.id}",))

    async def _start_draft(self, pressed: Pressed, **given: str) -> Spoken:
        """Draft a ticket from the words of a run: they found no answer, or raised an alarm. The press's id is it."""
        run = await pressed.engine.runs.show(pressed.actor, pressed.event.id)
        return await self._draft(pressed, run.text, **given)

    async def _draft_from_message(self, pressed: Pressed) -> Spoken:
        """Draft a ticket from a message that somebody wrote; its words are data, whoever wrote them."""
        if not pressed.event.text.strip():
            return note(Outcome.REFUSED, say(pressed.reader.language, "draft.no_words"), tone="warn")
        return await self._draft(pressed, pressed.event.text)

    async def _draft(self, pressed: Pressed, words: str, **given: str) -> Spoken:
        arguments = {**self._extractor.draft(words).as_arguments(), **given}
        return await pressed.engine.call(pressed, "draft_ticket", arguments, text=words)

    async def _cancel_ticket(self, pressed: Pressed) -> Spoken:
        """Ask for confirmation: the tool's policy makes an approval of it."""
        number = pressed.event.id
        return await pressed.engine.call(pressed, "cancel_ticket", {"ticket": number}, text=f"cancel {number}")

    async def _assign_me(self, pressed: Pressed) -> Spoken:
        ticket = await self._tickets.assign(pressed.actor, pressed.event.id, assignee=pressed.actor)
        return await self._changed(pressed, ticket.number, "ticket.assigned", name=pressed.actor.name)

    async def _urge(self, pressed: Pressed) -> Spoken:
        ticket = await self._tickets.urge(pressed.actor, pressed.event.id, key=pressed.event.event_id)
        said = await self._changed(pressed, ticket.number, "ticket.urged")
        told = await self._drawing.told(pressed.actor, ticket.number, pressed.reader)
        return replace(said, blocks=(said.blocks[0], told, *said.blocks[1:]))

    async def _show(self, pressed: Pressed) -> Spoken:
        blocks = await self._drawing.ticket(pressed.actor, pressed.event.id, pressed.reader)
        return Spoken(outcome=Outcome.ANSWERED, blocks=blocks, whisper=True)

    async def _changed(self, pressed: Pressed, number: str, key: str, **values: str) -> Spoken:
        said = note(Outcome.ANSWERED, say(pressed.reader.language, key, number=number, **values), tone="good")
        shown = await self._drawing.ticket(pressed.actor, number, pressed.reader)
        return Spoken(outcome=Outcome.ANSWERED, blocks=(*said.blocks, *shown), whisper=True)
