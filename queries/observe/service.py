"""The public face of diagnosis: what may be looked at, a diagnosis, and reports that were made before.

Every use case takes the actor first. The scope is decided before any request leaves; what somebody may not look at and
what does not exist are the same to them.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from identity import audit
from identity.actor import Actor
from identity.policy import decide, require
from identity.readership import ALONE, Readership
from queries.observe.access.permissions import DIAGNOSE, MANAGE_SOURCES
from queries.observe.access.scope import Granted, Reach, reach_of, selector
from queries.observe.config import AppConfig, ObserveConfig
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.diagnosis.explaining import Explainer
from queries.observe.diagnosis.neighbours import NEIGHBOUR
from queries.observe.errors import NoSuchReport, NothingNamed, ObserveError, OutOfScope, SeveralApps
from queries.observe.report import store
from queries.observe.report.compared import ComparedPart, compared
from queries.observe.report.incidents import MOST_ALERTS, Alert, Incident, SentGroup, alert_of
from queries.observe.report.kept import Door, KeptReport, ReportLine
from queries.observe.report.report import DiagnosisReport, DiagnosisRequest, Neighbour
from queries.observe.setup.opening import OpenCluster
from queries.observe.sources.limited import limited
from queries.observe.sources.recorded.recording import Recorder
from queries.observe.sources.recorded.retold import AnswerKeeper, retelling
from storage import once
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import digest, new_id
from storage.queue import work

#: Window of a diagnosis when nobody says one, the longest, and the days for which reports are kept.
USUAL_WINDOW_S, LONGEST_WINDOW_S, KEPT_DAYS = 1_800, 6 * 3_600, 90
#: Reports that a list shows.
MOST = 50
#: Topic of alerts that came in, and the source under which they are known.
ALERTS = "alerts"


@dataclass(frozen=True)
class WantedDiagnosis:
    """What somebody wants to have diagnosed, as far as they said it."""

    question: str
    language: Literal["en", "zh"] = "en"
    app: str = ""
    namespace: str = ""
    cluster: str = ""
    pod: str = ""
    window_s: int = USUAL_WINDOW_S


@dataclass(frozen=True)
class AskedIn:
    """Where somebody asks: who reads along, in which channel."""

    readership: Readership = ALONE
    channel: str = ""


HERE = AskedIn()


@dataclass
class ObserveService:
    """Use cases over the clusters of `clusters.yaml`. `broken`: what could not even be opened, and why."""

    config: ObserveConfig
    clusters: Mapping[str, OpenCluster]
    clock: Clock
    database: Database  # the desk's own, for the audit and the reports
    broken: Mapping[str, str] = field(default_factory=dict)
    alert_secret: str = field(default="", repr=False)
    explainer: Explainer | None = None  # of what nobody asked in a chat; there the brain explains

    def reach(self, actor: Actor, place: AskedIn = HERE) -> Reach:
        """Return what the actor may look at there."""
        require(actor, DIAGNOSE)
        return reach_of(self.config, actor, readership=place.readership, channel=place.channel)

    def apps(self, actor: Actor, place: AskedIn = HERE) -> Mapping[str, AppConfig]:
        """Return the apps of the directory that the actor may look at there, by name."""
        return self.reach(actor, place).apps

    def namespaces(self, actor: Actor, place: AskedIn = HERE) -> tuple[tuple[str, str], ...]:
        """Return each cluster and namespace that is known by name and that the actor may look at there."""
        reach = self.reach(actor, place)
        named = {(app.cluster, app.namespace) for app in self.config.apps.values()}
        named |= {
            (cluster, namespace)
            for scope in self.config.scopes
            for namespace in scope.namespaces
            for cluster in self.config.clusters
            if "*" not in namespace
        }
        return tuple((cluster, name) for cluster, name in sorted(named) if reach.namespaces(cluster, (name,)))

    def resolve(self, actor: Actor, wanted: WantedDiagnosis, place: AskedIn = HERE) -> DiagnosisRequest:
        """Return what is to be looked at; raise `OutOfScope`, `NothingNamed` or `SeveralApps`."""
        reach = self.reach(actor, place)
        known = self.config.apps.get(wanted.app)
        if known is not None and wanted.namespace in ("", known.namespace) and wanted.cluster in ("", known.cluster):
            app, granted = reach.app(wanted.app)
            asked = _asked(wanted, app.cluster, granted)
        elif not wanted.namespace:
            raise OutOfScope(wanted.app) if wanted.app else NothingNamed
        else:
            cluster = wanted.cluster or self._only_cluster(reach, wanted.namespace)
            labels = {"app": wanted.app} if wanted.app else {}
            asked = _asked(wanted, cluster, reach.grant(cluster, wanted.namespace, labels=labels))
        if asked.cluster not in self.clusters:
            raise OutOfScope(asked.cluster)
        return asked

    def _only_cluster(self, reach: Reach, namespace: str) -> str:
        found = [name for name in reach.clusters if reach.namespaces(name, (namespace,))]
        if not found:
            raise OutOfScope(namespace)
        if len(found) > 1:
            raise SeveralApps(tuple(f"{name}/{namespace}" for name in found))
        return found[0]

    async def diagnose(
        self,
        actor: Actor,
        asked: DiagnosisRequest,
        *,
        door: Door,
        place: AskedIn = HERE,
        run_id: str = "",
        record: Path | None = None,
        changes_since: Callable[[datetime], datetime | None] | None = None,
    ) -> KeptReport:
        """Look, conclude, and keep the report. `asked` comes from `resolve`; its scope is looked at again here.

        `changes_since` tells from the cluster's clock since when changes are wanted. With `record` what was read is
        kept in that folder, without secrets; raise OSError where it cannot be.
        """
        reach = self.reach(actor, place)
        if not _covers(reach, asked):
            raise OutOfScope(asked.app or asked.namespace)
        opened = self.clusters[asked.cluster]
        report_id = new_id("dgn")
        now = opened.now or self.clock.now()
        asked = replace(
            asked,
            run_id=run_id or report_id,
            now=now,
            changes_since=changes_since(now) if changes_since else None,
            beside=_beside(reach, asked) if asked.app and not asked.pod else (),
        )
        recorder = Recorder(opened.sources)
        sources = limited(recorder.sources if record else opened.sources, opened.breakers).sources
        keeper = None if door == "question" else AnswerKeeper(sources)  # what is asked in a chat has a run that replays
        explainer = None if door == "question" else self.explainer
        try:
            report = await diagnose(asked, keeper.sources if keeper else sources, explainer=explainer)
        except ObserveError as error:
            await self._audit(actor, asked, "failed", why=type(error).__name__)
            raise
        if record is not None:
            await recorder.save(record, asked)
        kept = KeptReport(report_id, actor.id, door, self.clock.now(), report)
        told = await asyncio.to_thread(keeper.written) if keeper else None
        async with self.database.transaction() as session:
            await store.add(session, kept, told=told)
            await self._record(session, actor, asked, "succeeded", why="")
        return kept

    async def report(self, actor: Actor, report_id: str, place: AskedIn = HERE) -> KeptReport:
        """Return a report; raise `NoSuchReport` for none, and for one that is out of the actor's scope today."""
        require(actor, DIAGNOSE)
        async with self.database.reading() as session:
            kept = await store.find(session, report_id)
        if kept is None or not _covers_report(self.reach(actor, place), kept.report):
            raise NoSuchReport(report_id)
        return kept

    async def replay(self, actor: Actor, report_id: str) -> tuple[ComparedPart, ...]:
        """Make a report again from what the sources told then, and return each part beside what was kept.

        No source is asked and nothing is written. Empty where what was told is not kept; raise `NoSuchReport`.
        """
        kept = await self.report(actor, report_id)
        async with self.database.reading() as session:
            told = await store.told(session, report_id)
        if told is None:
            return ()
        sources = await asyncio.to_thread(retelling, told)
        return compared(kept.report, await diagnose(kept.report.asked, sources))

    async def reports(self, actor: Actor, *, most: int = MOST) -> tuple[ReportLine, ...]:
        """Return the newest reports of the places that the actor may look at, newest first."""
        reach = self.reach(actor)
        async with self.database.reading() as session:
            places = await store.places(session)
            within = [(cluster, name) for cluster, name in places if reach.namespaces(cluster, (name,))]
            found = await store.newest(session, within, most=most)
        return tuple(line for line in found if self._covers_line(reach, line))

    async def take_alerts(self, actor: Actor, sent: SentGroup) -> bool:
        """Keep what an alert manager sent, and promise to look into it; False when all of it was known before."""
        require(actor, MANAGE_SOURCES)
        now, group = self.clock.now(), digest(sent.groupKey)
        async with self.database.transaction() as session:
            fresh = [
                alert
                for alert in sent.alerts[:MOST_ALERTS]
                if await once.claim(session, source=ALERTS, event_id=digest([group, alert.once]), now=now)
            ]
            if not fresh:
                return False
            before = await store.open_incident(session, group)
            known = {each.fingerprint: each for each in before.alerts} if before is not None else {}
            known |= {alert.fingerprint: alert_of(alert) for alert in fresh}
            incident = before or Incident(new_id("inc"), group, opened_at=now, changed_at=now, alerts=())
            changed = replace(incident, changed_at=now, alerts=tuple(known.values())[-MOST_ALERTS:])
            await store.put_incident(session, changed)
            await work.enqueue(
                session,
                topic=ALERTS,
                payload={"incident": changed.id},
                key=f"alerts:{digest([changed.id, *sorted(alert.once for alert in fresh)])}",
                line=f"alerts:{changed.id}",
            )
        return True

    async def incident(self, actor: Actor, incident_id: str) -> Incident | None:
        """Return an incident as it stands."""
        require(actor, MANAGE_SOURCES)
        async with self.database.reading() as session:
            return await store.incident(session, incident_id)

    async def incidents(self, actor: Actor, *, most: int = MOST) -> tuple[Incident, ...]:
        """Return the newest incidents of what the actor may look at, newest first."""
        require(actor, DIAGNOSE)
        async with self.database.reading() as session:
            found = await store.incidents(session, most=most)
        return tuple(each for each in found if self._concerns(actor, each))

    async def incidents_since(
        self, actor: Actor, since: datetime, place: AskedIn = HERE
    ) -> tuple[tuple[Incident, ...], int]:
        """Return the incidents that fire, or changed since an instant, of what may be looked at there; how many not."""
        require(actor, DIAGNOSE)
        async with self.database.reading() as session:
            found = await store.incidents_since(session, since, most=MOST)
        shown = tuple(each for each in found if self._concerns(actor, each, place))
        return shown, len(found) - len(shown)

    def _concerns(self, actor: Actor, incident: Incident, place: AskedIn = HERE) -> bool:
        try:
            self.resolve(actor, self._wanted_by(incident.alerts[0], ""), place)
        except (OutOfScope, NothingNamed, SeveralApps):
            return False
        return True

    async def investigate(self, actor: Actor, incident: Incident) -> KeptReport:
        """Make the report of an incident, from where its first firing alert points; raise `OutOfScope` for nowhere."""
        first = (incident.firing or incident.alerts)[0]
        question = " ".join(filter(None, (first.name, first.summary)))
        wanted = self._wanted_by(first, question)
        kept = await self.diagnose(actor, self.resolve(actor, wanted), door="alert")
        async with self.database.transaction() as session:
            await store.name_report(session, incident.id, kept.id)
        return kept

    def _wanted_by(self, alert: Alert, question: str) -> WantedDiagnosis:
        cluster = alert.cluster if alert.cluster in self.clusters else ""
        for name, app in self.config.apps.items():
            fits = name == alert.app or alert.app in app.labels.values() or alert.pod.startswith(f"{name}-")
            if fits and alert.namespace in ("", app.namespace) and cluster in ("", app.cluster):
                return WantedDiagnosis(question, app=name)
        return WantedDiagnosis(question, namespace=alert.namespace, cluster=cluster)

    def channel_of(self, incident: Incident) -> str:
        """Return the channel that is told of an incident, as `slack:C0123456`; "" where none is named."""
        first = (incident.firing or incident.alerts)[0]
        app = self.config.apps.get(self._wanted_by(first, "").app)
        return (app.channel if app is not None else "") or self.config.alerts.channel

    async def forget_old(self, actor: Actor) -> None:
        """Remove the reports that are older than they are kept."""
        require(actor, MANAGE_SOURCES)
        async with self.database.transaction() as session:
            await store.drop(session, before=self.clock.now() - timedelta(days=KEPT_DAYS))

    def states(self, actor: Actor) -> Mapping[str, str]:
        """Return each cluster with why it is not looked at, "" when it is."""
        require(actor, MANAGE_SOURCES)
        return {name: self.broken.get(name, "") for name in (*self.clusters, *self.broken)}

    async def close(self) -> None:
        """End every connection."""
        for opened in self.clusters.values():
            await opened.close()

    def _covers_line(self, reach: Reach, line: ReportLine) -> bool:
        app = self.config.apps.get(line.app)
        labels = dict(app.labels) if app is not None else {"app": line.app} if line.app else {}
        return _is_whole(reach, line.cluster, line.namespace, labels)

    async def _audit(self, actor: Actor, asked: DiagnosisRequest, outcome: str, *, why: str) -> None:
        async with self.database.transaction() as session:
            await self._record(session, actor, asked, outcome, why=why)

    async def _record(self, session: Session, actor: Actor, asked: DiagnosisRequest, outcome: str, *, why: str) -> None:
        await audit.record(
            session,
            actor=actor,
            action="diagnosis.run",
            resource=f"{asked.cluster}/{asked.namespace}" + (f"/{asked.app}" if asked.app else ""),
            allowed=True,
            reason=why or decide(actor, DIAGNOSE).reason,
            outcome=outcome,
            now=self.clock.now(),
        )


