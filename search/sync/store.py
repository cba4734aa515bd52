"""All SQL of the package: the sources, and which message brought which file."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from search.documents import ChangedPage
from search.errors import Reason
from search.sources.port import SourceProblem
from search.sources.report import SyncReport
from search.sync.tables import PageChangeRow, SourceRow, ThreadFileRow
from storage.database import insert_new
from storage.ids import new_id


@dataclass(frozen=True)
class StoredSource:
    """A folder that was indexed."""

    name: str
    path: str
    default_allow: tuple[str, ...]
    synced_at: datetime | None = None
    report: SyncReport | None = None
    site: str = ""  # an address on the site that it was crawled from; "" for what was not crawled


async def sources(session: AsyncSession) -> tuple[StoredSource, ...]:
    """Return every source by name."""
    rows = await session.scalars(select(SourceRow).order_by(SourceRow.name))
    return tuple(_source(row) for row in rows)


async def note_changes(
    session: AsyncSession, changes: Iterable[ChangedPage], *, now: datetime, kept: timedelta
) -> None:
    """Keep which pages came or changed, and forget what is older than it is told."""
    await session.execute(delete(PageChangeRow).where(PageChangeRow.at < now - kept))
    for each in changes:
        row = PageChangeRow(source=each.source, path=each.path, title=each.title, is_new=each.is_new, at=now)
        await session.merge(row)


async def changes_since(session: AsyncSession, since: datetime, *, limit: int) -> tuple[ChangedPage, ...]:
    """Return the pages that came or changed since an instant, the latest first."""
    rows = await session.scalars(
        select(PageChangeRow)
        .where(PageChangeRow.at >= since)
        .order_by(PageChangeRow.at.desc(), PageChangeRow.source, PageChangeRow.path)
        .limit(limit)
    )
    return tuple(ChangedPage(row.source, row.path, row.title, row.is_new) for row in rows)


async def claiming(session: AsyncSession, *, name: str, path: str) -> tuple[StoredSource, ...]:
    """Return the sources that go by this name or lie at this path."""
    rows = await session.scalars(select(SourceRow).where(or_(SourceRow.name == name, SourceRow.path == path)))
    return tuple(_source(row) for row in rows)


async def find(session: AsyncSession, name: str) -> StoredSource | None:
    """Return the source of that name."""
    row = await session.scalar(select(SourceRow).where(SourceRow.name == name))
    return _source(row) if row else None


async def add(session: AsyncSession, source: StoredSource, *, now: datetime) -> None:
    """Write a new source."""
    session.add(
        SourceRow(
            id=new_id("source"),
            name=source.name,
            path=source.path,
            default_allow=list(source.default_allow),
            site=source.site or None,
            created_at=now,
        )
    )
    await session.flush()


async def add_if_new(session: AsyncSession, source: StoredSource, *, now: datetime) -> None:
    """Write a source unless it is known, whoever else does so at the same time."""
    values: dict[str, object] = {
        "id": new_id("source"),
        "name": source.name,
        "path": source.path,
        "default_allow": list(source.default_allow),
        "site": source.site or None,
        "created_at": now,
    }
    await insert_new(session, SourceRow, values)


async def settle(session: AsyncSession, source: StoredSource) -> None:
    """Change who may read pages of a source that name no list, and the site that it is crawled from."""
    row = await session.scalar(select(SourceRow).where(SourceRow.name == source.name))
    if row is not None:
        row.default_allow = list(source.default_allow)
        row.site = source.site or None


async def keep_report(session: AsyncSession, report: SyncReport, *, now: datetime | None) -> None:
    """Keep what a run told; nothing when the source was removed meanwhile. `now` is None where it could not be read."""
    row = await session.scalar(select(SourceRow).where(SourceRow.name == report.source))
    if row is not None:
        row.synced_at = now or row.synced_at
        row.report = asdict(report)


async def remove(session: AsyncSession, name: str) -> None:
    """Forget a source."""
    await session.execute(delete(SourceRow).where(SourceRow.name == name))


async def bring(session: AsyncSession, *, thread: str, name: str, message: str, alone: bool, now: datetime) -> None:
    """Note that a message brought a file; `alone`: what other messages brought under that name is no more."""
    if alone:
        await session.execute(
            delete(ThreadFileRow).where(
                ThreadFileRow.thread == thread, ThreadFileRow.name == name, ThreadFileRow.message != message
            )
        )
    values: dict[str, object] = {"thread": thread, "name": name, "message": message, "sent_at": now}
    await insert_new(session, ThreadFileRow, values)


async def brought(session: AsyncSession, *, thread: str, message: str) -> Mapping[str, bool]:
    """Return the names of the files that a message brought → whether no other message brought the same."""
    rows = (await session.scalars(select(ThreadFileRow).where(ThreadFileRow.thread == thread))).all()
    mine = {row.name for row in rows if row.message == message}
    others = {row.name for row in rows if row.message != message}
    return {name: name not in others for name in sorted(mine)}


async def take_back(session: AsyncSession, *, thread: str, message: str, names: Collection[str]) -> None:
    """Forget that a message brought these files."""
    which = ThreadFileRow.name.in_(names)
    await session.execute(
        delete(ThreadFileRow).where(ThreadFileRow.thread == thread, ThreadFileRow.message == message, which)
    )


async def forget_file(session: AsyncSession, *, thread: str, name: str) -> None:
    """Forget who brought a file that is not there any more."""
    await session.execute(delete(ThreadFileRow).where(ThreadFileRow.thread == thread, ThreadFileRow.name == name))


async def forget_brought(session: AsyncSession, *, before: datetime) -> None:
    """Forget what was brought before that instant."""
    await session.execute(delete(ThreadFileRow).where(ThreadFileRow.sent_at < before))


def _source(row: SourceRow) -> StoredSource:
    return StoredSource(
        name=row.name,
        path=row.path,
        default_allow=tuple(row.default_allow),
        synced_at=row.synced_at,
        report=_report(row.report) if row.report else None,
        site=row.site or "",
    )


def _report(stored: Mapping[str, Any]) -> SyncReport:
    problems = tuple(
        SourceProblem(path=entry["path"], what=entry["what"], reason=Reason(entry.get("reason", Reason.OTHER)))
        for entry in stored["problems"]
    )
    return SyncReport(**{**stored, "problems": problems})
