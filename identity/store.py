"""All SQL of `identity`: chat accounts, preferences, the audit and its chain, sign-in."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, time
from typing import Any, cast

from sqlalchemy import ColumnElement, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from identity.actor import Actor, ActorKind, Preferences, QuietHours
from identity.chain import AuditEntry, ChainHead, Seal
from identity.people import AccountLink, ChatAccount
from identity.tables import (
    AccountTable,
    AuditTable,
    PreferenceTable,
    SealHeadTable,
    SealTable,
    SessionTable,
    SignInLinkTable,
)
from storage.database import changed_rows, insert_new

HEAD = 1  # the one row of the chain's head
ACCOUNTS_AT_ONCE = 500  # names in one statement


async def account(session: AsyncSession, key: ChatAccount) -> AccountLink | None:
    """Return what is stored of a chat account."""
    row = await session.get(AccountTable, (key.platform, key.tenant, key.user))
    return None if row is None else _link(row)


async def several_accounts(session: AsyncSession, keys: Sequence[ChatAccount]) -> tuple[AccountLink, ...]:
    """Return what is stored of these chat accounts, all of one platform or of several."""
    found: list[AccountLink] = []
    for start in range(0, len(keys), ACCOUNTS_AT_ONCE):
        some = keys[start : start + ACCOUNTS_AT_ONCE]
        statement = select(AccountTable).where(AccountTable.user.in_([key.user for key in some]))
        found.extend(_link(row) for row in (await session.execute(statement)).scalars())
    return tuple(found)


async def account_of(session: AsyncSession, actor_id: str) -> AccountLink | None:
    """Return the account that made an actor of its own, one that people.yaml does not list."""
    found = [known for known in await accounts_of(session, actor_id) if known.person_id is None]
    return found[0] if found else None


async def accounts_of(session: AsyncSession, actor_id: str) -> tuple[AccountLink, ...]:
    """Return the accounts of an actor, the latest first."""
    statement = select(AccountTable).where(AccountTable.actor_id == actor_id).order_by(AccountTable.updated_at.desc())
    return tuple(_link(row) for row in (await session.execute(statement)).scalars())


async def save_account(session: AsyncSession, found: AccountLink, *, now: datetime) -> None:
    """Keep what is known of an account now."""
    values = {**asdict(found), "updated_at": now}
    if await insert_new(session, AccountTable, values):
        return
    mine = (
        AccountTable.platform == found.platform,
        AccountTable.tenant == found.tenant,
        AccountTable.user == found.user,
    )
    await changed_rows(session, update(AccountTable).where(*mine).values(**values))


async def preferences_since(session: AsyncSession, since: datetime) -> dict[str, tuple[Preferences, datetime]]:
    """Return what people have chosen since an instant, and when, by their id."""
    rows = await session.scalars(select(PreferenceTable).where(PreferenceTable.updated_at >= since))
    return {row.actor_id: (_preferences(row), row.updated_at) for row in rows}


async def save_preferences(session: AsyncSession, actor_id: str, chosen: Preferences, *, now: datetime) -> None:
    """Keep what a person has chosen."""
    quiet = chosen.quiet
    values: dict[str, Any] = {
        "language": chosen.language,
        "timezone": chosen.timezone,
        "quiet_begin": f"{quiet.begin:%H:%M}" if quiet else "",
        "quiet_end": f"{quiet.end:%H:%M}" if quiet else "",
        "way": chosen.way,
        "updated_at": now,
    }
    if not await insert_new(session, PreferenceTable, {"actor_id": actor_id, **values}):
        own = PreferenceTable.actor_id == actor_id
        await changed_rows(session, update(PreferenceTable).where(own).values(**values))


async def add_entry(session: AsyncSession, values: Mapping[str, Any]) -> None:
    """Append one row to the audit."""
    await session.execute(insert(AuditTable).values(**values))


async def newest_entry(session: AsyncSession) -> int:
    """Return the highest id that is visible; 0 when there is no entry."""
    return (await session.execute(select(func.max(AuditTable.id)))).scalar_one() or 0


async def writers(session: AsyncSession) -> frozenset[str]:
    """Return the transactions that have begun to write to the audit and are still open.

    PostgreSQL takes a writer's lock on the table before it hands out the id. SQLite has one writer at a time, and what
    it wrote becomes visible in the order of the ids.
    """
    if session.get_bind().dialect.name == "sqlite":
        return frozenset()
    statement = text(
        "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'"
        " AND relation = 'identity_audit'::regclass"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    return frozenset((await session.execute(statement)).scalars())


async def entries(
    session: AsyncSession, *, limit: int, before: int | None, actor_id: str | None, action: str | None
) -> tuple[AuditEntry, ...]:
    """Return the newest entries that fit."""
    fits: list[ColumnElement[bool]] = []
    if before is not None:
        fits.append(AuditTable.id < before)
    if actor_id is not None:
        fits.append(AuditTable.actor_id == actor_id)
    if action is not None:
        fits.append(AuditTable.action == action)
    statement = select(AuditTable).where(*fits).order_by(AuditTable.id.desc()).limit(limit)
    return tuple(_entry(row) for row in (await session.execute(statement)).scalars())


async def entries_after(session: AsyncSession, after: int, *, until: int, limit: int) -> tuple[AuditEntry, ...]:
    """Return the next entries in the order of their ids."""
    statement = (
        select(AuditTable).where(AuditTable.id > after, AuditTable.id <= until).order_by(AuditTable.id).limit(limit)
    )
    return tuple(_entry(row) for row in (await session.execute(statement)).scalars())


async def count_entries(session: AsyncSession, *, after: int) -> int:
    """Count the entries with a higher id."""
    return (await session.execute(select(func.count()).where(AuditTable.id > after))).scalar_one()


async def head(session: AsyncSession) -> ChainHead:
    """Return how far the chain reaches."""
    row = await session.get(SealHeadTable, HEAD, populate_existing=True)
    return ChainHead() if row is None else ChainHead(row.position, row.entry_id, row.chain_hash)


async def tip(session: AsyncSession) -> int:
    """Return the highest position there is a link for; 0 when there is none."""
    return (await session.execute(select(func.max(SealTable.position)))).scalar_one() or 0


async def lock_head(session: AsyncSession) -> ChainHead | None:
    """Take the chain's end until the transaction ends; None while somebody else has it."""
    await insert_new(session, SealHeadTable, {"id": HEAD, **asdict(ChainHead())})
    statement = select(SealHeadTable).where(SealHeadTable.id == HEAD).with_for_update(skip_locked=True)
    row = (await session.execute(statement)).scalar_one_or_none()
    return None if row is None else ChainHead(row.position, row.entry_id, row.chain_hash)


