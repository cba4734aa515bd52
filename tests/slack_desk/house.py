"""A desk on Slack in this process, behind its real server and a real port, or on a real websocket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from adapters.slack.setup.manifest import PATH, manifest
from bot.compose.desk import Desk
from bot.compose.parts import LEASE_S
from storage.clock import Clock
from tests.desks.house import all_done, open_desk
from tests.desks.process import free_port
from tests.fakes.slack.local_slack import LocalSlack

Mode = Literal["http", "socket"]


@dataclass(frozen=True)
class House:
    """Slack and the desk in it; `url` is where the desk listens."""

    slack: LocalSlack
    desk: Desk
    url: str

    async def settle(self, *, within_s: float = 20.0) -> None:
        """Wait, in real seconds, until nothing is on its way in, in work or on its way out."""
        await self.slack.deliveries.settled(within_s=within_s)
        await all_done(self.desk.database, within_s=within_s)


async def install(slack: LocalSlack, url: str) -> None:
    """Install the desk that listens at `url`; without one it connects by itself (Socket Mode)."""
    if url:
        await slack.install(manifest(url="https://desk.example", mode="http"), request_url=f"{url}{PATH}")
    else:
        await slack.install(manifest(mode="socket"))


def slack_settings(slack: LocalSlack, **given: Any) -> dict[str, Any]:
    """Return the settings that connect a desk with a local Slack."""
    workspace = slack.workspace
    return {
        "mode": "http",
        "api_url": slack.url,
        "bot_token": workspace.bot_token.value,
        "app_token": workspace.app_token.value,
        "signing_secret": workspace.signing_secret,
        **given,
    }


@asynccontextmanager
async def open_house(
    home: Path, clock: Clock, *, mode: Mode = "http", lease_s: float = LEASE_S, **slack_given: Any
) -> AsyncIterator[House]:
    """Serve a desk with a local Slack before it for the time of the block."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with LocalSlack(clock) as slack:
        await install(slack, url if mode == "http" else "")
        platforms = {"slack": slack_settings(slack, mode=mode, **slack_given)}
        async with open_desk(home, platforms, clock, port=port, lease_s=lease_s) as desk:
            yield House(slack, desk, url)
