"""Forms: which press opens which, how they are checked at once, and what sending them does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from adapters.cards import Form
from adapters.events import FormSubmit, Press
from agent.memory.memory import Memory
from agent.runs.answer import Outcome
from agent.tools.drafts import waiting
from bot.delivery.showing import Showing
from bot.rendering.cards import Reader
from bot.rendering.spoken import Spoken, note
from bot.rendering.texts.catalogue import say
from bot.rendering.ticket_cards import LINE_CHARS, PARAGRAPH_CHARS, draft_form, line_form
from identity.actor import Actor
from tickets.config import TicketsConfig
from tickets.service import TicketService


@dataclass(frozen=True)
class Sent:
    """A form with everything that the platform vouches for."""

    actor: Actor
    event: FormSubmit
    reader: Reader


class Forms:
    """Opens, checks and carries out forms."""

    def __init__(self, *, tickets: TicketService, memory: Memory, showing: Showing, config: TicketsConfig) -> None:
        self.tickets = tickets
        self.memory = memory
        self.showing = showing
        self.config = config

    async def opened_by(self, actor: Actor, press: Press, reader: Reader) -> Form | None:
        """Return the form that a press opens; None when it opens none. Raises what is in the way."""
        opener = OPENERS.get(press.action)
        return None if opener is None else await opener(self, actor, press, reader)

    def wrong(self, event: FormSubmit, reader: Reader) -> Mapping[str, str]:
        """Return what is wrong with each value, from the values alone; empty when they can be taken."""
        if event.form == "draft.fields":
            return self._wrong_draft(event, reader)
        words = event.values.get("text", "").strip()
        return {} if words else {"text": say(reader.language, "draft.required")}

    async def sent(self, sent: Sent) -> Spoken:
        """Do what the form is for."""
        handler = SENT.get(sent.event.form)
        if handler is None:
            return note(Outcome.REFUSED, say(sent.reader.language, "draft.gone"), tone="warn")
        return await handler(self, sent)

    def _wrong_draft(self, event: FormSubmit, reader: Reader) -> Mapping[str, str]:
        language, values = reader.language, event.values
        required = ("title", "description", *self.config.required_fields(values.get("category", "")))
        wrong = {name: say(language, "draft.required") for name in required if not values.get(name, "").strip()}
        for name, value in values.items():
            limit = PARAGRAPH_CHARS if name == "description" else LINE_CHARS
            if len(value) > limit:
                wrong[name] = say(language, "draft.too_long", limit=limit)
        return {name: words for name, words in wrong.items() if name in values}


async def _open_draft(forms: Forms, actor: Actor, press: Press, reader: Reader) -> Form:
    draft = await forms.tickets.open_draft(actor, press.id, nonce=press.nonce)
    nonce = await forms.tickets.nonce_for(actor, draft.id)
    return draft_form(draft, reader, forms.config, nonce=nonce)


async def _open_line(forms: Forms, actor: Actor, press: Press, reader: Reader, *, name: str) -> Form:
    ticket = await forms.tickets.show(actor, press.id)
    language = reader.language
    title = say(language, f"ticket.form.{name}_title", number=ticket.number)
    return line_form(f"ticket.{name}", ticket, language, title=title, label=say(language, f"ticket.form.{name}_label"))


async def _open_comment(forms: Forms, actor: Actor, press: Press, reader: Reader) -> Form:
    return await _open_line(forms, actor, press, reader, name="comment")


async def _open_resolve(forms: Forms, actor: Actor, press: Press, reader: Reader) -> Form:
    return await _open_line(forms, actor, press, reader, name="resolve")


async def _open_reopen(forms: Forms, actor: Actor, press: Press, reader: Reader) -> Form:
    return await _open_line(forms, actor, press, reader, name="reopen")


async def _save_draft(forms: Forms, sent: Sent) -> Spoken:
    """Take the values; the draft's own card shows them, so only a line is said."""
    draft = await forms.tickets.revise(sent.actor, sent.event.id, changes=sent.event.values, nonce=sent.event.nonce)
    await forms.memory.note(sent.actor, thread=sent.event.thread, last=waiting(draft))
    outcome = Outcome.ASKED_BACK if draft.missing else Outcome.NEEDS_APPROVAL
    words = say(sent.reader.language, "draft.revised")
    return note(outcome, words, tone="good", refresh=(f"draft:{draft.id}",))


async def _comment(forms: Forms, sent: Sent) -> Spoken:
    words = sent.event.values.get("text", "")
    ticket = await forms.tickets.comment(sent.actor, sent.event.id, text=words, key=sent.event.event_id)
    return await _told(forms, sent, ticket.number, "ticket.commented")


async def _resolve(forms: Forms, sent: Sent) -> Spoken:
    ticket = await forms.tickets.resolve(sent.actor, sent.event.id, resolution=sent.event.values.get("text", ""))
    return await _told(forms, sent, ticket.number, "ticket.resolved")


async def _reopen(forms: Forms, sent: Sent) -> Spoken:
    ticket = await forms.tickets.reopen(sent.actor, sent.event.id, reason=sent.event.values.get("text", ""))
    return await _told(forms, sent, ticket.number, "ticket.reopened")


async def _told(forms: Forms, sent: Sent, number: str, key: str) -> Spoken:
    said = note(Outcome.ANSWERED, say(sent.reader.language, key, number=number), tone="good")
    shown = await forms.showing.ticket(sent.actor, number, sent.reader)
    return Spoken(outcome=Outcome.ANSWERED, blocks=(*said.blocks, *shown), whisper=True)


Opener = Callable[[Forms, Actor, Press, Reader], Awaitable[Form]]
Sender = Callable[[Forms, Sent], Awaitable[Spoken]]

#: Action of a press → the form that it opens.
OPENERS: Mapping[str, Opener] = {
    "draft.edit": _open_draft,
    "ticket.comment": _open_comment,
    "ticket.reopen": _open_reopen,
    "ticket.resolve": _open_resolve,
}
#: Name of a form → what sending it does.
SENT: Mapping[str, Sender] = {
    "draft.fields": _save_draft,
    "ticket.comment": _comment,
    "ticket.reopen": _reopen,
    "ticket.resolve": _resolve,
}
