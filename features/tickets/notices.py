"""News of tickets: to the requester, to whoever has the ticket or had it, to watchers, and to those on duty."""

from collections.abc import Mapping

from adapters.cards import Block, Button, Buttons, Facts, Heading, Link
from agent.tools.execution import SCOPE
from features.anatomy.feature import OnTopic, Services
from features.anatomy.reader import Reader
from features.anatomy.telling import NewsKind, ToldNews
from features.anatomy.texts import has, say
from features.tickets.drawing import Drawing
from features.tickets.duty import Duty
from features.tickets.rendering import category_label, ticket_url
from identity.actor import Actor, system_actor
from identity.errors import UnknownPerson
from storage import once
from storage.ids import JsonObject
from tickets.errors import NotFound
from tickets.ticket import Action, Priority

#: Topics that `tickets` writes.
TICKET_CHANGED, DRAFT_FILED, DRAFT_CHANGED = "ticket.changed", "draft.filed", "draft.changed"
#: The kind of the news.
TICKET = "ticket"
#: The named actor that draws a ticket for somebody who did not ask.
NOTICE = system_actor("notice")


class TicketNotices:
    """Says what happened to a ticket, and draws what shows it again."""

    def __init__(self, drawing: Drawing, services: Services, duty: Duty) -> None:
        self._drawing = drawing
        self._duty = duty
        self._config = services.tickets_config
        self._tickets = services.tickets
        self._telling = services.telling
        self._database = services.database
        self._memory = services.memory
        self._directory = services.directory

    def topics(self) -> Mapping[str, OnTopic]:
        """Return what is done with each topic."""
        return {
            TICKET_CHANGED: self._ticket_changed,
            DRAFT_FILED: self._draft_filed,
            DRAFT_CHANGED: self._draft_changed,
        }

    def news(self) -> Mapping[str, NewsKind]:
        """Return how the news are told."""
        return {TICKET: NewsKind(self._draw, self._told)}

    async def _ticket_changed(self, change: JsonObject, key: str) -> None:
        """Tell everybody whom a change concerns, but nobody of their own deed."""
        if not has(f"notice.{_text(change, 'action')}"):
            return
        requester = _text(change, "requester_id")
        concerned = dict.fromkeys(
            (
                requester,
                _text(change, "assignee_id"),
                _text(change, "was_assignee_id"),
                _text(change, "asked_by"),  # the answer to a question
                *await self._watchers(change),
            )
        )
        urged = change.get("action") == Action.URGE
        if urged:
            concerned |= dict.fromkeys(each.id for each in await self._on_duty(change))
        stored = change.get("address")
        for person in concerned:
            if not person or person == _text(change, "actor_id"):
                continue
            # The requester is told in the thread where the ticket was made, the others where they spoke last.
            place = stored if person == requester and isinstance(stored, Mapping) else {}
            order = _text(change, "thread") if place else ""
            await self._telling.announce(
                person, TICKET, change, key=f"{key}:{person}", address=place, order=order, urgent=_is_urgent(change)
            )
        if urged:
            await self._tell_channels(change, "urge", key=key)

    async def _draft_filed(self, change: JsonObject, key: str) -> None:
        """Draw the draft's cards again, and tell those on duty of the new ticket."""
        await self._redraw_draft(change, key)
        if change.get("merged"):  # it was filed a moment ago, and told then
            return
        news: JsonObject = {**change, "action": "filed"}
        for person in await self._on_duty(news):
            await self._telling.announce(person.id, TICKET, news, key=f"{key}:{person.id}", urgent=_is_urgent(news))
        await self._tell_channels(news, "filed", key=key)

    async def _on_duty(self, change: JsonObject) -> tuple[Actor, ...]:
        people = await self._duty.people(_text(change, "category"), beside=_text(change, "actor_id"))
        return tuple([each for each in people if await self._telling.reaches(each.id)])

    async def _watchers(self, change: JsonObject) -> tuple[str, ...]:
        """Return who watches a ticket; whoever may not read it any more watches it no more."""
        ids = await self._tickets.watchers(NOTICE, _text(change, "ticket_id"))
        if not ids:
            return ()
        ticket = await self._tickets.show(NOTICE, _text(change, "number"))
        kept: list[str] = []
        for each in ids:
            try:
                watcher = await self._directory.actor(each)
            except UnknownPerson:
                continue
            if not await self._tickets.end_watching(watcher, ticket):
                kept.append(each)
        return tuple(kept)

    async def _tell_channels(self, change: JsonObject, action: str, *, key: str) -> None:
        """Tell the queue's channels; who reads there may read no tickets, so not a word of it is shown."""
        number, priority = _text(change, "number"), _text(change, "priority") or Priority.NORMAL

        async def draw(reader: Reader) -> tuple[Block, ...]:
            language = reader.language
            said = say(language, f"notice.queue.{action}", number=number)
            category = category_label(self._config, _text(change, "category"), language)
            badge = say(language, f"ticket.priority.{priority}")
            buttons = tuple(
                Button(say(language, f"ticket.button.{name}"), f"ticket.{name}", number)
                for name in ("show", "assign_me")
            )
            link = Link(say(language, "ticket.open"), ticket_url(reader, number))
            return (
                Heading(said, badge=badge, tone="bad" if _is_urgent(change) else "info"),
                Facts(((say(language, "ticket.field.category"), category),)),
                Buttons((*buttons, link)),
            )

        for target in await self._duty.channels(_text(change, "category")):
            await self._telling.post(target, draw, key=f"{key}:{target['platform']}:{target['channel']}")

    async def _draw(self, actor: Actor, change: JsonObject, reader: Reader) -> ToldNews | None:
        """Return what happened, and the ticket as this person may see it now; None when they may not see it."""
        number = _text(change, "number")
        try:
            shown = await self._drawing.ticket_for(NOTICE, actor, number, reader)
        except NotFound:
            return None
        if shown is None:
            return None
        line = say(
            reader.language,
            f"notice.{_words(change, actor)}",
            actor=_text(change, "actor_name"),
            number=number,
            detail=_detail(change, reader.language),
        )
        return ToldNews(line, number, shown, Button(f"{number}", "ticket.show", number))

    async def _told(self, actor: Actor, change: JsonObject) -> None:
        """Take note that what the requester says next in that thread is about this ticket."""
        if actor.id == _text(change, "requester_id"):
            number = _text(change, "number")
            last = {"ticket": number, "told": number}
            await self._memory.note(actor, thread=_text(change, "thread"), last=last)

    async def _draft_changed(self, change: JsonObject, key: str) -> None:
        """Show a discarded or restored draft as it is, and make a new draft of what is reported again."""
        async with self._database.transaction() as session:
            await once.erase(session, scope=SCOPE, mention=_text(change, "draft_id"))
        await self._redraw_draft(change, key)

    async def _redraw_draft(self, change: JsonObject, key: str) -> None:
        """Draw the draft's cards as it stands now, for everybody who sees them."""
        await self._telling.redraw(f"draft:{_text(change, 'draft_id')}", version=key)


def _words(change: JsonObject, reader: Actor) -> str:
    """Return the key of what is said of a change: a ticket that is given away is told in words of its own."""
    action, assignee = _text(change, "action"), _text(change, "assignee_id")
    if action != Action.ASSIGN or assignee == _text(change, "actor_id"):
        return action
    return "yours" if assignee == reader.id else "handed"


def _detail(change: JsonObject, language: str) -> str:
    """Return what is said of a change beside what it was, in the reader's language."""
    detail = _text(change, "detail")
    if detail and change.get("action") == Action.PRIORITISE:
        return say(language, f"ticket.priority.{detail}")
    return detail or say(language, "notice.no_detail")


def _is_urgent(change: JsonObject) -> bool:
    return change.get("priority") == Priority.URGENT


def _text(values: JsonObject, name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
