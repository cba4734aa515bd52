"""What an answer shows, drawn from state: drafts, tickets and approvals by id."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from adapters.cards import Block, Button, Buttons, Card, Heading, Note, Text
from agent.approvals.approval import Approval, ApprovalState
from agent.approvals.approvals import Approvals
from agent.errors import ApprovalNotFound
from agent.runner.runner import RunResult
from agent.runs.answer import Answer, Answered, AskedBack, NeedsApproval, Refused
from agent.tools.registry import Shown
from bot.delivery.store import Posted
from bot.rendering.cards import Reader, answer_blocks, card_of, refusal
from bot.rendering.spoken import Spoken
from bot.rendering.texts.catalogue import has, say
from bot.rendering.ticket_cards import draft_blocks, ticket_blocks, ticket_list_blocks, when
from identity.actor import Actor, ActorKind, system_actor
from identity.permissions import Permission
from identity.policy import decide
from storage.ids import JsonValue
from tickets.config import TicketsConfig
from tickets.errors import NotFound
from tickets.service import TicketService
from tickets.ticket import DraftState

#: The named actor that draws cards again for everybody who sees them.
REDRAW = system_actor("redraw")


def shows_in(answer: Answer) -> tuple[Shown, ...]:
    """Return what an answer shows from state."""
    return answer.shows if isinstance(answer, Answered | AskedBack | NeedsApproval) else ()


def shows_tickets(shows: Sequence[Shown]) -> bool:
    """Return whether somebody's tickets are shown: they are for their eyes, wherever they ask for them."""
    return any(each.kind in ("ticket", "tickets") for each in shows)


