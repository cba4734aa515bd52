"""The outgoing half of the Slack adapter, wired to a local Slack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.slack.calls import Calls
from adapters.slack.config import SlackConfig
from adapters.slack.health import Health
from storage.clock import Clock, ScaledClock
from tests.fakes.slack.records import Call, Channel, User
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import SlackWorkspace

#: Real seconds that an answer may take in tests: the local Slack needs milliseconds.
ANSWER_WITHIN_S = 2.0


@dataclass
class Outgoing:
    """One desk, two people and two channels; `clock` runs both sides."""

    workspace: SlackWorkspace
    server: SlackServer
    config: SlackConfig
    clock: Clock
    calls: Calls
    ada: User = field(init=False)
    ben: User = field(init=False)
    general: Channel = field(init=False)
    secret: Channel = field(init=False)

    def __post_init__(self) -> None:
        self.ada = self.workspace.add_user("ada", real_name="Ada Lind", locale="zh-CN")
        self.ben = self.workspace.add_user("ben", real_name="Ben Okoro")
        self.general = self.workspace.add_channel("general", (self.ada, self.ben))
        self.secret = self.workspace.add_channel("secret", (self.ada,), is_private=True)

    def called(self, method: str) -> list[Call]:
        """Return the calls of a method, the oldest first."""
        return [call for call in self.workspace.calls if call.method == method]


@asynccontextmanager
async def outgoing(clock: Clock | None = None, **config: Any) -> AsyncIterator[Outgoing]:
    """Yield a desk beside a local Slack; both live 60 times as fast unless a clock is given."""
    clock = clock or ScaledClock(60)
    workspace = SlackWorkspace(clock)
    async with SlackServer(workspace) as server:
        known: dict[str, Any] = {"bot_token": workspace.bot_token.value, "api_url": server.url}
        made = SlackConfig(**(known | {"email_domains": frozenset({"harbour.example"})} | config))
        calls = Calls(made, clock, health=Health(clock), answer_within_s=ANSWER_WITHIN_S)
        try:
            yield Outgoing(workspace, server, made, clock, calls)
        finally:
            await calls.close()
