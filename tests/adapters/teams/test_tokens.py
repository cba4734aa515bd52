"""A token is good when the Bot Framework signed it, for this bot, now, for this place, channel and tenant."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from adapters.teams.config import TeamsConfig
from adapters.teams.inbound.tokens import NotTrusted, Tokens
from tests.adapters.teams.key_server import Ring
from tests.fakes.teams.forgeries import FORGED, HEADERS, at, by, shows

APP, TENANT, PARTNER = "0dae6cb8-0000-4000-8000-00000000a99b", "7e4a4470-0000-4000-8000-000000000001", "partner-tenant"
SERVICE = "https://smba.trafficmanager.net/emea/"
CONFIG = TeamsConfig(app_id=APP, tenant_id=TENANT, allowed_tenants=frozenset({PARTNER}))


@dataclass
class Guard:
    """Tokens of one bot before a key server, and the activities that are shown to them."""

    ring: Ring
    tokens: Tokens

    def activity(self, **changed: Any) -> dict[str, Any]:
        return {
            "type": "message",
            "channelId": "msteams",
            "serviceUrl": SERVICE,
            "channelData": {"tenant": {"id": TENANT}},
            "conversation": {"id": "a:1", "tenantId": TENANT},
        } | changed

    async def verdict(self, *authorization: str, **changed: Any) -> tuple[str, int]:
        """Return (reason, status) of a refusal, ("", 200) when there is none."""
        try:
            voucher = await self.tokens.check(authorization)
            self.tokens.match(voucher, self.activity(**changed))
        except NotTrusted as refused:
            return refused.reason, refused.status
        return "", 200

    async def of(self, token: str, **changed: Any) -> tuple[str, int]:
        return await self.verdict(f"Bearer {token}", **changed)


def guard_of(**changed: Any) -> Guard:
    config: TeamsConfig = replace(CONFIG, **changed)
    ring = Ring(app_id=APP)
    return Guard(ring, Tokens(config, ring.clock, keys=ring.keys))


@pytest.fixture
def guard() -> Guard:
    return guard_of()


GOOD = ("", 200)


async def test_a_genuine_request_is_trusted(guard: Guard) -> None:
    assert await guard.verdict(guard.ring.signing.bearer(SERVICE)) == GOOD


@pytest.mark.parametrize("how", ["https://SMBA.trafficmanager.net/emea/", "https://smba.trafficmanager.net/emea"])
async def test_the_same_place_may_be_written_in_another_way(guard: Guard, how: str) -> None:
    assert await guard.verdict(guard.ring.signing.bearer(SERVICE), serviceUrl=how) == GOOD


async def test_ids_may_be_written_in_another_way() -> None:
    guard = guard_of(app_id=APP.upper(), tenant_id=TENANT.upper())

    assert await guard.verdict(guard.ring.signing.bearer(SERVICE)) == GOOD


async def test_what_a_token_says_besides_does_not_matter(guard: Guard) -> None:
    token = guard.ring.signing.token(SERVICE, iat=guard.ring.clock.now().timestamp(), jti=[], sub=7, ver=None)

    assert await guard.of(token) == GOOD
    assert await guard.of(guard.ring.signing.token(SERVICE, without=["nbf"])) == GOOD


# The header


@pytest.mark.parametrize("how", HEADERS)
async def test_the_header_is_one_word_and_one_token(guard: Guard, how: str) -> None:
    reason, forge = HEADERS[how]

    assert await guard.verdict(*forge(guard.ring.signing.token(SERVICE))) == (reason, 401)


# The token


@pytest.mark.parametrize("how", FORGED)
async def test_a_forged_token_is_refused(guard: Guard, how: str) -> None:
    reason, forge = FORGED[how]

    assert await guard.of(forge(guard.ring.signing, SERVICE)) == (reason, 401)


async def test_a_token_that_was_changed_is_forged(guard: Guard) -> None:
    header, body, signature = guard.ring.signing.token(SERVICE).split(".")
    other = guard.ring.signing.token("https://elsewhere.example/").split(".")[1]

    assert await guard.of(f"{header}.{other}.{signature}") == ("forged", 401)
    assert await guard.of(f"{header}.{body}.") == ("forged", 401)


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -240), ("nbf", 240), ("iat", 240)])
async def test_clocks_may_differ_by_five_minutes(guard: Guard, claim: str, seconds: float) -> None:
    assert await guard.of(at(claim, seconds)(guard.ring.signing, SERVICE)) == GOOD


async def test_time_is_the_desks(guard: Guard) -> None:
    token = guard.ring.signing.token(SERVICE)
    guard.ring.later(3_600 + 299)
    assert await guard.of(token) == GOOD
    guard.ring.later(2)

    assert await guard.of(token) == ("expired", 401)


async def test_no_address_in_a_token_is_ever_asked(guard: Guard) -> None:
    await guard.of(guard.ring.signing.token(SERVICE))
    asked = len(guard.ring.server.asked)
    for _ in range(3):
        await guard.of(shows(jku="https://evil.example/keys", kid="https://evil.example")(guard.ring.signing, SERVICE))

    assert len(guard.ring.server.asked) == asked


# The activity


async def test_a_token_of_another_place_is_of_no_use_here(guard: Guard) -> None:
    genuine = guard.ring.signing.bearer(SERVICE)

    for url in ("https://smba.trafficmanager.net/amer/", "https://evil.example/", f"{SERVICE}/", "", None, 7):
        assert await guard.verdict(genuine, serviceUrl=url) == ("service_url", 401)


async def test_the_key_has_to_vouch_for_the_channel(guard: Guard) -> None:
    guard.ring.signing.endorse("webchat")

    assert await guard.verdict(guard.ring.signing.bearer(SERVICE)) == ("unendorsed", 401)


@pytest.mark.parametrize("channel", ["emulator", "", None, 7, ["msteams"], {}])
async def test_a_channel_that_no_key_vouches_for_is_refused(guard: Guard, channel: object) -> None:
    assert await guard.verdict(guard.ring.signing.bearer(SERVICE), channelId=channel) == ("unendorsed", 401)


@pytest.mark.parametrize("channel", ["webchat", "directline"])
async def test_the_bots_other_channels_are_no_way_in(guard: Guard, channel: str) -> None:
    assert await guard.verdict(guard.ring.signing.bearer(SERVICE), channelId=channel) == ("channel", 401)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"channelData": {"tenant": {"id": TENANT.upper()}}}, GOOD),
        ({"channelData": {"tenant": {"id": PARTNER}}}, GOOD),
        ({"channelData": {}}, GOOD),  # the conversation tells it
        ({"channelData": None}, GOOD),
        ({"channelData": {"tenant": {"id": "strangers"}}}, ("tenant", 403)),
        ({"channelData": {}, "conversation": {"tenantId": "strangers"}}, ("tenant", 403)),
        ({"channelData": {}, "conversation": {}}, ("tenant", 403)),
        ({"channelData": {"tenant": {"id": ""}}, "conversation": None}, ("tenant", 403)),
        ({"channelData": {"tenant": [TENANT]}, "conversation": [TENANT]}, ("tenant", 403)),
        ({"channelData": {"tenant": {"id": [TENANT]}}, "conversation": {"tenantId": 7}}, ("tenant", 403)),
    ],
)
async def test_only_known_tenants_may_write(guard: Guard, said: Mapping[str, Any], expected: tuple[str, int]) -> None:
    assert await guard.verdict(guard.ring.signing.bearer(SERVICE), **said) == expected


async def test_an_empty_word_in_the_settings_lets_nobody_in() -> None:
    guard = guard_of(allowed_tenants=frozenset({""}))

    refused = await guard.verdict(guard.ring.signing.bearer(SERVICE), channelData={}, conversation={})
    assert refused == ("tenant", 403)


@pytest.mark.parametrize("missing", ["app_id", "tenant_id"])
def test_without_ids_there_is_nothing_to_check_by(missing: str) -> None:
    with pytest.raises(ValueError, match="app id"):
        guard_of(**{missing: ""})


# The key server, and test clients


async def test_while_nobody_can_tell_the_sender_may_come_again(guard: Guard) -> None:
    genuine = guard.ring.signing.bearer(SERVICE)
    async with guard.ring.unreachable():
        assert await guard.verdict(genuine) == ("keys_away", 503)
    guard.ring.later(11)

    assert await guard.verdict(genuine) == GOOD


async def test_what_is_no_token_asks_nobody(guard: Guard) -> None:
    for how in ("garbage", "none", "huge"):
        await guard.verdict(*HEADERS[how][1]("x"))
    await guard.of(by("none")(guard.ring.signing, SERVICE))

    assert guard.ring.server.asked == []


async def test_a_test_client_is_asked_for_nothing() -> None:
    guard = guard_of(signed=False, app_id="", tenant_id="")

    assert await guard.verdict(channelId="emulator", channelData={}, conversation={}, serviceUrl="") == GOOD
    assert await guard.verdict("Bearer garbage") == GOOD


async def test_a_refusal_tells_nothing(guard: Guard) -> None:
    with pytest.raises(NotTrusted) as caught:
        await guard.tokens.check([f"Bearer {guard.ring.signing.token(SERVICE, iss='x')}"])

    assert (caught.value.said, str(caught.value)) == ("unauthorized", "issuer")
