"""Tickets, as one value."""

from features.anatomy.feature import Feature, Services
from features.anatomy.texts import prompt_of
from features.anatomy.verbs import Verb
from features.tickets.buttons import TicketButtons
from features.tickets.drawing import Drawing
from features.tickets.forms import TicketForms
from features.tickets.notices import TicketNotices
from features.tickets.pages import TicketPages
from features.tickets.phrases import phrases
from features.tickets.schedules import TicketSchedules
from features.tickets.tools import reading
from features.tickets.understanding.extract import Extractor
from features.tickets.understanding.talk import TicketTalk
from storage.ids import JsonObject

_LAST = {"ticket": "last"}


def build(services: Services) -> Feature:
    """Return the feature over the ticket service."""
    config = services.tickets_config
    drawing = Drawing(services.tickets, config)
    schedules = TicketSchedules(services.tickets, services.telling)
    forms = TicketForms(services.tickets, drawing, config)
    extractor = Extractor(config)
    tools = reading.tools(services.tickets, services.people)
    return Feature(
        name="tickets",
        tools=tools,
        verbs=_verbs(extractor),
        talks=(TicketTalk(config, extractor).talk(frozenset(tool.spec.name for tool in tools)),),
        buttons=TicketButtons(services.tickets, drawing, extractor).table(),
        openers=forms.openers(),
        forms=forms.table(),
        kinds=drawing.kinds(),
        home=drawing.home,
        phrases=phrases(config),
        describe=drawing.described,
        topics=TicketNotices(drawing, services.telling).topics(),
        schedules=schedules.jobs(),
        digest=schedules.digest,
        views=TicketPages(services.tickets, config).views(),
        prompt=prompt_of("features.tickets"),
    )


def _verbs(extractor: Extractor) -> tuple[Verb, ...]:
    def drafted(words: str) -> JsonObject:
        return extractor.draft(words).as_arguments()

    return (
        Verb("ticket new", "draft_ticket", needs_rest=True, prose=True, read=drafted),
        Verb("ticket assign", "assign_ticket", ("ticket",), "assignee", unsaid=_LAST),
        Verb("ticket cancel", "cancel_ticket", ("ticket",), "reason", unsaid=_LAST, prose=True),
        Verb("ticket comment", "comment_ticket", ("ticket",), "text", needs_rest=True, unsaid=_LAST, prose=True),
        Verb("ticket list", "list_tickets"),
        Verb("ticket reopen", "reopen_ticket", ("ticket",), "reason", unsaid=_LAST, prose=True),
        Verb("ticket resolve", "resolve_ticket", ("ticket",), "resolution", needs_rest=True, unsaid=_LAST, prose=True),
        Verb("ticket show", "show_ticket", ("ticket",), unsaid=_LAST),
        Verb("ticket urge", "urge_ticket", ("ticket",), unsaid=_LAST),
    )
