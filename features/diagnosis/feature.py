"""Diagnosis, as one value."""

from functools import partial

from features.anatomy.feature import Example, Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.routing import routes_of
from features.anatomy.schedules import Job
from features.anatomy.texts import prompt_of, say
from features.diagnosis.alerts import ALERTING, INCIDENT, AlertNotices
from features.diagnosis.commands import VERBS
from features.diagnosis.drawing import AGAIN, APPS, CHOOSE, PICK, REPORT, TICKET, ReportButtons, ReportDrawing
from features.diagnosis.pages import DiagnosisPages
from features.diagnosis.runbooks import Runbooks, RunbookTool
from features.diagnosis.sections import IncidentSection
from features.diagnosis.talk import blind_talk, talk
from features.diagnosis.tools import DiagnosisTools
from features.diagnosis.understanding.vocabulary import AppVocabulary
from identity.actor import Actor
from identity.errors import Forbidden
from identity.policy import decide
from identity.readership import Readership
from language.scripts import Language
from queries.observe.access.permissions import DIAGNOSE, MANAGE_SOURCES
from queries.observe.errors import NoSuchReport
from queries.observe.service import AskedIn, ObserveService
from storage.queue.schedules import Every

#: Seconds between two looks for reports that are older than they are kept.
_DAY_S = 86_400


def build(services: Services) -> Feature:
    """Return the feature over the clusters of `clusters.yaml`; with none of them, what to read instead of a look."""
    observe = services.observe
    permissions = (DIAGNOSE, MANAGE_SOURCES)
    if not observe.clusters and not observe.broken:
        tool = RunbookTool(services.search).tool()
        return Feature(name="diagnosis", permissions=permissions, tools=(tool,), talks=(blind_talk(),))
    runbooks = Runbooks(services.search)
    drawing, buttons = ReportDrawing(observe), ReportButtons(observe)
    alerts = AlertNotices(observe, services.telling, services.draw, drawing)
    return Feature(
        name="diagnosis",
        tools=DiagnosisTools(observe, runbooks).tools(),
        verbs=VERBS,
        routes=routes_of("features.diagnosis"),
        talks=(talk(AppVocabulary(observe.config)),),
        buttons={AGAIN: buttons.again, TICKET: buttons.ticket},
        openers={PICK: buttons.open},
        forms={PICK: buttons.form()},
        rights={REPORT: partial(_may_read, observe)},
        kinds={
            REPORT: RecordKind(drawing.below),
            APPS: RecordKind(drawing.apps, private=True),
            CHOOSE: RecordKind(drawing.choose),
            INCIDENT: RecordKind(alerts.incident, changes=True),
        },
        hooks=alerts.hooks(),
        topics=alerts.topics(),
        permissions=permissions,
        schedules=(Job("old reports", Every(_DAY_S), partial(observe.forget_old, ALERTING)),),
        sections=(IncidentSection(observe).section(),),
        views=DiagnosisPages(observe, runbooks).views(),
        example=_example(observe),
        prompt=prompt_of("features.diagnosis"),
    )


async def _may_read(observe: ObserveService, actor: Actor, name: str, readership: Readership) -> bool:
    """Return whether a report is within what the actor, and all who read along, may look at today where it was made."""
    report, _, channel = name.partition("@")
    try:
        await observe.report(actor, report, AskedIn(readership, channel))
    except (NoSuchReport, Forbidden):
        return False
    return True


def _example(observe: ObserveService) -> Example:
    def example(actor: Actor, language: Language) -> str:
        apps = sorted(observe.apps(actor)) if decide(actor, DIAGNOSE).allowed else []
        return say(language, "diagnosis.why", app=apps[0]) if apps else ""

    return example
