"""Forms of drafts and tickets: which press opens which, how they are checked at once, and what sending them does."""

import functools
from collections.abc import Mapping
from dataclasses import replace

from adapters.cards import Form
from adapters.events import FormSubmit, Press
from agent.results import Records
from agent.runs.answer import AskedBack, NeedsApproval, Outcome
from features.anatomy.handling import FormHandling, OnOpen, Sent
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from features.tickets.drawing import Drawing
from features.tickets.phrases import form_row
from features.tickets.rendering import LINE_CHARS, PARAGRAPH_CHARS, draft_form, line_form
from features.tickets.tools.drafting import waiting
from identity.actor import Actor
from tickets.config import TicketsConfig
from tickets.service import TicketService


class TicketForms:
    """Opens, checks and carries out forms."""

    def __init__(self, tickets: TicketService, drawing: Drawing, config: TicketsConfig) -> None:
        self._tickets = tickets
        self._drawing = drawing
        self._config = config

    def openers(self) -> Mapping[str, OnOpen]:
        """Return the form that each action opens."""
        lines = {
            f"ticket.{name}": functools.partial(self._open_line, name) for name in ("comment", "reopen", "resolve")
        }
        return {"draft.edit": self._open_draft, **lines}

    def table(self) -> Mapping[str, FormHandling]:
        """Return what is done with each form."""
        return {
            "draft.fields": FormHandling(
                self._save_draft,
                wrong=self._wrong_draft,
                row=lambda reader, name, value: form_row(reader, self._config, name, value),
            ),
            "ticket.comment": FormHandling(self._comment, wrong=_wrong_line, row=self._line_row),
            "ticket.reopen": FormHandling(self._reopen, wrong=_wrong_line, row=self._line_row),
            "ticket.resolve": FormHandling(self._resolve, wrong=_wrong_line, row=self._line_row),
        }

    def _line_row(self, reader: Reader, name: str, value: str) -> tuple[str, str]:
        return form_row(reader, self._config, name, value)

    async def _open_draft(self, actor: Actor, press: Press, reader: Reader) -> Form:
        draft = await self._tickets.open_draft(actor, press.id, nonce=press.nonce)
        nonce = await self._tickets.nonce_for(actor, draft.id)
        return draft_form(draft, reader, self._config, nonce=nonce)

    async def _open_line(self, name: str, actor: Actor, press: Press, reader: Reader) -> Form:
        ticket = await self._tickets.show(actor, press.id)
        language = reader.language
        title = say(language, f"ticket.form.{name}_title", number=ticket.number)
        label = say(language, f"ticket.form.{name}_label")
        return line_form(f"ticket.{name}", ticket, language, title=title, label=label)

    def _wrong_draft(self, event: FormSubmit, reader: Reader) -> Mapping[str, str]:
        language, values = reader.language, event.values
        about = f"{values.get('title', '')}\n{values.get('description', '')}"
        required = ("title", "description", *self._config.required_fields(values.get("category", ""), about=about))
        wrong = {name: say(language, "draft.required") for name in required if not values.get(name, "").strip()}
        for name, value in values.items():
            limit = PARAGRAPH_CHARS if name == "description" else LINE_CHARS
            if len(value) > limit:
                wrong[name] = say(language, "draft.too_long", limit=limit)
        return {name: words for name, words in wrong.items() if name in values}

    async def _save_draft(self, sent: Sent) -> Spoken:
        """Take the values; the draft's own card shows them, so only a line is said.

        A draft that was shown below an answer has no card of its own yet: an answer stays as it was said.
        """
        draft = await self._tickets.revise(sent.actor, sent.event.id, changes=sent.event.values, nonce=sent.event.nonce)
        await sent.engine.memory.note(sent.actor, thread=sent.event.thread, last=waiting(draft))
        shown = Records("draft", (draft.id,))
        answer = (
            AskedBack("draft.missing", options=draft.missing, results=(shown,))
            if draft.missing
            else NeedsApproval((shown,))
        )
        words, subject = say(sent.reader.language, "draft.revised"), f"draft:{draft.id}"
        said = note(answer.outcome, words, tone="good")
        if await sent.engine.stands(sent, subject):
            said = replace(said, refresh=(subject,))
        else:
            card = await self._drawing.draft(sent.actor, draft.id, sent.reader)
            said = replace(said, blocks=(*said.blocks, *card), subject=subject)
        return replace(said, run=await sent.engine.filled(sent, shown, answer))

    async def _comment(self, sent: Sent) -> Spoken:
        ticket = await self._tickets.comment(sent.actor, sent.event.id, text=_text(sent), key=sent.event.event_id)
        return await self._told(sent, ticket.number, "ticket.commented")

    async def _resolve(self, sent: Sent) -> Spoken:
        ticket = await self._tickets.resolve(sent.actor, sent.event.id, resolution=_text(sent))
        return await self._told(sent, ticket.number, "ticket.resolved")

    async def _reopen(self, sent: Sent) -> Spoken:
        ticket = await self._tickets.reopen(sent.actor, sent.event.id, reason=_text(sent))
        return await self._told(sent, ticket.number, "ticket.reopened")

    async def _told(self, sent: Sent, number: str, key: str) -> Spoken:
        said = note(Outcome.ANSWERED, say(sent.reader.language, key, number=number), tone="good")
        shown = await self._drawing.ticket(sent.actor, number, sent.reader)
        return Spoken(outcome=Outcome.ANSWERED, blocks=(*said.blocks, *shown), whisper=True)


def _text(sent: Sent) -> str:
    return sent.event.values.get("text", "")


def _wrong_line(event: FormSubmit, reader: Reader) -> Mapping[str, str]:
    words = event.values.get("text", "").strip()
    return {} if words else {"text": say(reader.language, "draft.required")}
