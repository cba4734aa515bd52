"""Requests that are not Teams', or no longer, or not whole: the real server refuses each, counts it, does nothing."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from multidict import CIMultiDict

from adapters.teams.inbound.webhook import PATH, TeamsWebhook
from bot.settings import LimitSettings
from tests.desks.house import stored
from tests.fakes.teams import activities
from tests.fakes.teams.forgeries import FORGED, HEADERS
from tests.fakes.teams.records import Json
from tests.fakes.teams.tokens import Signing
from tests.scenarios.stage import MovableClock
from tests.teams_desk.house import House, open_house

pytestmark = pytest.mark.usefixtures("no_blocking")

FIVE_MEGABYTES = 5 * 1024 * 1024
QUESTION = "How many tons does the crane of berth Vega lift?"


@dataclass(frozen=True)
class Attack:
    """Somebody at the door, with a token or without."""

    house: House
    clock: MovableClock
    http: aiohttp.ClientSession

    @property
    def refused(self) -> Mapping[str, int]:
        """Return what the door counted, by reason."""
        door = self.house.desk.webhooks[PATH]
        assert isinstance(door, TeamsWebhook)
        return dict(door.refusals.counts)

    @property
    def signing(self) -> Signing:
        """Return the Bot Framework's own keys."""
        return self.house.teams.server.signing

    @property
    def service_url(self) -> str:
        """Return where the genuine connector is."""
        return self.house.teams.service_url

    @property
    def genuine(self) -> str:
        """Return the header of a genuine request."""
        return self.signing.bearer(self.service_url)

    def message(self, **changed: Any) -> Json:
        """Return a genuine message that Teams itself has not sent; what is changed to None is left out."""
        organisation = self.house.teams.organisation
        user = next(iter(organisation.users.values()), None) or organisation.add_user("Ada")
        said = organisation.say(user.id, organisation.chat(user), text=QUESTION)
        message = activities.message(organisation, user, said)
        return {name: value for name, value in (message | changed).items() if value is not None}

    async def post(
        self, body: Any, *authorization: str, method: str = "POST", kind: str = "application/json; charset=utf-8"
    ) -> int:
        """Return the status that comes back; JSON is encoded."""
        headers = CIMultiDict([("Content-Type", kind), *(("Authorization", value) for value in authorization)])
        data = json.dumps(body).encode() if isinstance(body, dict | list) else body
        async with self.http.request(method, self.house.url + PATH, data=data, headers=headers) as response:
            await response.read()
            return response.status


@pytest.fixture
async def attack(migrated_home: Path) -> AsyncIterator[Attack]:
    clock = MovableClock()
    async with open_house(migrated_home, clock) as house, aiohttp.ClientSession() as http:
        yield Attack(house, clock, http)
        await house.settle()


async def nothing_happened(attack: Attack, **counts: int) -> None:
    """Hold that nothing was stored or said, and that the refusals were counted under their reasons alone."""
    assert await stored(attack.house.desk.database) == 0
    assert attack.house.teams.organisation.calls == []
    assert attack.refused == counts


async def test_a_genuine_request_is_taken_and_answered(attack: Attack) -> None:
    assert await attack.post(attack.message(), attack.genuine) == 200
    await attack.house.settle()

    assert await stored(attack.house.desk.database) == 1
    assert attack.house.teams.organisation.calls
    assert attack.refused == {}


async def test_headers_that_are_not_teams(attack: Attack) -> None:
    reasons: Counter[str] = Counter()
    for how, (reason, forge) in HEADERS.items():
        if how == "a space behind":
            continue  # a server takes it off: no forgery is left
        reasons[reason] += 1
        assert await attack.post(attack.message(), *forge(attack.signing.token(attack.service_url))) == 401, how
        assert attack.refused == reasons, how

    await nothing_happened(attack, **reasons)


async def test_forged_tokens(attack: Attack) -> None:
    reasons: Counter[str] = Counter()
    for how, (reason, forge) in FORGED.items():
        reasons[reason] += 1
        token = forge(attack.signing, attack.service_url)
        assert await attack.post(attack.message(), f"Bearer {token}") == 401, how
        assert attack.refused == reasons, how

    await nothing_happened(attack, **reasons)


