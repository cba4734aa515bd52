"""Keys are asked for seldom, once for all who wait; while the key server is away the known ones serve."""

import asyncio
import gzip
import json
from collections.abc import Mapping

import pytest

from adapters.teams.inbound.keys import DOCUMENT_MAX, Keys, KeysAway
from tests.adapters.teams.key_server import JWKS, METADATA, Ring, Told
from tests.fakes.teams.tokens import SigningKey

DAY_S = 24 * 3600


@pytest.fixture
def ring() -> Ring:
    return Ring()


async def test_a_key_is_found_with_the_channels_it_vouches_for(ring: Ring) -> None:
    key = await ring.keys.find(ring.kid)

    assert key is not None
    assert "msteams" in key.endorsements
    assert key.public.algorithm_name == "RS256"
    assert ring.server.asked == [METADATA, JWKS]


async def test_the_keys_are_kept_for_a_day(ring: Ring) -> None:
    await ring.keys.find(ring.kid)
    ring.later(DAY_S - 1)
    await ring.keys.find(ring.kid)
    rounds = ring.server.rounds
    ring.later(2)
    await ring.keys.find(ring.kid)

    assert (rounds, ring.server.rounds) == (1, 2)


async def test_a_key_that_is_announced_no_more_is_forgotten_after_a_day(ring: Ring) -> None:
    await ring.keys.find(ring.kid)
    old = ring.signing.rotate()
    assert await ring.keys.find(old.kid) is not None
    ring.later(DAY_S + 1)

    assert await ring.keys.find(old.kid) is None
    assert await ring.keys.find(ring.kid) is not None


async def test_a_new_key_is_found_at_once(ring: Ring) -> None:
    await ring.keys.find(ring.kid)
    ring.later(61)
    ring.signing.rotate(keep_old=True)

    assert await ring.keys.find(ring.kid) is not None
    assert ring.server.rounds == 2


async def test_unknown_keys_are_asked_for_once_a_minute_however_many_come(ring: Ring) -> None:
    for _ in range(50):
        assert await ring.keys.find("nobody's") is None
    first = ring.server.rounds
    ring.later(61)
    for number in range(50):
        assert await ring.keys.find(f"nobody's {number}") is None

    assert (first, ring.server.rounds) == (1, 2)


async def test_many_at_once_ask_once(ring: Ring) -> None:
    ring.server.open.clear()
    waiting = [asyncio.create_task(ring.keys.find(ring.kid)) for _ in range(20)]
    await asyncio.sleep(0)
    waiting[0].cancel()  # whoever goes away takes nothing from the others
    await asyncio.sleep(0)
    ring.server.open.set()

    found = await asyncio.gather(*waiting[1:])
    assert all(key is not None for key in found)
    assert ring.server.rounds == 1


async def test_the_first_question_comes_before_the_first_message(ring: Ring) -> None:
    async with ring.keys.open():
        async with asyncio.timeout(60):
            while len(ring.server.asked) < 2:  # noqa: ASYNC110 - nobody is there to be woken by
                await asyncio.sleep(0)
        assert await ring.keys.find(ring.kid) is not None

    assert ring.server.rounds == 1


async def test_it_closes_while_it_asks(ring: Ring) -> None:
    ring.server.open.clear()
    async with ring.keys.open():
        await asyncio.sleep(0)

    assert ring.server.rounds == 1
    assert ring.troubles == []


# The key server is away


async def test_without_keys_nobody_can_tell(ring: Ring, caplog: pytest.LogCaptureFixture) -> None:
    async with ring.unreachable():
        for _ in range(3):
            with pytest.raises(KeysAway):
                await ring.keys.find(ring.kid)

    assert ring.troubles == ["keys_missing"]
    assert ring.server.rounds == 1
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "login.botframework.com (ConnectError); no message is taken" in caplog.text


async def test_it_is_asked_again_soon_and_the_trouble_ends(ring: Ring) -> None:
    async with ring.unreachable():
        with pytest.raises(KeysAway):
            await ring.keys.find(ring.kid)
    ring.later(10)

    assert await ring.keys.find(ring.kid) is not None
    assert ring.troubles == []


async def test_known_keys_serve_while_the_server_is_away(ring: Ring, caplog: pytest.LogCaptureFixture) -> None:
    await ring.keys.find(ring.kid)
    ring.later(DAY_S + 1)
    async with ring.unreachable():
        assert await ring.keys.find(ring.kid) is not None
        ring.later(30 * DAY_S)
        assert await ring.keys.find(ring.kid) is not None

    assert ring.troubles == ["keys_missing"]
    assert "the last known ones are used" in caplog.text


