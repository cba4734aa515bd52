"""Who is at the page: the session cookie, the demo's chosen person, the token that every write carries."""

import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from adapters.events import Account
from bot.compose.desk import Desk
from bot.console.access.guard import is_encrypted
from bot.conversation.people import own_account
from identity.actor import Actor
from identity.errors import IdentityError, SignInRefused
from identity.permissions import Permission
from identity.policy import decide
from identity.sign_in import Session

COOKIE = "dutydesk_session"


@dataclass(frozen=True)
class Visitor:
    """A signed-in person, with the rights of this moment."""

    actor: Actor
    session: Session

    def may_write(self, token: str) -> bool:
        """Return whether a write carries this session's token; takes as long for a near miss as for a far one."""
        return secrets.compare_digest(token.encode(), self.session.csrf.encode())


class Visitors:
    """Finds visitors, and starts and ends their sessions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def of(self, request: Request) -> Visitor | None:
        """Return who is signed in, or None; a person who was removed or lost the console is not."""
        token = request.cookies.get(COOKIE, "")
        session = await self._desk.sign_in.session(token) if token else None
        if session is None:
            return None
        try:
            actor = await self._desk.people.named(session.actor_id)
        except IdentityError:
            return None
        return Visitor(actor, session) if decide(actor, Permission.CONSOLE_OPEN).allowed else None

    async def account(self, request: Request) -> Account | None:
        """Return the visitor's chat account."""
        visitor = await self.of(request)
        return None if visitor is None else own_account("web", visitor.actor)

    async def redeem(self, token: str) -> Visitor:
        """Start a session from a one-time link; raise SignInRefused."""
        session = await self._desk.sign_in.redeem(token)
        actor = await self._desk.people.named(session.actor_id)
        if not decide(actor, Permission.CONSOLE_OPEN).allowed:
            raise SignInRefused
        return Visitor(actor, session)

    async def become(self, person: str) -> Visitor:
        """Start a session as a sample person; only called where the settings say `demo`."""
        actor = await self._desk.directory.person(person)
        return await self.redeem(await self._desk.sign_in.link(actor))

    async def first_of_demo(self) -> Visitor | None:
        """Start a session as the first sample person, outside of a demo nobody."""
        if not self._desk.settings.demo:
            return None
        people = await self._desk.directory.people()
        return await self.become(people[0].id) if people else None

    async def leave(self, session: Session, response: Response) -> None:
        """End a session, in the database too."""
        await self._desk.sign_in.end(session.token)
        response.delete_cookie(COOKIE, path="/")

    def keep(self, response: Response, visitor: Visitor) -> None:
        """Give the browser the session's cookie."""
        response.set_cookie(
            COOKIE,
            visitor.session.token,
            max_age=self._desk.settings.web.session_hours * 3_600,
            path="/",
            httponly=True,
            secure=is_encrypted(self._desk.settings),
            samesite="lax",
        )