async def test_a_token_that_is_longer_than_any_header(attack: Attack) -> None:
    assert await attack.post(attack.message(), f"Bearer {'A' * 1_000_000}") in {400, 431}  # the server's own answer
    await nothing_happened(attack)


async def test_a_token_of_another_place(attack: Attack) -> None:
    elsewhere = attack.message(serviceUrl="https://smba.trafficmanager.net/amer/")

    assert await attack.post(elsewhere, attack.genuine) == 401
    assert await attack.post(attack.message(serviceUrl=None), attack.genuine) == 401
    await nothing_happened(attack, service_url=2)


async def test_a_channel_that_the_key_does_not_vouch_for(attack: Attack) -> None:
    attack.signing.endorse("webchat", "directline")
    attack.clock.skip(24 * 3600 + 1)  # until the keys are asked for again

    assert await attack.post(attack.message(), attack.genuine) == 401
    await nothing_happened(attack, unendorsed=1)


async def test_another_channel_than_teams(attack: Attack) -> None:
    for channel in ("emulator", "webchat", "directline"):
        assert await attack.post(attack.message(channelId=channel), attack.genuine) == 401, channel
    await nothing_happened(attack, unendorsed=1, channel=2)


async def test_a_tenant_that_may_not_write(attack: Attack) -> None:
    stranger = attack.house.teams.organisation.add_tenant("Strangers").id
    unnamed = attack.message(channelData={}, conversation={"id": "a:1"})

    assert await attack.post(attack.message(channelData={"tenant": {"id": stranger}}), attack.genuine) == 403
    assert await attack.post(unnamed, attack.genuine) == 403
    assert await attack.post(unnamed | {"conversation": {"id": "a:1", "tenantId": stranger}}, attack.genuine) == 403
    await nothing_happened(attack, tenant=3)


async def test_a_replay_does_nothing_a_second_time(attack: Attack) -> None:
    body, header = attack.message(), attack.genuine
    for _ in range(3):
        assert await attack.post(body, header) == 200
    await attack.house.settle()
    said = [call for call in attack.house.teams.organisation.calls if call.operation.startswith(("Send", "Reply"))]
    attack.clock.skip(3600 + 301)
    assert await attack.post(body, header) == 401
    await attack.house.settle()

    assert await stored(attack.house.desk.database) == 1
    again = [call for call in attack.house.teams.organisation.calls if call.operation.startswith(("Send", "Reply"))]
    assert len(again) == len(said)
    assert attack.refused == {"expired": 1}


async def test_a_key_that_was_withdrawn(attack: Attack) -> None:
    assert await attack.post(attack.message(type="typing"), attack.genuine) == 200
    old = attack.signing.rotate()
    attack.clock.skip(24 * 3600 + 1)

    stolen = attack.signing.token(attack.service_url, key=old)
    assert await attack.post(attack.message(), f"Bearer {stolen}") == 401
    await nothing_happened(attack, unknown_key=1)


async def test_while_the_keys_cannot_be_had_nobody_is_let_in_and_nobody_turned_away(attack: Attack) -> None:
    attack.signing.rotate()
    attack.clock.skip(61)
    attack.house.teams.organisation.faults.down(3600)
    forged = attack.signing.token(attack.service_url, algorithm="none")
    message = attack.message()
    assert await attack.post(message, attack.genuine) == 503
    assert await attack.post(message, f"Bearer {forged}") == 401
    await nothing_happened(attack, keys_away=1, algorithm=1)

    attack.house.teams.organisation.faults.calm()
    attack.clock.skip(11)
    assert await attack.post(message, attack.genuine) == 200
    await attack.house.settle()
    assert await stored(attack.house.desk.database) == 1


async def test_a_flood_of_unknown_keys_asks_the_key_server_once_a_minute(attack: Attack) -> None:
    for number in range(30):
        token = attack.signing.token(attack.service_url, headers={"kid": f"nobody's {number}"})
        assert await attack.post(attack.message(), f"Bearer {token}") == 401

    assert attack.house.teams.server.keys.asked == 1
    await nothing_happened(attack, unknown_key=30)


