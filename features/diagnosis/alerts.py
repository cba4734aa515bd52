"""Alerts of Alertmanager: taken by a webhook, diagnosed, posted into the on-call channel, edited when they resolve."""

import hmac
import logging
from collections.abc import Mapping

from pydantic import ValidationError

from adapters.cards import Block, Facts, Heading, Note
from agent.results import Records
from features.anatomy.feature import DrawResult, OnTopic
from features.anatomy.handling import Hook
from features.anatomy.reader import Reader, when
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.diagnosis.drawing import REPORT, ReportDrawing
from features.diagnosis.results import findings_of, series_of
from identity.actor import Actor, system_actor
from queries.observe.errors import NoSuchReport, ObserveError
from queries.observe.report.incidents import Incident, SentGroup
from queries.observe.service import ALERTS, ObserveService
from storage.ids import JsonObject

log = logging.getLogger(__name__)

#: The kind of record of an incident, and where Alertmanager posts to.
INCIDENT, PATH = "diagnosis_incident", "/hooks/alertmanager"
#: On whose behalf alerts are looked into, and alerts that one card names.
ALERTING, _NAMED = system_actor("alerts"), 8


class AlertNotices:
    """Takes alerts and tells the channel."""

    def __init__(self, observe: ObserveService, telling: Telling, draw: DrawResult, drawing: ReportDrawing) -> None:
        self._observe = observe
        self._telling = telling
        self._draw = draw
        self._drawing = drawing

    def hooks(self) -> tuple[Hook, ...]:
        """Return where alerts come in: nowhere, until a secret is set."""
        return (Hook(PATH, self.take),) if self._observe.alert_secret else ()

    def topics(self) -> Mapping[str, OnTopic]:
        """Return what is done with alerts that came in."""
        return {ALERTS: self.tell}

    async def take(self, body: bytes, secret: str) -> int:
        """Keep a group of alerts; what comes twice is taken once."""
        if not hmac.compare_digest(secret.encode(), self._observe.alert_secret.encode()):
            return 401
        try:
            group = SentGroup.model_validate_json(body)
        except ValidationError:
            return 400
        await self._observe.take_alerts(ALERTING, group)
        return 200

    async def tell(self, payload: JsonObject, key: str) -> None:
        """Look into an incident that has no report yet, post its card once, and draw it again when it changes."""
        incident = await self._observe.incident(ALERTING, str(payload["incident"]))
        if incident is None:
            return
        if not incident.report_id and incident.firing:
            try:
                await self._observe.investigate(ALERTING, incident)
            except ObserveError as error:
                log.warning("an alert could not be looked into: %s: %s", type(error).__name__, error)
        subject = f"{INCIDENT}:{incident.id}"

        async def draw(reader: Reader) -> tuple[Block, ...]:
            return await self.incident(ALERTING, Records(INCIDENT, (incident.id,)), reader)

        await self._telling.post(_target(self._observe.channel_of(incident)), draw, key=incident.id, subject=subject)
        await self._telling.redraw(subject, version=key)

    async def incident(self, _actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the card of an incident: what fires, what was found, what to do."""
        incident = await self._observe.incident(ALERTING, shown.ids[0])
        if incident is None:
            return ()
        report = await self._report(incident, reader)
        return (*_alerts(incident, reader), *report)

    async def _report(self, incident: Incident, reader: Reader) -> tuple[Block, ...]:
        if not incident.report_id:
            return (Note(say(reader.language, "diagnosis.alert.none")),)
        try:
            kept = await self._observe.report(ALERTING, incident.report_id)
        except NoSuchReport:
            return ()
        series = series_of(kept.report)
        return (
            *self._draw(findings_of(kept.report, reader.timezone), reader),
            *(self._draw(series, reader) if series is not None else ()),
            *await self._drawing.below(ALERTING, Records(REPORT, (kept.id,)), reader),
        )


def _alerts(incident: Incident, reader: Reader) -> tuple[Block, ...]:
    language, firing = reader.language, incident.firing
    names = ", ".join(dict.fromkeys(each.name for each in (firing or incident.alerts) if each.name))
    badge = say(language, "diagnosis.alert.firing" if firing else "diagnosis.alert.resolved")
    rows = tuple(
        (
            say(language, "diagnosis.alert.firing" if each.firing else "diagnosis.alert.resolved"),
            " · ".join(filter(None, (each.name, each.summary, when(each.ends_at or each.starts_at, reader)))),
        )
        for each in incident.alerts[:_NAMED]
    )
    heading = Heading(names or say(language, "diagnosis.alert.alert"), badge=badge, tone="bad" if firing else "good")
    return (heading, Facts(rows))


def _target(channel: str) -> JsonObject | None:
    platform, colon, name = channel.partition(":")
    return {"platform": platform, "channel": name} if colon else None