async def add_seals(session: AsyncSession, seals: Sequence[Seal], *, head: ChainHead) -> None:
    """Append links and move the head."""
    await session.execute(insert(SealTable), [asdict(seal) for seal in seals])
    await changed_rows(session, update(SealHeadTable).where(SealHeadTable.id == HEAD).values(**asdict(head)))


async def links(
    session: AsyncSession, *, after: int, until: ChainHead, limit: int
) -> tuple[tuple[Seal, AuditEntry | None], ...]:
    """Return the next links with the entries that they seal, as far as those exist."""
    statement = (
        select(SealTable, AuditTable)
        .outerjoin(AuditTable, AuditTable.id == SealTable.entry_id)
        .where(SealTable.position > after, SealTable.position <= until.position)
        .order_by(SealTable.position)
        .limit(limit)
    )
    rows = cast("Sequence[tuple[SealTable, AuditTable | None]]", (await session.execute(statement)).all())
    return tuple((_seal(seal), None if entry is None else _entry(entry)) for seal, entry in rows)


async def unsealed_ids(session: AsyncSession, *, until: int, limit: int = 1000) -> tuple[int, ...]:
    """Return entries that the chain has gone past without sealing them."""
    statement = (
        select(AuditTable.id)
        .outerjoin(SealTable, SealTable.entry_id == AuditTable.id)
        .where(AuditTable.id <= until, SealTable.position.is_(None))
        .order_by(AuditTable.id)
        .limit(limit)
    )
    return tuple((await session.execute(statement)).scalars())


async def numbers_without_entry(session: AsyncSession, *, limit: int = 1000) -> tuple[int, ...]:
    """Return numbers that were given out, and of which neither an entry nor a seal is left.

    SQLite counts without a gap and keeps how far it came. PostgreSQL skips a number where a transaction was taken back,
    and a number past the head may belong to one that is still open.
    """
    last = f"SELECT entry_id FROM identity_audit_head WHERE id = {HEAD}"  # noqa: S608
    if session.get_bind().dialect.name == "sqlite":
        last = "SELECT seq FROM sqlite_sequence WHERE name = 'identity_audit'"
    statement = text(
        "WITH known AS (SELECT id FROM identity_audit UNION SELECT entry_id FROM"  # noqa: S608
        " identity_audit_seals UNION SELECT 0),"
        f" spans AS (SELECT id, lead(id) OVER (ORDER BY id) AS after, ({last}) AS last FROM known)"
        " SELECT id, after, last FROM spans"
        " WHERE id BETWEEN 0 AND last - 1 AND (after IS NULL OR after > id + 1) ORDER BY id LIMIT :some"
    )
    found: list[int] = []
    for before, after, end in await session.execute(statement, {"some": limit}):
        found.extend(range(before + 1, min(after or end + 1, end + 1, before + 1 + limit)))
    return tuple(found[:limit])


