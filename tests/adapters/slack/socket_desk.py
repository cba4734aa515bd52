"""A desk that only writes down, connected to a local Slack over a real websocket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from adapters.events import Inbound, Message
from adapters.inbound.tasks import Afterwards
from adapters.outbound.health import Health
from adapters.port import Accepted, Receipt
from adapters.slack.config import SlackConfig
from adapters.slack.inbound.app import build
from adapters.slack.inbound.socket import SocketMode
from adapters.slack.setup.manifest import SCOPES, manifest
from adapters.slack.wire.client import SlackCalls
from storage.clock import ScaledClock
from tests.adapters.slack.hearing import words_for
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.workspace import SlackWorkspace

#: Seconds of the desk in a real one.
SPEED = 60
#: Real seconds until a test gives up.
DEADLINE_S = 20


@dataclass
class Desk:
    """A desk that only writes down, and the Slack that it is connected to."""

    slack: LocalSlack
    socket: SocketMode
    health: Health
    heard: list[str] = field(default_factory=list)
    received: int = 0
    error: Exception | None = None
    #: Closed: what comes in is being stored until it opens.
    gate: asyncio.Event | None = None
    receipt: Receipt = field(default_factory=Accepted)
    ids: set[str] = field(default_factory=set)
    #: Real seconds that it takes to write one event down.
    storing_s: float = 0.0

    async def receive(self, event: Inbound) -> Receipt:
        self.received += 1
        await asyncio.sleep(self.storing_s)
        if self.error is not None:
            raise self.error
        if self.gate is not None:
            await self.gate.wait()
        # Like the inbox: an event that comes again is there already.
        if event.event_id not in self.ids:
            self.ids.add(event.event_id)
            self.heard.append(event.text if isinstance(event, Message) else type(event).__name__)
        return self.receipt

    @property
    def lines(self) -> int:
        return len([each for each in self.slack.socket.connections if each.usable])

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():  # noqa: ASYNC110 - what is waited for is spread over many parts
                await asyncio.sleep(0.01)


@asynccontextmanager
async def local_slack(speed: float = SPEED) -> AsyncIterator[LocalSlack]:
    """Yield a Slack whose app connects over Socket Mode."""
    workspace = SlackWorkspace(ScaledClock(speed), scopes=tuple(SCOPES))
    async with LocalSlack(workspace=workspace) as slack:
        await slack.install(manifest(mode="socket"))
        yield slack


@asynccontextmanager
async def connectable(slack: LocalSlack, *, health: Health | None = None) -> AsyncIterator[Desk]:
    """Yield a desk that is not connected yet."""
    clock = slack.workspace.clock
    config = SlackConfig(
        bot_token=slack.workspace.bot_token.value, app_token=slack.workspace.app_token.value, api_url=slack.url
    )
    health = health or Health(clock, platform="Slack")
    calls = SlackCalls(config, clock, health=health)
    made: list[Desk] = []

    async def receive(event: Inbound) -> Receipt:
        return await made[0].receive(event)

    app = build(
        config,
        clock,
        receive=receive,
        words_for=words_for,
        calls=calls,
        installation=calls.installation,
        health=health,
        afterwards=Afterwards(clock),
    )
    socket = SocketMode(app, config, clock, calls=calls)
    made.append(Desk(slack, socket, health))
    try:
        yield made[0]
    finally:
        await calls.close()


@asynccontextmanager
async def connected(slack: LocalSlack) -> AsyncIterator[Desk]:
    """Yield a desk with a line to Slack."""
    async with connectable(slack) as desk, desk.socket.listening():
        await desk.until(lambda: desk.socket.connected)
        yield desk
