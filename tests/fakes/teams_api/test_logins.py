"""Who gets a token, who may call with it, and that keys are there to check Teams' own tokens with."""

import asyncio
from typing import Any

import httpx
import jwt
import msal  # type: ignore[import-untyped]
import pytest

from tests.fakes.teams.logins import LIFETIME_S, SCOPE
from tests.fakes.teams_api.conftest import House, refused


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"client_secret": "guessed"}, "invalid_client"),
        ({"client_id": "another"}, "unauthorized_client"),
        ({"scope": "https://graph.microsoft.com/.default"}, "invalid_scope"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"tenant": "botframework.com"}, "invalid_request"),
    ],
)
async def test_wrong_credentials_get_no_token(house: House, given: dict[str, str], error: str) -> None:
    answer = await house.login(**given)

    assert answer.status_code in {400, 401}
    assert answer.json()["error"] == error
    assert "access_token" not in answer.json()


async def test_nobody_calls_without_a_good_token(house: House) -> None:
    good = house.headers
    for headers in ({}, {"Authorization": "Bearer made-up"}, {"Authorization": "Basic YTpi"}):
        house.headers = headers
        assert refused(await house.send()) == (401, "Unauthorized")
    house.headers = good
    await house.post()
    house.clock.advance(LIFETIME_S)
    assert refused(await house.send()) == (401, "Unauthorized")


async def test_a_revoked_token_is_good_no_more_and_a_fresh_one_is(house: House) -> None:
    house.server.logins.revoke()
    assert refused(await house.send()) == (401, "Unauthorized")

    house.headers = {"Authorization": f"Bearer {(await house.login()).json()['access_token']}"}
    await house.post()


async def test_a_test_client_asks_nobody_for_a_token(house: House) -> None:
    house.server.connector.signed, house.headers = False, {}

    await house.post()
    assert [call.token for call in house.organisation.calls] == [""]


async def test_the_log_tells_which_token_came_with_which_call(house: House) -> None:
    await house.post()

    assert [f"Bearer {call.token}" for call in house.organisation.calls] == [house.headers["Authorization"]]
    assert [(each.client_id, each.status) for each in house.server.logins.requests] == [
        (house.organisation.bot.app_id, 200)
    ]


async def test_logins_and_keys_have_trouble_of_their_own(house: House) -> None:
    house.organisation.faults.refuse("Token", 503)
    assert (await house.login()).status_code == 503
    assert (await house.login()).status_code == 200
    house.organisation.faults.lose_answer("Keys")
    with pytest.raises(httpx.RemoteProtocolError):
        await house.http.get(house.server.keys_url)
    house.organisation.faults.down(60)
    assert (await house.http.get(house.server.keys_url)).status_code == 503
    assert (await house.login()).status_code == 503


class Plain:
    """msal wants https: this is how it is given the local login all the same."""

    def get(self, url: str, **given: Any) -> httpx.Response:
        told = httpx.get(url.replace("https://", "http://"), headers=given.get("headers"))
        return httpx.Response(told.status_code, text=told.text.replace("http://", "https://"))

    def post(self, url: str, **given: Any) -> httpx.Response:
        return httpx.post(url.replace("https://", "http://"), data=given.get("data"))

    def close(self) -> None:
        pass


async def test_msal_gets_a_token_that_the_connector_takes(house: House) -> None:
    organisation = house.organisation

    def ask() -> dict[str, str]:
        application = msal.ConfidentialClientApplication(
            organisation.bot.app_id,
            client_credential=organisation.app_secret,
            authority=f"{house.server.login_url.replace('http', 'https')}/{organisation.tenant.id}",
            instance_discovery=False,
            http_client=Plain(),
        )
        given: dict[str, str] = application.acquire_token_for_client([SCOPE])
        return given

    house.headers = {"Authorization": f"Bearer {(await asyncio.to_thread(ask))['access_token']}"}
    assert (await house.post()).id


async def test_the_announced_keys_verify_what_teams_signs(house: House) -> None:
    metadata = (await house.http.get(house.server.keys_url)).json()
    keys = (await house.http.get(metadata["jwks_uri"])).json()["keys"]
    token = house.server.signing.token(house.organisation.service_url)

    claims = jwt.decode(
        token, jwt.PyJWK(keys[0]), algorithms=["RS256"], audience=house.organisation.bot.app_id,
        options={"verify_exp": False, "verify_nbf": False},
    )  # fmt: skip
    assert claims["iss"] == metadata["issuer"] == "https://api.botframework.com"
    assert claims["serviceurl"] == house.organisation.service_url
    assert "msteams" in keys[0]["endorsements"]
