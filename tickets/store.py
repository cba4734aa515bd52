"""All SQL of the package: plain functions on a session that take and return the frozen dataclasses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Update, and_, case, delete, exists, func, not_, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.database import Base, changed_rows, insert_new
from tickets.tables import ChangeRow, CommentRow, CounterRow, DraftRow, TicketRow, TicketThreadRow, WatcherRow
from tickets.ticket import (
    Action,
    Change,
    Comment,
    Draft,
    DraftState,
    Facet,
    Priority,
    Status,
    ThreadLink,
    ThreadRole,
    Ticket,
)

#: Columns of a ticket that a step may change; the rest is what was filed.
_CHANGEABLE = (
    "status", "priority", "assignee_id", "assignee_name", "version", "updated_at", "urged_at", "urges", "resolution",
    "asked_by",
)  # fmt: skip

#: A ticket that several facets hold is told under the first of them.
_TOLD_FIRST = (Facet.RESOLVED, Facet.OVERDUE, Facet.NEW, Facet.WAITING)

#: Stands for the title of a draft whose words were taken back.
ERASED = "…"


async def add_draft(session: AsyncSession, draft: Draft, *, content: str) -> None:
    """Store a new draft."""
    session.add(DraftRow(content=content, **_columns(DraftRow, draft)))
    await session.flush()


async def find_draft(session: AsyncSession, draft_id: str, *, lock: bool = False) -> Draft | None:
    """Return a draft; `lock` makes other writers of it wait until this transaction ends."""
    row = await session.get(DraftRow, draft_id, with_for_update=True if lock else None, populate_existing=True)
    return _draft(row) if row else None


async def update_draft(session: AsyncSession, draft: Draft, *, seen: int, content: str) -> bool:
    """Write a new version over the one that was seen; False when the draft has moved on."""
    revision = _where_open(draft.id, seen).values(
        version=draft.version,
        category=draft.category,
        title=draft.title,
        description=draft.description,
        priority=draft.priority,
        fields=dict(draft.fields),
        content=content,
        updated_at=draft.updated_at,
        expires_at=draft.expires_at,
    )
    return await changed_rows(session, revision) == 1


async def close_draft(
    session: AsyncSession, draft: Draft, *, state: DraftState, by: str, at: datetime, number: str | None = None
) -> bool:
    """File or discard the version that was seen; False when somebody was faster."""
    closing = {"state": state, "ticket_number": number, "closed_by": by, "closed_at": at, "updated_at": at}
    return await changed_rows(session, _where_open(draft.id, draft.version).values(**closing)) == 1


async def reopen_draft(session: AsyncSession, draft: Draft, *, seen: int) -> bool:
    """Open a discarded draft again as its next version; False when it has moved on."""
    found = (DraftRow.id == draft.id, DraftRow.version == seen, DraftRow.state == DraftState.DISCARDED)
    opened = {name: getattr(draft, name) for name in ("state", "version", "updated_at", "expires_at")}
    again = update(DraftRow).where(*found).values(**opened, closed_by=None, closed_at=None)
    return await changed_rows(session, again) == 1


async def erase_draft(session: AsyncSession, draft_id: str, *, since: datetime, at: datetime) -> bool:
    """Empty and discard a draft that was made after an instant and not filed; False when there is none."""
    made = (DraftRow.id == draft_id, DraftRow.created_at >= since, DraftRow.state != DraftState.FILED)
    erased = {"title": ERASED, "description": "", "fields": {}, "content": "", "state": DraftState.DISCARDED}
    gone = update(DraftRow).where(*made).values(**erased, closed_at=at, updated_at=at)
    return await changed_rows(session, gone) == 1


async def expire_drafts(session: AsyncSession, *, now: datetime) -> tuple[str, ...]:
    """Close every open draft whose time is over and return their ids."""
    closed = await session.scalars(
        update(DraftRow)
        .where(DraftRow.state == DraftState.OPEN, DraftRow.expires_at <= now)
        .values(state=DraftState.EXPIRED, closed_at=now, updated_at=now)
        .returning(DraftRow.id)
        .execution_options(synchronize_session=False)
    )
    return tuple(sorted(closed))


async def expiring_drafts(session: AsyncSession, *, now: datetime, until: datetime) -> tuple[Draft, ...]:
    """Return the open drafts whose time is over between two instants, the first to end first."""
    soon = (DraftRow.state == DraftState.OPEN, DraftRow.expires_at > now, DraftRow.expires_at <= until)
    rows = await session.scalars(select(DraftRow).where(*soon).order_by(DraftRow.expires_at))
    return tuple(_draft(row) for row in rows)


async def open_drafts(
    session: AsyncSession, requester_id: str, *, now: datetime, thread: str | None = None
) -> tuple[Draft, ...]:
    """Return a person's open drafts that have not expired, last touched first."""
    statement = select(DraftRow).where(
        DraftRow.requester_id == requester_id, DraftRow.state == DraftState.OPEN, DraftRow.expires_at > now
    )
    if thread is not None:
        statement = statement.where(DraftRow.thread == thread)
    rows = await session.scalars(statement.order_by(DraftRow.updated_at.desc(), DraftRow.id.desc()))
    return tuple(_draft(row) for row in rows)


