"""The sample company's desk in Microsoft's Teams client, and the people who sit before it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from agent.brains.assistant import Brain
from bot.compose.desk import Desk
from identity.actor import Actor
from storage.clock import SystemClock
from tests.browser.house import sample_desk
from tests.browser.teams.playground import APP_ID, TENANT, playground
from tests.browser.teams.seat import TeamsSeat
from tests.desks.house import all_done
from tests.scenarios.slow_brain import slow_brain

#: The client draws no dialogs, so forms come as cards. It signs nothing, and answers on loopback.
TEAMS: Mapping[str, Any] = {
    "mode": "test",
    "app_id": APP_ID,
    "tenant_id": TENANT,
    "email_domains": ("marenvold.example",),
    "forms": "cards",
    "service_hosts": ("localhost",),
}

#: Seconds that the desk takes for a step. Now and then the client never shows what is posted while it still waits
#: to hear that the person's own message was taken, and the rules answer faster than that.
STEP_S = 0.2


def unhurried() -> Brain:
    """Return a brain that answers as the rules do, but not before a client is ready for it."""
    return slow_brain(SystemClock(), STEP_S)


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
async def teams_house(home: Path, browser: Browser, *, brain: Brain | None = None) -> AsyncIterator[TeamsHouse]:
    """Serve the desk of the sample company on Teams."""
    brain = brain or unhurried()
    async with (
        sample_desk(home, brain=brain, teams=dict(TEAMS)) as (desk, url),
        move_in(desk, url, browser, home.parent) as house,
    ):
        yield house


@asynccontextmanager
async def move_in(desk: Desk, url: str, browser: Browser, folder: Path) -> AsyncIterator[TeamsHouse]:
    """Let people sit before a desk that listens at the URL; their clients write below the folder."""
    people = {actor.id: actor for actor in await desk.directory.people()}
    async with AsyncExitStack() as windows:
        yield TeamsHouse(desk, url, browser, people, folder, windows)
