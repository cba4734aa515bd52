"""All SQL of reports and incidents. Rows never leave."""

from collections.abc import Collection
from datetime import datetime
from typing import cast

from sqlalchemy import delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from queries.observe.report.incidents import Incident, alerts_json, alerts_of
from queries.observe.report.kept import Door, KeptReport, ReportLine
from queries.observe.report.report import ReportWords, Severity
from queries.observe.report.tables import IncidentRow, ReportRow
from queries.observe.report.written import report_of, stored_form


async def add(session: AsyncSession, kept: KeptReport, *, told: bytes | None = None) -> None:
    """Keep a report, with what the sources told; the same id again replaces what was kept under it."""
    line = kept.line
    row = ReportRow(
        id=kept.id,
        owner=line.owner,
        door=line.door,
        cluster=line.cluster,
        namespace=line.namespace,
        app=line.app,
        severity=line.severity.value,
        headline_en=line.headline.en,
        headline_zh=line.headline.zh,
        made_at=line.made_at,
        report=stored_form(kept.report),
        told=told,
    )
    await session.merge(row)
    await session.flush()


async def find(session: AsyncSession, report_id: str) -> KeptReport | None:
    """Return a report, whoever asks."""
    row = await session.get(ReportRow, report_id)
    if row is None:
        return None
    return KeptReport(
        id=row.id, owner=row.owner, door=cast("Door", row.door), made_at=row.made_at, report=report_of(row.report)
    )


async def told(session: AsyncSession, report_id: str) -> bytes | None:
    """Return what the sources told for a report; None where it was not kept."""
    return await session.scalar(select(ReportRow.told).where(ReportRow.id == report_id))


async def newest(
    session: AsyncSession, places: Collection[tuple[str, str]], *, most: int, before: datetime | None = None
) -> tuple[ReportLine, ...]:
    """Return the newest reports of these clusters and namespaces, newest first."""
    if not places:
        return ()
    within = or_(
        *((ReportRow.cluster == cluster) & (ReportRow.namespace == namespace) for cluster, namespace in places)
    )
    asked = select(ReportRow).options(defer(ReportRow.report)).where(within)
    if before is not None:
        asked = asked.where(ReportRow.made_at < before)
    rows = await session.scalars(asked.order_by(ReportRow.made_at.desc(), ReportRow.id).limit(most))
    return tuple(map(_line, rows))


async def places(session: AsyncSession) -> tuple[tuple[str, str], ...]:
    """Return each cluster and namespace that a report is about."""
    found = await session.execute(select(ReportRow.cluster, ReportRow.namespace).distinct())
    return tuple((cluster, namespace) for cluster, namespace in found)


async def open_incident(session: AsyncSession, group: str) -> Incident | None:
    """Return the incident of a group that is still open."""
    found = select(IncidentRow).where(IncidentRow.group_key == group, IncidentRow.open.is_(True))
    row = await session.scalar(found.order_by(IncidentRow.opened_at.desc()).limit(1))
    return None if row is None else _incident(row)


async def incident(session: AsyncSession, incident_id: str) -> Incident | None:
    """Return an incident by its id."""
    row = await session.get(IncidentRow, incident_id)
    return None if row is None else _incident(row)


async def incidents(session: AsyncSession, *, most: int) -> tuple[Incident, ...]:
    """Return the newest incidents, newest first."""
    rows = await session.scalars(select(IncidentRow).order_by(IncidentRow.opened_at.desc(), IncidentRow.id).limit(most))
    return tuple(map(_incident, rows))


async def incidents_since(session: AsyncSession, since: datetime, *, most: int) -> tuple[Incident, ...]:
    """Return the incidents that are open or changed since an instant: the open ones first, then the newest."""
    rows = await session.scalars(
        select(IncidentRow)
        .where(or_(IncidentRow.open.is_(True), IncidentRow.changed_at >= since))
        .order_by(IncidentRow.open.desc(), IncidentRow.opened_at.desc(), IncidentRow.id)
        .limit(most)
    )
    return tuple(map(_incident, rows))


async def put_incident(session: AsyncSession, changed: Incident) -> None:
    """Keep an incident as it is now; it is open while an alert of it fires."""
    row = IncidentRow(
        id=changed.id,
        group_key=changed.group,
        open=bool(changed.firing),
        opened_at=changed.opened_at,
        changed_at=changed.changed_at,
        report_id=changed.report_id,
        alerts=alerts_json(changed.alerts),
    )
    await session.merge(row)
    await session.flush()


async def name_report(session: AsyncSession, incident_id: str, report_id: str) -> None:
    """Note which report was made of an incident."""
    await session.execute(update(IncidentRow).where(IncidentRow.id == incident_id).values(report_id=report_id))


async def drop(session: AsyncSession, *, before: datetime) -> None:
    """Remove reports and incidents that are older than they are kept."""
    await session.execute(delete(ReportRow).where(ReportRow.made_at < before))
    await session.execute(delete(IncidentRow).where(IncidentRow.changed_at < before))


def _line(row: ReportRow) -> ReportLine:
    return ReportLine(
        id=row.id,
        owner=row.owner,
        door=cast("Door", row.door),
        cluster=row.cluster,
        namespace=row.namespace,
        app=row.app,
        severity=Severity(row.severity),
        headline=ReportWords(row.headline_en, row.headline_zh),
        made_at=row.made_at,
    )


def _incident(row: IncidentRow) -> Incident:
    return Incident(
        id=row.id,
        group=row.group_key,
        opened_at=row.opened_at,
        changed_at=row.changed_at,
        alerts=alerts_of(row.alerts),
        report_id=row.report_id,
    )