async def same_draft(session: AsyncSession, requester_id: str, *, content: str, since: datetime) -> Draft | None:
    """Return the newest open draft of that person with the same content, if it was made after `since`."""
    row = await session.scalar(
        select(DraftRow)
        .where(
            DraftRow.requester_id == requester_id,
            DraftRow.state == DraftState.OPEN,
            DraftRow.content == content,
            DraftRow.created_at > since,
        )
        .order_by(DraftRow.created_at.desc(), DraftRow.id.desc())
        .limit(1)
    )
    return _draft(row) if row else None


async def lock_counter(session: AsyncSession, year: int) -> None:
    """Make every other filing of that year wait until this transaction ends."""
    await insert_new(session, CounterRow, {"year": year, "value": 0})
    await session.scalar(select(CounterRow.value).where(CounterRow.year == year).with_for_update())


async def next_number(session: AsyncSession, year: int) -> int:
    """Return the next number of the year; the caller holds `lock_counter`."""
    value = await session.scalar(
        update(CounterRow)
        .where(CounterRow.year == year)
        .values(value=CounterRow.value + 1)
        .returning(CounterRow.value)
        .execution_options(synchronize_session=False)
    )
    if value is None:
        raise LookupError(f"the counter of {year} was not locked first")
    return value


async def add_ticket(session: AsyncSession, ticket: Ticket, *, year: int, sequence: int, content: str) -> None:
    """Store a new ticket."""
    session.add(TicketRow(year=year, sequence=sequence, content=content, **_columns(TicketRow, ticket)))
    await session.flush()


async def find_ticket(session: AsyncSession, ticket_id: str, *, lock: bool = False) -> Ticket | None:
    """Return a ticket by id; `lock` makes other writers of it wait until this transaction ends."""
    row = await session.get(TicketRow, ticket_id, with_for_update=True if lock else None, populate_existing=True)
    return _ticket(row) if row else None


async def tickets_numbered(session: AsyncSession, *, sequence: int, year: int | None) -> tuple[Ticket, ...]:
    """Return the tickets of that running number, the newest year first."""
    statement = select(TicketRow).where(TicketRow.sequence == sequence)
    if year is not None:
        statement = statement.where(TicketRow.year == year)
    rows = await session.scalars(statement.order_by(TicketRow.year.desc()))
    return tuple(_ticket(row) for row in rows)


async def tickets_named(session: AsyncSession, numbers: Sequence[str]) -> tuple[Ticket, ...]:
    """Return the tickets of those numbers, newest first."""
    rows = await session.scalars(
        select(TicketRow)
        .where(TicketRow.number.in_(numbers))
        .order_by(TicketRow.year.desc(), TicketRow.sequence.desc())
    )
    return tuple(_ticket(row) for row in rows)


async def update_ticket(session: AsyncSession, before: Ticket, after: Ticket) -> bool:
    """Write what may change, if the ticket still stands where it was seen; False when it has moved on."""
    seen = (TicketRow.id == before.id, TicketRow.version == before.version, TicketRow.status == before.status)
    step = update(TicketRow).where(*seen)
    return await changed_rows(session, step.values({name: getattr(after, name) for name in _CHANGEABLE})) == 1


async def list_tickets(
    session: AsyncSession,
    *,
    requester_id: str | None = None,
    status: Status | None = None,
    words: Iterable[str] = (),
    active_first: bool = False,
    limit: int,
) -> tuple[Ticket, ...]:
    """Return tickets newest first in one query, without comments and timeline; `active_first`: those to work before."""
    statement = select(TicketRow)
    if requester_id is not None:
        statement = statement.where(TicketRow.requester_id == requester_id)
    if status is not None:
        statement = statement.where(TicketRow.status == status)
    for word in words:
        statement = statement.where(_mentions(word))
    newest_first = (TicketRow.year.desc(), TicketRow.sequence.desc())
    ended = case((TicketRow.status.in_((Status.OPEN, Status.IN_PROGRESS)), 0), else_=1)
    order = (ended, *newest_first) if active_first else newest_first
    rows = await session.scalars(statement.order_by(*order).limit(limit))
    return tuple(_ticket(row) for row in rows)