class Showing:
    """Draws drafts, tickets and approvals as they stand now."""

    def __init__(self, tickets: TicketService, approvals: Approvals, config: TicketsConfig, *, public_url: str) -> None:
        self._tickets = tickets
        self._approvals = approvals
        self._config = config
        self._public_url = public_url

    def reader(self, actor: Actor, *, language: str, platform: str) -> Reader:
        """Return how this actor reads a card on that platform; the web chat links within its own page."""
        return self.reader_in(actor.timezone, language=language, platform=platform)

    def reader_in(self, timezone: str, *, language: str, platform: str) -> Reader:
        """Return a reader of whom only the time zone is known."""
        base = "" if platform == "web" else self._public_url
        return Reader(language="zh" if language == "zh" else "en", timezone=timezone, base=base)

    async def blocks(self, actor: Actor, shows: Sequence[Shown], reader: Reader) -> tuple[Block, ...]:
        """Return the blocks of everything that is shown, in order."""
        blocks: list[Block] = []
        for shown in shows:
            blocks.extend(await self._one(actor, shown, reader))
        return tuple(blocks)

    async def said(self, actor: Actor, result: RunResult, reader: Reader) -> Spoken:
        """Return what a run has to say."""
        answer = _for(actor, result.answer)
        shows = shows_in(answer)
        shown = await self.blocks(actor, shows, reader)
        subject = self.subject(shows)
        may_draft = decide(actor, Permission.TICKETS_CREATE).allowed
        return Spoken(
            outcome=result.answer.outcome,
            blocks=answer_blocks(answer, reader, run_id=result.run_id, shown=shown, may_draft=may_draft) or shown,
            subject=subject,
            run_id=result.run_id,
            refresh=(subject,) if subject else (),
            whisper=shows_tickets(shows),
        )

    def subject(self, shows: Sequence[Shown]) -> str:
        """Return what a card is about, when its state may change after it was posted."""
        for shown in shows:
            if shown.kind in ("draft", "approval") and shown.ids:
                return f"{shown.kind}:{shown.ids[0]}"
        return ""

    async def redraw(self, place: Posted, *, latest: bool) -> Card | None:
        """Return the card of a place as it stands now, for everybody who sees it; None when it is gone."""
        kind, _, identifier = place.subject.partition(":")
        reader = self.reader_in(place.timezone, language=place.language, platform=place.platform)
        if kind == "draft" and not latest:
            blocks = await self._followed_draft(identifier, reader)
        else:
            blocks = await self._one(REDRAW, Shown(kind=kind, ids=(identifier,)), reader)
        return card_of(blocks, reader) if blocks else None

    async def _followed_draft(self, draft_id: str, reader: Reader) -> tuple[Block, ...]:
        """Return an older card of a draft, kept short: the newest card has what it says and the buttons."""
        heading, *rest = await self.draft(REDRAW, draft_id, reader)
        if any(isinstance(block, Buttons) for block in rest):
            return (heading, Note(say(reader.language, "draft.superseded")))
        return (heading, *rest[-1:])

    async def draft(self, actor: Actor, draft_id: str, reader: Reader, *, answerable: bool = True) -> tuple[Block, ...]:
        """Return a draft's blocks; its buttons work for its requester only."""
        try:
            draft = await self._tickets.show_draft(actor, draft_id)
        except NotFound:
            return (Note(say(reader.language, "draft.gone"), tone="warn"),)
        live = draft.state is DraftState.OPEN
        nonce = await self._tickets.nonce_for(actor, draft_id) if live else ""
        return draft_blocks(draft, reader, self._config, nonce=nonce, answerable=answerable)

    async def ticket(self, actor: Actor, number: str, reader: Reader) -> tuple[Block, ...]:
        """Return a ticket's blocks with the buttons that the actor may press."""
        return await self._ticket(actor, Shown(kind="ticket", ids=(number,)), reader)

    async def ticket_for(self, requester_id: str, number: str, reader: Reader) -> tuple[Block, ...]:
        """Return a ticket's blocks as its requester sees them, drawn by the desk itself."""
        ticket = await self._tickets.show(REDRAW, number)
        return ticket_blocks(ticket, reader, self._config, actor_id=requester_id, works=False)

    async def approval(self, actor: Actor, approval_id: str, reader: Reader) -> tuple[Block, ...]:
        """Return an approval's blocks: what would be done, and either the buttons or how it ended."""
        try:
            approval = await self._approvals.show(actor, approval_id)
        except ApprovalNotFound:
            return (Note(say(reader.language, "approval.gone"), tone="warn"),)
        what = await self._what(actor, approval, reader.language)
        asks = approval.state is ApprovalState.PENDING
        heading = Heading(
            text=say(reader.language, "approval.heading" if asks else "approval.heading_decided"),
            badge=say(reader.language, f"approval.state.{approval.state}"),
            tone="warn" if asks else "neutral",
        )
        return (heading, Text(what), *await self._decision(actor, approval, reader))

    async def _one(self, actor: Actor, shown: Shown, reader: Reader) -> tuple[Block, ...]:
        language = reader.language
        match shown.kind:
            case "draft":
                said = self._said(shown.code, language) if shown.code == "draft.already_here" else ()
                return (*said, *await self.draft(actor, shown.ids[0], reader))
            case "approval":
                return await self.approval(actor, shown.ids[0], reader)
            case "ticket":
                return await self._ticket(actor, shown, reader)
            case "tickets":
                return await self._tickets_list(actor, shown, reader)
            case _:
                return self._said(shown.code, language, number="".join(shown.ids[:1]))

    async def _ticket(self, actor: Actor, shown: Shown, reader: Reader) -> tuple[Block, ...]:
        number = shown.ids[0]
        try:
            ticket = await self._tickets.show(actor, number)
        except NotFound:
            return (Note(say(reader.language, "ticket.not_found", number=number), tone="warn"),)
        said = self._said(shown.code, reader.language, number=number, name=ticket.assignee_name or "")
        works = decide(actor, Permission.TICKETS_WORK).allowed
        return (*said, *ticket_blocks(ticket, reader, self._config, actor_id=actor.id, works=works))

    async def _tickets_list(self, actor: Actor, shown: Shown, reader: Reader) -> tuple[Block, ...]:
        queue = shown.code == "tickets.queue"
        title = say(reader.language, "ticket.queue_title" if queue else "ticket.list_title")
        if not shown.ids:
            return (Text(say(reader.language, "ticket.queue_empty" if queue else "ticket.none")),)
        found = await self._tickets.several(actor, shown.ids)
        return ticket_list_blocks(found, reader, title=title)

    def _said(self, code: str, language: str, **values: str) -> tuple[Block, ...]:
        if not code or not has(code):
            return ()
        return (Note(say(language, code, **{"name": "", **values}), tone="good"),)

    async def _what(self, actor: Actor, approval: Approval, language: str) -> str:
        arguments = approval.arguments
        key = f"approval.what.{approval.tool}"
        detail = _words(arguments.get("reason") or arguments.get("resolution") or arguments.get("text") or "")
        assignee = _words(arguments.get("assignee") or "")
        values = {
            "number": approval.resource,
            "title": await self._title(actor, approval.resource),
            "detail": assignee or detail or "–",
            "tool": approval.tool,
        }
        return say(language, key if has(key) else "approval.what.other", **values)

    async def _title(self, actor: Actor, number: str) -> str:
        try:
            return (await self._tickets.show(actor, number)).title
        except NotFound:
            return ""

    async def _decision(self, actor: Actor, approval: Approval, reader: Reader) -> tuple[Block, ...]:
        language = reader.language
        values = {
            "name": approval.decided_by,
            "when": when(approval.decided_at, reader) if approval.decided_at else "",
            "detail": _why_not(approval, language),
        }
        match approval.state:
            case ApprovalState.PENDING:
                until = say(
                    language, "approval.until", name=approval.actor_name, when=when(approval.expires_at, reader)
                )
                return (Note(until), Buttons(await self._buttons(actor, approval, language)))
            case ApprovalState.SUCCEEDED:
                return (Note(say(language, "approval.succeeded", **values), tone="good"),)
            case ApprovalState.FAILED | ApprovalState.UNKNOWN:
                return (Note(say(language, f"approval.{approval.state}", **values), tone="bad"),)
            case ApprovalState.DECLINED | ApprovalState.EXPIRED | ApprovalState.EXECUTING:
                return (Note(say(language, f"approval.{approval.state}", **values)),)
            case _:
                assert_never(approval.state)

    async def _buttons(self, actor: Actor, approval: Approval, language: str) -> tuple[Button, ...]:
        nonce = await self._approvals.nonce_for(actor, approval.id)
        return (
            Button(
                label=say(language, "approval.confirm"),
                action="approval.confirm",
                id=approval.id,
                nonce=nonce,
                style="danger",
            ),
            Button(label=say(language, "approval.decline"), action="approval.decline", id=approval.id, nonce=nonce),
        )


def _for(actor: Actor, answer: Answer) -> Answer:
    """Return the answer with its refusal as it concerns the actor: guests cannot be given the right."""
    if actor.kind is ActorKind.GUEST and isinstance(answer, Refused) and answer.code == "forbidden":
        return replace(answer, code="guest")
    return answer


def _why_not(approval: Approval, language: str) -> str:
    """Return why an approved action was not done, "" when it was."""
    code = _words(approval.error.get("code") or "")
    if code == "changed":
        return say(language, "approval.changed")
    return refusal(language, code, _words(approval.error.get("detail") or "")) if code else ""


def _words(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
