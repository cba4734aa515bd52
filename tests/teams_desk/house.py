"""A desk on Teams in this process, behind its real server and a real port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.teams.inbound.webhook import PATH
from bot.compose.desk import Desk
from bot.compose.parts import LEASE_S
from storage.clock import Clock
from tests.desks.house import all_done, open_desk
from tests.desks.process import free_port
from tests.fakes.teams.local_teams import LocalTeams


@dataclass(frozen=True)
class House:
    """Teams and the desk in it; `url` is where the desk listens."""

    teams: LocalTeams
    desk: Desk
    url: str

    async def settle(self, *, within_s: float = 20.0) -> None:
        """Wait, in real seconds, until nothing is on its way in, in work or on its way out."""
        await self.teams.deliveries.settled(within_s=within_s)
        await all_done(self.desk.database, within_s=within_s)


def teams_settings(teams: LocalTeams, **given: Any) -> dict[str, Any]:
    """Return the settings that connect a desk with a local Teams."""
    organisation = teams.organisation
    return {
        "mode": "on",
        "app_id": organisation.bot.app_id,
        "app_secret": organisation.app_secret,
        "tenant_id": organisation.tenant.id,
        "login_url": teams.login_url,
        "keys_url": teams.keys_url,
        "service_hosts": ("127.0.0.1",),
        **given,
    }


@asynccontextmanager
async def open_house(
    home: Path, clock: Clock, *, lease_s: float = LEASE_S, think_s: float = 0.0, **given: Any
) -> AsyncIterator[House]:
    """Serve a desk with a local Teams before it for the time of the block; `given` are settings of the group."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with LocalTeams(clock) as teams:
        await teams.install(f"{url}{PATH}")
        platforms = {"teams": teams_settings(teams, **given)}
        async with open_desk(home, platforms, clock, port=port, lease_s=lease_s, think_s=think_s) as desk:
            yield House(teams, desk, url)