@dataclass(frozen=True)
class Reporting:
    """What a report looks at; of an overdue one, the instants before which a ticket of a priority was filed."""

    facet: Facet
    since: datetime
    due: Mapping[Priority, datetime]
    beside: frozenset[Facet] = frozenset()  # what is told apart, so that no ticket is told twice
    requester_id: str | None = None


async def count_reported(session: AsyncSession, report: Reporting) -> int:
    """Count the tickets of a report."""
    return await session.scalar(select(func.count()).select_from(TicketRow).where(*_reported(report))) or 0


async def count_active(session: AsyncSession, requester_id: str | None) -> int:
    """Count the tickets that are open or in progress: everybody's, or one person's."""
    active = TicketRow.status.in_((Status.OPEN, Status.IN_PROGRESS))
    own = [] if requester_id is None else [TicketRow.requester_id == requester_id]
    return await session.scalar(select(func.count()).select_from(TicketRow).where(active, *own)) or 0


async def reported(session: AsyncSession, report: Reporting, *, limit: int) -> tuple[Ticket, ...]:
    """Return the tickets of a report, the most urgent first, then the oldest."""
    urgency = case({each.value: place for place, each in enumerate(reversed(Priority))}, value=TicketRow.priority)
    rows = await session.scalars(
        select(TicketRow).where(*_reported(report)).order_by(urgency, TicketRow.created_at, TicketRow.id).limit(limit)
    )
    return tuple(_ticket(row) for row in rows)


def _reported(report: Reporting) -> tuple[ColumnElement[bool], ...]:
    active = TicketRow.status.in_((Status.OPEN, Status.IN_PROGRESS))
    late = and_(active, or_(*(_filed_before(priority, at) for priority, at in report.due.items())))
    new = and_(TicketRow.created_at >= report.since, TicketRow.status != Status.CANCELLED)
    resolving = (ChangeRow.ticket_id == TicketRow.id, ChangeRow.action == Action.RESOLVE, ChangeRow.at >= report.since)
    found = {
        Facet.NEW: new,
        Facet.OVERDUE: late,
        Facet.WAITING: and_(TicketRow.status == Status.OPEN, TicketRow.assignee_id.is_(None)),
        Facet.RESOLVED: and_(TicketRow.status == Status.RESOLVED, exists().where(*resolving)),
    }
    before = _TOLD_FIRST[: _TOLD_FIRST.index(report.facet)]
    others = [not_(found[each]) for each in before if each in report.beside]
    own = [] if report.requester_id is None else [TicketRow.requester_id == report.requester_id]
    return (found[report.facet], *others, *own)


def _filed_before(priority: Priority, at: datetime) -> ColumnElement[bool]:
    return and_(TicketRow.priority == priority, TicketRow.created_at < at)


async def same_ticket(session: AsyncSession, requester_id: str, *, content: str, since: datetime) -> Ticket | None:
    """Return the newest ticket of that person with the same content, if it was filed after `since` and stands."""
    row = await session.scalar(
        select(TicketRow)
        .where(
            TicketRow.requester_id == requester_id,
            TicketRow.content == content,
            TicketRow.created_at > since,
            TicketRow.status != Status.CANCELLED,
        )
        .order_by(TicketRow.year.desc(), TicketRow.sequence.desc())
        .limit(1)
    )
    return _ticket(row) if row else None


async def set_external(session: AsyncSession, ticket_id: str, *, key: str, url: str) -> bool:
    """Note the ticket's name in the external tracker, once; False when it has one already."""
    unknown = update(TicketRow).where(TicketRow.id == ticket_id, TicketRow.external_key.is_(None))
    return await changed_rows(session, unknown.values(external_key=key, external_url=url)) == 1


async def add_change(session: AsyncSession, ticket: Ticket, change: Change) -> None:
    """Append a line to the timeline, for the version that the ticket has now."""
    session.add(ChangeRow(ticket_id=ticket.id, version=ticket.version, **_columns(ChangeRow, change)))
    await session.flush()


async def changes_of(session: AsyncSession, ticket_id: str) -> tuple[Change, ...]:
    """Return the timeline, oldest first."""
    rows = await session.scalars(select(ChangeRow).where(ChangeRow.ticket_id == ticket_id).order_by(ChangeRow.version))
    return tuple(_change(row) for row in rows)