async def test_a_flood_of_forgeries_is_a_line_in_the_log_not_a_flood(
    attack: Attack, caplog: pytest.LogCaptureFixture
) -> None:
    token = attack.signing.token(attack.service_url, aud="another")
    statuses = [await attack.post(attack.message(), f"Bearer {token}") for _ in range(50)]

    assert statuses == [401] * 50
    lines = [each.getMessage() for each in caplog.records if "claim to come from Teams" in each.getMessage()]
    assert len(lines) == 1
    assert not any(part in caplog.text for part in token.split("."))
    await nothing_happened(attack, audience=50)


# Bodies


async def test_five_megabytes(attack: Attack) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(80):
            yield b"x" * 65_536

    assert await attack.post(BytesIO(b"x" * FIVE_MEGABYTES), attack.genuine) == 413
    assert await attack.post(BytesIO(b"x" * FIVE_MEGABYTES)) == 413
    assert await attack.post(pieces(), attack.genuine) == 413
    await nothing_happened(attack, too_large=3)


async def test_other_methods(attack: Attack) -> None:
    for method in ("GET", "PUT", "DELETE", "OPTIONS"):
        assert await attack.post(attack.message(), attack.genuine, method=method) == 405, method
    await nothing_happened(attack, method=4)


NO_ACTIVITIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"hello",
    "half of some JSON": b'{"type": "message", "text": ',
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "a deep hole": b"[" * 200_000,
    "no text": b'{"type": "\xff\xfe"}',
    "no number": b'{"type": "message", "value": NaN}',
}


async def test_what_teams_never_sends(attack: Attack) -> None:
    for what, body in NO_ACTIVITIES.items():
        assert await attack.post(body, attack.genuine) == 400, what
        assert await attack.post(body) == 401, what
    await nothing_happened(attack, malformed=len(NO_ACTIVITIES), no_token=len(NO_ACTIVITIES))


async def test_what_is_not_called_json(attack: Attack) -> None:
    assert await attack.post(attack.message(), attack.genuine, kind="text/plain") == 415
    await nothing_happened(attack, content_type=1)


def odd(whole: Json) -> Iterable[tuple[str, Json]]:
    """Yield genuine activities without sense: every field, in turn, is of another kind than it should be."""
    strange: tuple[Any, ...] = (None, 7, "", [], [None], {}, {"id": 7}, {"id": []}, True)
    for name in whole:
        if name not in {"channelId", "serviceUrl", "channelData"}:
            yield from ((f"{name}: {value}", whole | {name: value}) for value in strange)
    for kind in ("invoke", "conversationUpdate", "installationUpdate", "event", "surprise"):
        for value in strange:
            yield f"{kind} of {value}", whole | {"type": kind, "name": value, "value": value, "membersAdded": value}


async def test_an_activity_without_sense_does_no_harm(attack: Attack) -> None:
    for what, activity in odd(attack.message()):
        # Whatever it is, Teams is told at once, and never that the desk broke over it.
        assert await attack.post(activity, attack.genuine) in {200, 400, 404, 501}, what
    await attack.house.settle()
    before = await stored(attack.house.desk.database)

    assert attack.refused == {}
    assert await attack.post(attack.message(), attack.genuine) == 200
    await attack.house.settle()
    assert await stored(attack.house.desk.database) == before + 1


async def test_a_full_queue_refuses_and_takes_what_teams_sends_again(attack: Attack) -> None:
    message, room = attack.message(), attack.house.desk.room
    usual, room._limits = room._limits, LimitSettings.model_construct(waiting=0, waiting_per_person=0)
    assert await attack.post(message, attack.genuine) == 503
    assert await stored(attack.house.desk.database) == 0
    assert attack.house.teams.organisation.calls == []

    room._limits = usual
    assert await attack.post(message, attack.genuine) == 200
    assert await attack.post(message, attack.genuine) == 200
    await attack.house.settle()
    assert await stored(attack.house.desk.database) == 1
    assert attack.house.teams.organisation.calls
