"""A workspace with two people and a channel, its clock in the test's hand, and slack_sdk's client of it."""

from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from storage.clock import ManualClock
from tests.fakes.slack.records import Channel, Json, Message, User
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import SlackWorkspace


@dataclass
class House:
    """What the tests of the local Slack share."""

    server: SlackServer
    workspace: SlackWorkspace
    clock: ManualClock
    client: AsyncWebClient
    session: aiohttp.ClientSession
    ann: User
    ben: User
    help: Channel

    async def post(self, text: str = "hello", **arguments: object) -> Message:
        """Post as the app and return what the workspace holds."""
        known: Json = {"channel": self.help.id, "text": text}
        answer = await self.client.api_call("chat.postMessage", json=known | arguments)
        return self.workspace.messages[answer["channel"]][answer["ts"]]

    async def stream(self, **arguments: object) -> str:
        """Start a stream below a question of Ann's and return its ts."""
        asked = self.workspace.say(self.ann, self.help, "why?")
        known: Json = {"channel": self.help.id, "thread_ts": asked.ts}
        known |= {"recipient_user_id": self.ann.id, "recipient_team_id": self.workspace.team.id}
        answer = await self.client.api_call("chat.startStream", json=known | arguments)
        return str(answer["ts"])


@pytest.fixture
async def house() -> AsyncIterator[House]:
    clock = ManualClock()
    workspace = SlackWorkspace(clock)
    ann, ben = workspace.add_user("ann"), workspace.add_user("ben")
    channel = workspace.add_channel("help", (ann, ben))
    async with SlackServer(workspace) as server, aiohttp.ClientSession() as session:
        client = AsyncWebClient(workspace.bot_token.value, base_url=server.url, session=session, retry_handlers=[])
        yield House(server, workspace, clock, client, session, ann, ben, channel)


async def refusal(call: Awaitable[object]) -> Json:
    """Return the answer of a call that is refused."""
    with pytest.raises(SlackApiError) as refused:
        await call
    answer: Json = refused.value.response.data
    return answer


async def error(call: Awaitable[object]) -> str:
    """Return the error code with which a call is refused."""
    return str((await refusal(call))["error"])