async def last_change(
    session: AsyncSession, ticket_id: str, *, beside: Iterable[Action] = (), after: int = 0
) -> Change | None:
    """Return the newest line of the timeline after a version, leaving out some actions."""
    row = await session.scalar(
        select(ChangeRow)
        .where(ChangeRow.ticket_id == ticket_id, ChangeRow.action.not_in(list(beside)), ChangeRow.version > after)
        .order_by(ChangeRow.version.desc())
        .limit(1)
    )
    return _change(row) if row else None


async def add_comment(session: AsyncSession, comment: Comment, *, version: int) -> None:
    """Append a comment, made with that version of its ticket."""
    session.add(CommentRow(version=version, **_columns(CommentRow, comment)))
    await session.flush()


async def comments_of(session: AsyncSession, ticket_id: str) -> tuple[Comment, ...]:
    """Return the comments, oldest first."""
    rows = await session.scalars(
        select(CommentRow).where(CommentRow.ticket_id == ticket_id).order_by(CommentRow.version)
    )
    return tuple(Comment(**_shared(Comment, row)) for row in rows)


async def link_thread(session: AsyncSession, link: ThreadLink, *, now: datetime) -> None:
    """Tie a thread to a ticket; tied again, it takes the new address."""
    address = dict(link.address)
    values = {"ticket_id": link.ticket_id, "thread": link.thread, "role": link.role, "address": address}
    if not await insert_new(session, TicketThreadRow, values | {"linked_at": now}):
        tied = update(TicketThreadRow).where(
            TicketThreadRow.ticket_id == link.ticket_id, TicketThreadRow.thread == link.thread
        )
        await changed_rows(session, tied.values(address=address))


async def threads_of(session: AsyncSession, ticket_id: str) -> tuple[ThreadLink, ...]:
    """Return the threads of a ticket, the requester's first."""
    statement = select(TicketThreadRow).where(TicketThreadRow.ticket_id == ticket_id)
    rows = await session.scalars(
        statement.order_by(TicketThreadRow.role, TicketThreadRow.linked_at, TicketThreadRow.thread)
    )
    return tuple(ThreadLink(**_shared(ThreadLink, row) | {"role": ThreadRole(row.role)}) for row in rows)


async def set_watching(session: AsyncSession, ticket_id: str, actor_id: str, *, watches: bool, now: datetime) -> bool:
    """Let somebody watch a ticket, or no more; False when that was so before."""
    watcher = {"ticket_id": ticket_id, "actor_id": actor_id}
    if watches:
        return await insert_new(session, WatcherRow, {**watcher, "since": now})
    return await changed_rows(session, delete(WatcherRow).filter_by(**watcher)) > 0


async def watchers_of(session: AsyncSession, ticket_id: str) -> tuple[str, ...]:
    """Return who watches a ticket, the first of them first."""
    mine = select(WatcherRow.actor_id).where(WatcherRow.ticket_id == ticket_id)
    return tuple(await session.scalars(mine.order_by(WatcherRow.since, WatcherRow.actor_id)))


def _where_open(draft_id: str, version: int) -> Update:
    seen = (DraftRow.id == draft_id, DraftRow.version == version, DraftRow.state == DraftState.OPEN)
    return update(DraftRow).where(*seen)


def _mentions(word: str) -> ColumnElement[bool]:
    places = (TicketRow.number, TicketRow.title, TicketRow.description, TicketRow.requester_name)
    return or_(*(func.lower(place).contains(word.lower(), autoescape=True) for place in places))


def _columns(table: type[Base], value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that the table has a column for; mappings as plain dictionaries."""
    known = table.__table__.columns.keys()
    found = {field.name: getattr(value, field.name) for field in fields(value) if field.name in known}
    return {name: dict(kept) if isinstance(kept, Mapping) else kept for name, kept in found.items()}


def _shared(value: type[Any], row: Base) -> dict[str, Any]:
    """Return the columns of a row that the dataclass has a field for."""
    known = {field.name for field in fields(value)}
    return {name: getattr(row, name) for name in row.__table__.columns.keys() if name in known}  # noqa: SIM118


def _draft(row: DraftRow) -> Draft:
    shared = _shared(Draft, row) | {"state": DraftState(row.state), "priority": Priority(row.priority)}
    return Draft(missing=(), **shared)  # what is missing depends on the configuration of today


def _ticket(row: TicketRow) -> Ticket:
    return Ticket(**_shared(Ticket, row) | {"status": Status(row.status), "priority": Priority(row.priority)})


def _change(row: ChangeRow) -> Change:
    return Change(**_shared(Change, row))
