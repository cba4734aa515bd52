"""Coming in by a one-time link, going out, and the demo's change of person."""

import asyncio
import math

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bot.console.access.visitors import Visitors
from bot.console.pages import Pages, preferred, read_form
from features.anatomy.pages import Visit
from identity.errors import IdentityError, UnknownPerson
from storage.throttle import RefusalsRemembered, Throttle


class SignInPages:
    """A link only shows a button: programs that look at links beforehand do not use it up."""

    def __init__(self, pages: Pages, visitors: Visitors) -> None:
        self._pages = pages
        self._visitors = visitors
        #: One try is counted after the other, or hundreds at once would stand before what others write.
        self._trying = asyncio.Lock()
        #: Refusals are remembered here, so that what is refused costs the database nothing.
        self._throttle = Throttle(pages.desk.database, pages.desk.clock, RefusalsRemembered(pages.desk.clock))

    def routes(self) -> list[BaseRoute]:
        """Return the routes; changing the person exists in a demo only."""
        routes: list[BaseRoute] = [
            Route("/sign-in", self.ask, methods=["GET"]),
            Route("/sign-in", self.enter, methods=["POST"]),
            self._pages.post("/sign-out", self.leave),
        ]
        if self._pages.desk.settings.demo:
            routes.append(self._pages.post("/demo/switch", self.switch))
        return routes

    async def ask(self, request: Request) -> Response:
        """Show the button, or how to get a link."""
        token = request.query_params.get("token", "")[:200]
        return self._pages.draw_alone(
            "sign_in.html", language=preferred(request), token=token, refused=False, waits=False
        )

    async def enter(self, request: Request) -> Response:
        """Use the link up and start a session. A try counts once all of it has come."""
        form = await read_form(request)
        wait_s = await self._wait_s(request)
        if wait_s > 0:
            refusal = self._pages.draw_alone(
                "sign_in.html", language=preferred(request), status=429, token="", refused=False, waits=True
            )
            refusal.headers["Retry-After"] = str(math.ceil(wait_s))
            return refusal
        try:
            visitor = await self._visitors.redeem(form.get("token", "")[:200])
        except IdentityError:
            return self._pages.draw_alone(
                "sign_in.html", language=preferred(request), status=401, token="", refused=True, waits=False
            )
        response = RedirectResponse("/", status_code=303)
        self._visitors.keep(response, visitor)
        return response

    async def _wait_s(self, request: Request) -> float:
        """Return the seconds after which this network address may try again; 0 when it may now."""
        desk = self._pages.desk
        address = request.client.host if request.client else ""
        limits = desk.settings.limits
        async with self._trying:
            tries = await self._throttle.admit(f"sign-in:{address}", limit=limits.sign_ins_per_minute, per_s=60)
            if tries.allowed:  # what an address has too many of uses up nothing of what there is for all
                tries = await self._throttle.admit("sign-in", limit=limits.sign_ins_in_all_per_minute, per_s=60)
        return 0.0 if tries.allowed else max(tries.retry_after_s, 1.0)

    async def leave(self, visit: Visit) -> Response:
        """End the session."""
        response = RedirectResponse("/sign-in", status_code=303)
        await self._visitors.leave(visit.session, response)
        return response

    async def switch(self, visit: Visit) -> Response:
        """Go on as another sample person; the old session ends."""
        try:
            visitor = await self._visitors.become(visit.form.get("person", ""))
        except UnknownPerson:
            return RedirectResponse("/", status_code=303)
        response = RedirectResponse("/", status_code=303)
        await self._visitors.leave(visit.session, response)
        self._visitors.keep(response, visitor)
        return response
