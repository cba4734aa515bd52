"""What tickets have to say in a digest: the new, those that are open too long, wait for somebody, or are resolved."""

from functools import partial

from adapters.cards import Text
from features.anatomy.reader import Reader, when
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.anatomy.texts import say
from features.tickets.rendering import linked
from identity.permissions import Permission
from identity.policy import decide
from tickets.service import TicketService
from tickets.ticket import Facet, Priority, Reported, Ticket

#: Tickets that a section of a digest names.
NAMED = 5
#: Each facet by the name of its section.
_SECTIONS = {
    "overdue_tickets": Facet.OVERDUE,
    "new_tickets": Facet.NEW,
    "waiting_tickets": Facet.WAITING,
    "resolved_tickets": Facet.RESOLVED,
}


class TicketSections:
    """Draws them: everybody's tickets for those who work them, else one's own."""

    def __init__(self, tickets: TicketService) -> None:
        self._tickets = tickets

    def sections(self) -> tuple[DigestSection, ...]:
        """Return every section, what is most pressing first."""
        return tuple(DigestSection(name, partial(self._told, name)) for name in _SECTIONS)

    async def _told(self, name: str, asked: DigestAsked) -> Told:
        audience, reader = asked.audience, asked.reader
        if not decide(audience.actor, Permission.TICKETS_READ_OWN).allowed:
            return Told()
        beside = frozenset(_SECTIONS[each] for each in asked.sections & _SECTIONS.keys())
        found = await self._tickets.report(
            audience.actor, _SECTIONS[name], since=asked.since, beside=beside, limit=NAMED
        )
        if not found.count:
            return Told(hidden=found.hidden)
        return Told(found.count, (Text(_lines(found, reader)),), found.hidden)


def _lines(found: Reported, reader: Reader) -> str:
    lines = [_line(each, reader) for each in found.tickets]
    if found.count > len(found.tickets):
        more = say(reader.language, "ticket.and_more", count=found.count - len(found.tickets))
        lines.append(f"- [{more}]({reader.base}/tickets)")
    return "\n".join(lines)


def _line(ticket: Ticket, reader: Reader) -> str:
    """Return a ticket with what tells whether to look: how urgent it is, who has it, since when."""
    language = reader.language
    urgent = ticket.priority in (Priority.HIGH, Priority.URGENT)
    parts = [
        linked(ticket, reader),
        *([say(language, f"ticket.priority.{ticket.priority}")] if urgent else []),
        ticket.assignee_name or say(language, "ticket.unassigned"),
        when(ticket.created_at, reader),
    ]
    return "- " + " · ".join(parts)
