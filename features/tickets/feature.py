"""Tickets, as one value."""

from dataclasses import replace

from features.anatomy.feature import Feature, Services
from features.anatomy.texts import prompt_of
from features.tickets.buttons import TicketButtons
from features.tickets.commands import VERBS
from features.tickets.drawing import Drawing
from features.tickets.duty import Duty
from features.tickets.forms import TicketForms
from features.tickets.notices import TicketNotices
from features.tickets.pages import TicketPages
from features.tickets.phrases import phrases
from features.tickets.schedules import TicketSchedules
from features.tickets.sections import TicketSections
from features.tickets.tools import reading
from features.tickets.understanding.extract import Extractor
from features.tickets.understanding.talk import TicketTalk


def build(services: Services) -> Feature:
    """Return the feature over the ticket service."""
    config = services.tickets_config
    duty = Duty(services)
    drawing = Drawing(services.tickets, config, duty)
    notices = TicketNotices(drawing, services, duty)
    schedules = TicketSchedules(services.tickets, services.telling)
    forms = TicketForms(services.tickets, drawing, config)
    extractor = Extractor(config)
    tools = reading.tools(services.tickets, services.people)
    return Feature(
        name="tickets",
        tools=tools,
        verbs=(replace(VERBS[0], read=lambda words: extractor.draft(words).as_arguments()), *VERBS[1:]),
        talks=(TicketTalk(config, extractor).talk(frozenset(tool.spec.name for tool in tools)),),
        buttons=TicketButtons(services.tickets, drawing, extractor).table(),
        openers=forms.openers(),
        forms=forms.table(),
        kinds=drawing.kinds(),
        home=drawing.home,
        phrases=phrases(config),
        describe=drawing.described,
        topics=notices.topics(),
        news=notices.news(),
        schedules=schedules.jobs(),
        sections=TicketSections(services.tickets).sections(),
        views=TicketPages(services.tickets, config, services.directory).views(),
        prompt=prompt_of("features.tickets"),
    )
