"""The sample company's desk in Microsoft's Teams client, and the people who sit before it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from bot.compose import compose
from bot.desk import Desk
from bot.settings import load
from identity.actor import Actor, local_operator
from tests.browser.house import SAMPLE, opened_browser, served
from tests.browser.teams.playground import APP_ID, TENANT, playground
from tests.browser.teams.seat import TeamsSeat
from tests.desks.house import all_done

#: The client draws no dialogs, so forms come as cards. It signs nothing, and answers on loopback.
TEAMS: Mapping[str, Any] = {
    "mode": "test",
    "app_id": APP_ID,
    "tenant_id": TENANT,
    "email_domains": ("marenvold.example",),
    "forms": "cards",
    "service_hosts": ("localhost",),
}


@dataclass
class TeamsHouse:
    """A desk on Teams, with a browser before it."""

    desk: Desk
    url: str
    browser: Browser
    people: Mapping[str, Actor]
    folder: Path
    _open: AsyncExitStack

    async def seat(self, name: str) -> TeamsSeat:
        """Return a window of somebody, with a client of their own."""
        person, others = self.people[name], self.people.values()
        client = playground(self.folder / f"client-{name}", desk=self.url, person=person, others=others)
        context = await self.browser.new_context(viewport={"width": 1440, "height": 900})
        self._open.push_async_callback(context.close)
        seat = TeamsSeat(await context.new_page(), await self._open.enter_async_context(client))
        await seat.open()
        return seat

    async def settle(self, *, within_s: float = 20.0) -> None:
        """Wait, in real seconds, until nothing is in work or on its way out."""
        await all_done(self.desk.database, within_s=within_s)


@asynccontextmanager
async def teams_house(home: Path, *, port: int = 0, **platforms: Any) -> AsyncIterator[TeamsHouse]:
    """Serve the desk of the sample company on Teams, and on the other platforms that are given."""
    async with AsyncExitStack() as stack:
        settings = load(home=home, people_file=SAMPLE / "people.yaml", teams=dict(TEAMS), **platforms)
        desk = await stack.enter_async_context(await compose(settings))
        await desk.search.add_folder(local_operator(), SAMPLE / "handbook")
        url = await stack.enter_async_context(served(desk, port))
        people = {actor.id: actor for actor in await desk.directory.people()}
        browser = await stack.enter_async_context(opened_browser())
        windows = await stack.enter_async_context(AsyncExitStack())
        yield TeamsHouse(desk, url, browser, people, home.parent, windows)