async def add_sign_in_link(
    session: AsyncSession, token_hash: str, person: Actor, *, now: datetime, expires_at: datetime
) -> None:
    """Keep a one-time link."""
    values = {"token_hash": token_hash, **_holder_values(person), "created_at": now, "expires_at": expires_at}
    await session.execute(insert(SignInLinkTable).values(**values))


async def use_sign_in_link(session: AsyncSession, token_hash: str, *, now: datetime) -> Actor | None:
    """Use up a link and return whose it is; None when it is unknown, used or expired."""
    statement = (
        update(SignInLinkTable)
        .where(
            SignInLinkTable.token_hash == token_hash,
            SignInLinkTable.used_at.is_(None),
            SignInLinkTable.expires_at > now,
        )
        .values(used_at=now)
    )
    if await changed_rows(session, statement) == 0:
        return None
    known = await sign_in_link(session, token_hash)
    return None if known is None else known[0]


async def sign_in_link(session: AsyncSession, token_hash: str) -> tuple[Actor, bool] | None:
    """Return whose link it is and whether it was used; None for one that never was."""
    row = await session.get(SignInLinkTable, token_hash)
    return None if row is None else (_holder(row), row.used_at is not None)


async def add_session(
    session: AsyncSession, token_hash: str, holder: Actor, *, now: datetime, expires_at: datetime
) -> None:
    """Keep a session."""
    values = {"token_hash": token_hash, **_holder_values(holder), "created_at": now, "expires_at": expires_at}
    await session.execute(insert(SessionTable).values(**values))


async def session_of(session: AsyncSession, token_hash: str, *, now: datetime) -> tuple[str, datetime] | None:
    """Return whose session it is and until when; None when it is unknown or expired."""
    row = await session.get(SessionTable, token_hash)
    return None if row is None or row.expires_at <= now else (row.actor_id, row.expires_at)


async def end_session(session: AsyncSession, token_hash: str) -> Actor | None:
    """Delete a session and return whose it was."""
    row = await session.get(SessionTable, token_hash)
    if row is None:
        return None
    holder = _holder(row)
    await changed_rows(session, delete(SessionTable).where(SessionTable.token_hash == token_hash))
    return holder


async def prune_sign_ins(session: AsyncSession, *, now: datetime) -> int:
    """Delete the links and sessions that expired."""
    links = await changed_rows(session, delete(SignInLinkTable).where(SignInLinkTable.expires_at <= now))
    return links + await changed_rows(session, delete(SessionTable).where(SessionTable.expires_at <= now))


def _holder_values(actor: Actor) -> dict[str, str]:
    return {"actor_id": actor.id, "actor_name": actor.name, "actor_kind": actor.kind.value}


def _holder(row: SignInLinkTable | SessionTable) -> Actor:
    """Return whose it is by name only: what the person may do is looked up when it is asked."""
    return Actor(id=row.actor_id, name=row.actor_name, kind=ActorKind(row.actor_kind))


def _preferences(row: PreferenceTable) -> Preferences:
    quiet = None
    if row.quiet_begin and row.quiet_end:
        quiet = QuietHours(time.fromisoformat(row.quiet_begin), time.fromisoformat(row.quiet_end))
    return Preferences(row.language, row.timezone, quiet, row.way)


def _link(row: AccountTable) -> AccountLink:
    return AccountLink(
        platform=row.platform,
        tenant=row.tenant,
        user=row.user,
        actor_id=row.actor_id,
        person_id=row.person_id,
        kind=row.kind,
        name=row.name,
        email=row.email,
        language=row.language,
    )


def _seal(row: SealTable) -> Seal:
    return Seal(position=row.position, entry_id=row.entry_id, entry_hash=row.entry_hash, chain_hash=row.chain_hash)


def _entry(row: AuditTable) -> AuditEntry:
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor_id=row.actor_id,
        actor_name=row.actor_name,
        actor_kind=row.actor_kind,
        action=row.action,
        resource=row.resource,
        allowed=row.allowed,
        reason=row.reason,
        outcome=row.outcome,
        detail=row.detail,
        run_id=row.run_id,
    )
