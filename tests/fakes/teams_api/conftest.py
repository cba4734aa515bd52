"""An organisation with two people and a channel, its clock in the test's hand, and a bot with a good token."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest

from storage.clock import ManualClock
from tests.fakes.teams.content import CARD
from tests.fakes.teams.logins import SCOPE
from tests.fakes.teams.organisation import Organisation, thread_id
from tests.fakes.teams.records import Conversation, Json, Message, User
from tests.fakes.teams.server import TeamsServer


@dataclass
class House:
    """What the tests of the connector share."""

    server: TeamsServer
    clock: ManualClock
    http: httpx.AsyncClient
    ann: User
    ben: User
    help: Conversation
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def organisation(self) -> Organisation:
        return self.server.organisation

    @property
    def chat(self) -> Conversation:
        return self.organisation.chat(self.ann)

    async def login(self, **given: str) -> httpx.Response:
        """Ask for a token with the bot's credentials but for what is given."""
        asked = {
            "grant_type": "client_credentials",
            "client_id": self.organisation.bot.app_id,
            "client_secret": self.organisation.app_secret,
            "scope": SCOPE,
        }
        tenant = given.pop("tenant", self.organisation.tenant.id)
        return await self.http.post(f"{self.server.login_url}/{tenant}/oauth2/v2.0/token", data=asked | given)

    async def call(self, method: str, path: str = "", body: Json | None = None) -> httpx.Response:
        """Call the connector: `path` is what follows `v3/conversations`."""
        url = f"{self.organisation.service_url}v3/conversations{path}"
        return await self.http.request(method, url, json=body, headers=self.headers)

    async def send(self, place: str = "", **activity: object) -> httpx.Response:
        """Send an activity, by default a message into Ann's chat."""
        known: Json = {"type": "message", "text": "hello"}
        return await self.call("POST", f"/{place or self.chat.id}/activities", known | activity)

    async def post(self, place: str = "", **activity: object) -> Message:
        """Post a message and return what the organisation holds."""
        answer = await self.send(place, **activity)
        assert answer.status_code == 201, answer.text
        return self.organisation.messages[(place or self.chat.id).partition(";")[0]][answer.json()["id"]]

    async def stream(self, text: str, number: int | None, **info: object) -> httpx.Response:
        """Send a piece of a stream into Ann's chat; without a number it is the final one."""
        kind = "message" if number is None else "typing"
        known: Json = {"type": "streaminfo"} | ({} if number is None else {"streamSequence": number})
        return await self.send(type=kind, text=text, entities=[known | info])

    def thread(self, said: Message) -> str:
        """Return the conversation id of a channel's thread."""
        return thread_id(self.organisation.conversations[said.conversation], said.root)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    clock = ManualClock()
    organisation = Organisation(clock)
    ann, ben = organisation.add_user("Ann Archer"), organisation.add_user("Ben Brook")
    channel = organisation.add_channel("help", (ann, ben))
    async with TeamsServer(organisation) as server, httpx.AsyncClient() as http:
        opened = House(server, clock, http, ann, ben, channel)
        opened.headers = {"Authorization": f"Bearer {(await opened.login()).json()['access_token']}"}
        yield opened


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status_code, answer.json()["error"].get("code", "")


def attachment(*body: Json, **more: object) -> Json:
    """Return a card as it is attached."""
    card: Json = {"type": "AdaptiveCard", "version": "1.5", "body": list(body)}
    return {"contentType": CARD, "content": card | more}


def block(text: str) -> Json:
    """Return words on a card."""
    return {"type": "TextBlock", "text": text, "wrap": True}
