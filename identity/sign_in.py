"""Signing in to the console: a one-time link, then a session. The database keeps hashes only."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from identity import audit, store
from identity.actor import Actor
from identity.errors import RefusedSignIn, SignInRefused
from identity.permissions import Permission
from identity.policy import PolicyReason, require
from storage.clock import Clock
from storage.database import Database
from storage.ids import hash_secret, new_nonce


@dataclass(frozen=True)
class Session:
    """A signed-in browser. `token` is its cookie; every form carries `csrf`, which is made from it."""

    token: str
    csrf: str
    actor_id: str
    expires_at: datetime


class SignIn:
    """Makes links, trades each for one session, and knows the sessions."""

    def __init__(self, database: Database, clock: Clock, *, session_hours: float = 12) -> None:
        self._database = database
        self._clock = clock
        self._session_length = timedelta(hours=session_hours)

    async def link(self, person: Actor, *, minutes: float = 15) -> str:
        """Return the token of a one-time link that signs this person in; needs `console:open`."""
        require(person, Permission.CONSOLE_OPEN)
        token, now = new_nonce() + new_nonce(), self._clock.now()
        async with self._database.transaction() as session:
            await store.add_sign_in_link(
                session, hash_secret(token), person, now=now, expires_at=now + timedelta(minutes=minutes)
            )
            await _record(session, "sign_in.link", person, refused=None, now=now)
        return token

    async def redeem(self, token: str) -> Session:
        """Trade a link's token for a session, once; raise `SignInRefused` with the reason."""
        now, hashed, cookie = self._clock.now(), hash_secret(token), new_nonce() + new_nonce()
        expires_at = now + self._session_length
        async with self._database.transaction() as session:
            holder = await store.use_sign_in_link(session, hashed, now=now)
            if holder is not None:
                await store.add_session(session, hash_secret(cookie), holder, now=now, expires_at=expires_at)
                await _record(session, "sign_in", holder, refused=None, now=now)
                return Session(token=cookie, csrf=_csrf(cookie), actor_id=holder.id, expires_at=expires_at)
            reason = await self._refuse(session, hashed, now=now)
        raise SignInRefused(reason)

    async def end(self, token: str) -> None:
        """Sign the browser out; no matter when it is not signed in."""
        async with self._database.transaction() as session:
            holder = await store.end_session(session, hash_secret(token))
            if holder is not None:
                await _record(session, "sign_out", holder, refused=None, now=self._clock.now())

    async def prune(self) -> int:
        """Delete links and sessions that expired; return how many."""
        async with self._database.transaction() as session:
            return await store.prune_sign_ins(session, now=self._clock.now())

    async def _refuse(self, session: AsyncSession, hashed: str, *, now: datetime) -> RefusedSignIn:
        """Say why, and put it on record when the link once was a real one; a made-up one is not worth a row."""
        known = await store.sign_in_link(session, hashed)
        if known is None:
            return "unknown"
        holder, used = known
        reason: RefusedSignIn = "used" if used else "expired"
        await _record(session, "sign_in", holder, refused=reason, now=now)
        return reason

    async def session(self, token: str) -> Session | None:
        """Return the session of a cookie; None when it is unknown, ended or expired."""
        async with self._database.reading() as session:
            found = await store.session_of(session, hash_secret(token), now=self._clock.now())
        if found is None:
            return None
        actor_id, expires_at = found
        return Session(token=token, csrf=_csrf(token), actor_id=actor_id, expires_at=expires_at)


def _csrf(token: str) -> str:
    return hash_secret(f"csrf:{token}")


async def _record(
    session: AsyncSession, action: str, holder: Actor, *, refused: RefusedSignIn | None, now: datetime
) -> None:
    await audit.record(
        session,
        actor=holder,
        action=action,
        resource=holder.id,
        allowed=refused is None,
        reason=refused or PolicyReason.OWN,
        outcome="refused" if refused else "done",
        now=now,
    )
