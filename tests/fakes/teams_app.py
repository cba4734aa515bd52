"""An app for the local Teams that writes down what comes and answers what a test wants."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from aiohttp import web

from storage.clock import Clock
from tests.fakes.teams.content import CARD
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.logins import SCOPE
from tests.fakes.teams.records import Json, Message


@dataclass
class App:
    """The app; `answers` gives the body for each invoke by its name, `statuses` the next statuses of anything."""

    http: httpx.AsyncClient
    teams: LocalTeams | None = None
    url: str = ""
    heard: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: dict[str, Callable[[Json], Any]] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    #: Seconds of the clock after which it answers.
    slow_s: float = 0.0
    _token: str = ""

    async def handle(self, request: web.Request) -> web.Response:
        """Take one activity."""
        body: Json = await request.json()
        self.heard.append(body)
        self.headers.append(dict(request.headers))
        if self.slow_s and self.teams is not None:
            await self.teams.organisation.clock.sleep(self.slow_s)
        status = self.statuses.pop(0) if self.statuses else 200
        if status != 200 or body["type"] != "invoke":
            return web.Response(status=status)
        answer = self.answers[body["name"]](body["value"])
        return web.Response(status=200) if answer is None else web.json_response(answer)

    @property
    def last(self) -> Json:
        """The activity that came last."""
        return self.heard[-1]

    async def send(self, place: str, **activity: Any) -> Message:
        """Post a message as the app; return what stands there."""
        assert self.teams is not None
        headers = {"Authorization": f"Bearer {await self._login(self.teams)}"}
        url = f"{self.teams.service_url}v3/conversations/{place}/activities"
        known: Json = {"type": "message", "text": ""}
        answer = await self.http.post(url, json=known | activity, headers=headers)
        assert answer.status_code < 300, answer.text
        messages = self.teams.organisation.messages[place.partition(";")[0]]
        return messages[answer.json()["id"]] if "id" in answer.json() else list(messages.values())[-1]

    async def send_card(self, place: str, card: Json) -> Message:
        """Post a card as the app."""
        return await self.send(place, attachments=[{"contentType": CARD, "content": card}])

    async def _login(self, teams: LocalTeams) -> str:
        if not self._token:
            organisation = teams.organisation
            asked = {
                "grant_type": "client_credentials", "client_id": organisation.bot.app_id, "scope": SCOPE,
                "client_secret": organisation.app_secret,
            }  # fmt: skip
            url = f"{teams.login_url}/{organisation.tenant.id}/oauth2/v2.0/token"
            self._token = (await self.http.post(url, data=asked)).json()["access_token"]
        return self._token


@asynccontextmanager
async def teams_with_app(clock: Clock, *, signed: bool = True) -> AsyncIterator[tuple[LocalTeams, App]]:
    """Open a local Teams with such an app installed in it."""
    async with httpx.AsyncClient() as http, LocalTeams(clock, signed=signed) as teams:
        app = App(http, teams)
        served = web.Application()
        served.router.add_post("/api/messages", app.handle)
        runner = web.AppRunner(served, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        app.url = f"http://127.0.0.1:{runner.addresses[0][1]}/api/messages"
        await teams.install(app.url)
        try:
            yield teams, app
        finally:
            await runner.cleanup()