async def test_nobody_waits_for_a_server_that_is_known_to_be_away(ring: Ring) -> None:
    await ring.keys.find(ring.kid)
    ring.later(DAY_S + 1)
    async with ring.unreachable():
        await ring.keys.find(ring.kid)
    ring.later(11)
    ring.server.open.clear()

    assert await asyncio.wait_for(ring.keys.find(ring.kid), 5) is not None
    await asyncio.sleep(0)
    assert ring.server.rounds == 3  # it is asked all the same


async def test_nobody_can_tell_of_an_unknown_key_while_the_server_is_away(ring: Ring) -> None:
    await ring.keys.find(ring.kid)
    ring.later(61)
    ring.signing.rotate()
    async with ring.unreachable():
        with pytest.raises(KeysAway):
            await ring.keys.find(ring.kid)


async def test_a_server_that_never_answers_is_given_up() -> None:
    ring = Ring(answer_within_s=0.02)
    ring.server.open.clear()

    with pytest.raises(KeysAway):
        await asyncio.wait_for(ring.keys.find(ring.kid), 5)
    assert "TimeoutError" in ring.health.episodes[0].words


# What it says

UNFIT: dict[str, tuple[str, Told]] = {
    "an error": (METADATA, Told("{}", 500)),
    "a page of a proxy": (METADATA, Told("<html>sign in</html>")),
    "a redirect": (METADATA, Told("", 302, {"location": METADATA + "/"})),
    "a list": (METADATA, Told("[]")),
    "no address": (METADATA, Told('{"issuer": "https://api.botframework.com"}')),
    "an address without TLS": (METADATA, Told('{"jwks_uri": "http://login.botframework.com/keys"}')),
    "a file": (METADATA, Told('{"jwks_uri": "file:///etc/passwd"}')),
    "an address that is none": (METADATA, Told('{"jwks_uri": "https://a:99999/"}')),
    "keys that are none": (JWKS, Told('{"keys": 7}')),
    "no keys": (JWKS, Told('{"keys": []}')),
    "half of the keys": (JWKS, Told('{"keys": [{"kty": "RSA", ')),
    "a deep hole": (JWKS, Told("[" * 100_000)),
    "no end": (JWKS, Told(" " * (DOCUMENT_MAX + 1))),
    "a bomb": (JWKS, Told(gzip.compress(b" " * 5_000_000), headers={"content-encoding": "gzip"})),
}


@pytest.mark.parametrize("what", UNFIT)
async def test_an_answer_that_is_none_changes_nothing(ring: Ring, what: str) -> None:
    await ring.keys.find(ring.kid)
    url, answer = UNFIT[what]
    ring.server.said[url] = answer
    ring.later(61)

    with pytest.raises(KeysAway):
        await ring.keys.find("new")
    assert await ring.keys.find(ring.kid) is not None
    assert ring.troubles == ["keys_missing"]


def strange(key: SigningKey) -> dict[str, Mapping[str, object]]:
    """Return announcements of keys that are not used."""
    good = key.jwk() | {"kid": "strange"}
    return {
        "for encryption": good | {"use": "enc"},
        "of another kind": good | {"kty": "oct", "k": "c2VjcmV0"},
        "of a curve": {"kty": "EC", "kid": "strange", "crv": "P-256", "x": "x", "y": "y"},
        "without a number": {name: value for name, value in good.items() if name != "n"},
        "of no number": good | {"n": "!"},
        "too short": good | {"n": good["n"][:80]},
        "without a name": {name: value for name, value in good.items() if name != "kid"},
        "with a number for a name": good | {"kid": 7},
        "with strange endorsements": good | {"endorsements": "msteams"},
    }


@pytest.mark.parametrize("what", strange(SigningKey.made(2)))
async def test_a_strange_key_is_passed_over_and_spoils_no_other(ring: Ring, what: str) -> None:
    announced = [strange(SigningKey.made(2))[what], ring.signing.key.jwk()]
    ring.server.said[JWKS] = Told(json.dumps({"keys": announced}))

    assert await ring.keys.find("strange") is None
    assert await ring.keys.find(ring.kid) is not None


async def test_a_key_without_endorsements_vouches_for_nothing(ring: Ring) -> None:
    told = {name: value for name, value in ring.signing.key.jwk().items() if name != "endorsements"}
    ring.server.said[JWKS] = Told(json.dumps({"keys": [told]}))

    key = await ring.keys.find(ring.kid)
    assert key is not None
    assert key.endorsements == frozenset()


@pytest.mark.parametrize("url", ["http://login.botframework.com/x", "ftp://a/", "login.botframework.com", ""])
def test_keys_come_from_safe_places_only(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        Ring(url=url)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/x", "http://localhost/x", "https://login.botframework.us/x"])
def test_other_clouds_and_this_machine_are_safe_places(url: str) -> None:
    assert isinstance(Ring(url=url).keys, Keys)