def _covers(reach: Reach, asked: DiagnosisRequest) -> bool:
    return _is_whole(reach, asked.cluster, asked.namespace, labels_of(asked.selector))


def _covers_report(reach: Reach, report: DiagnosisReport) -> bool:
    """Return whether all may be looked at that a report tells of: the neighbours of its app, too."""
    asked = report.asked
    told = asked.beside if any(each.rule == NEIGHBOUR for each in report.issues) else ()
    return _covers(reach, asked) and all(
        _is_whole(reach, asked.cluster, asked.namespace, labels_of(each.selector)) for each in told
    )


def _beside(reach: Reach, asked: DiagnosisRequest) -> tuple[Neighbour, ...]:
    """Return what else of an app's namespace may be looked at: its apps, and all of it where that may be."""
    apps = tuple(
        Neighbour(name, selector(app.labels))
        for name, app in reach.apps.items()
        if name != asked.app
        and (app.cluster, app.namespace) == (asked.cluster, asked.namespace)
        and _is_whole(reach, app.cluster, app.namespace, app.labels)
    )
    return ((Neighbour(),) if _is_whole(reach, asked.cluster, asked.namespace, {}) else ()) + apps


def _is_whole(reach: Reach, cluster: str, namespace: str, labels: Mapping[str, str]) -> bool:
    """Return whether all that these labels select may be looked at: no label of a scope narrows it further."""
    try:
        return reach.grant(cluster, namespace, labels=labels).selector == selector(labels)
    except OutOfScope:
        return False


def labels_of(written: str) -> Mapping[str, str]:
    """Return the labels behind a selector of ours."""
    return dict(part.split("=", 1) for part in written.split(",") if part)


def _asked(wanted: WantedDiagnosis, cluster: str, granted: Granted) -> DiagnosisRequest:
    return DiagnosisRequest(
        run_id="",
        question=wanted.question,
        language=wanted.language,
        cluster=cluster,
        namespace=granted.namespace,
        now=datetime.min.replace(tzinfo=UTC),
        app=wanted.app,
        selector=granted.selector,
        pod=wanted.pod,
        window_s=max(60, min(wanted.window_s, LONGEST_WINDOW_S)),
    )
