"""Reminders, as one value."""

from functools import partial

from features.anatomy.feature import Feature, Services
from features.anatomy.reader import Reader
from features.anatomy.schedules import Job
from features.anatomy.texts import prompt_of, say
from features.reminders.buttons import ReminderButtons
from features.reminders.commands import VERBS
from features.reminders.drawing import ReminderDrawing
from features.reminders.errors import ComesNoMore, NoSuchReminder, ReminderError, TimeIsOver, TooManyReminders
from features.reminders.pages import ReminderPages
from features.reminders.reminder import DELETED, POST, SET, TOPIC
from features.reminders.sending import ReminderSender
from features.reminders.service import REMINDING, ReminderService
from features.reminders.talk import talk
from features.reminders.tools import ReminderTools
from identity.actor import Actor
from identity.policy import decide
from language.scripts import Language
from storage.queue.schedules import Every

_DAY_S = 86_400.0


def build(services: Services) -> Feature:
    """Return the feature over the schedules of the queue."""
    service = ReminderService(services.database, services.clock)
    drawing = ReminderDrawing(service, services.tickets, services.directory)
    buttons = ReminderButtons(service, drawing, services.clock)
    sender = ReminderSender(service, drawing, services.telling, services.directory, services.memory)
    tools = ReminderTools(
        service, services.telling, services.tickets, services.tickets_config.prefix, services.approvals
    ).tools()
    return Feature(
        name="reminders",
        tools=tools,
        verbs=VERBS,
        talks=(talk(services.clock, frozenset(tool.spec.name for tool in tools)),),
        buttons=buttons.table(),
        openers=buttons.openers(),
        forms=buttons.forms(),
        kinds=drawing.kinds(),
        home=drawing.home,
        phrases={
            NoSuchReminder: lambda reader, _error: say(reader.language, "reminder.not_yours"),
            **dict.fromkeys((TooManyReminders, ComesNoMore, TimeIsOver), _refused),
        },
        schedules=(Job("forget what is over", Every(_DAY_S), partial(service.retain, REMINDING)),),
        slots={TOPIC: sender.send, DELETED: sender.forget},
        in_turn=(TOPIC,),
        permissions=(SET, POST),
        views=ReminderPages(service, services.clock).views(),
        example=_example,
        prompt=prompt_of("features.reminders"),
    )


def _refused(reader: Reader, error: Exception) -> str:
    return say(reader.language, f"refused.{error.code}", detail=str(error)) if isinstance(error, ReminderError) else ""


def _example(actor: Actor, language: Language) -> str:
    return say(language, "reminder.example") if decide(actor, SET).allowed else ""
