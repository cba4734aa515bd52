"""Requests that claim to be Teams': headers and tokens that are not what they should be, and why each is refused.

Each forgery is a function of the genuine signer and the service URL of the activity that comes with it.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from jwt.utils import base64url_encode

from tests.fakes.teams.tokens import ISSUER, Algorithm, Signing, SigningKey, compact

#: What the header holds → (why it is refused, its values for a genuine token).
HEADERS: dict[str, tuple[str, Callable[[str], Iterable[str]]]] = {
    "none": ("no_token", lambda _: ()),
    "empty": ("no_token", lambda _: ("",)),
    "spaces": ("no_token", lambda _: ("  ",)),
    "another scheme": ("garbage", lambda token: (f"Basic {token}",)),
    "no scheme": ("garbage", lambda token: (token,)),
    "in lower case": ("garbage", lambda token: (f"bearer {token}",)),
    "two spaces": ("garbage", lambda token: (f"Bearer  {token}",)),
    "a space behind": ("garbage", lambda token: (f"Bearer {token} ",)),
    "a tab": ("garbage", lambda token: (f"Bearer\t{token}",)),
    "twice": ("garbage", lambda token: (f"Bearer {token}", f"Bearer {token}")),
    "an empty one first": ("garbage", lambda token: ("", f"Bearer {token}")),
    "two in one": ("garbage", lambda token: (f"Bearer {token}, Bearer {token}",)),
    "the scheme alone": ("garbage", lambda _: ("Bearer ",)),
    "garbage": ("garbage", lambda _: ("Bearer garbage",)),
    "dots": ("garbage", lambda _: ("Bearer ..",)),
    "two parts": ("garbage", lambda token: (f"Bearer {token.rpartition('.')[0]}",)),
    "four parts": ("garbage", lambda token: (f"Bearer {token}.AAAA",)),
    "other letters": ("garbage", lambda token: (f"Bearer {token}\u00e9",)),
    "huge": ("garbage", lambda token: (f"Bearer {token}{'A' * 8_000}",)),
}

#: Returns a token.
Forge = Callable[[Signing, str], str]


def own_key(kid: str = "mine") -> SigningKey:
    """Return a key of somebody else."""
    return replace(SigningKey.made(99), kid=kid)


def says(**claims: Any) -> Forge:
    """Let the genuine key sign something else."""
    return lambda signing, url: signing.token(url, **claims)


def at(claim: str, seconds: float) -> Forge:
    """Forge with an instant so many seconds from now."""
    return lambda signing, url: says(**{claim: signing.claims(url)["nbf"] + seconds})(signing, url)


def shows(**headers: Any) -> Forge:
    """Sign with an own key, which the header offers."""
    return lambda signing, url: signing.token(url, key=own_key(), headers=headers)


def by(algorithm: Algorithm) -> Forge:
    """Sign, or seem to, in another way."""
    return lambda signing, url: signing.token(url, algorithm=algorithm)


def with_secret(secret: Callable[[SigningKey], bytes]) -> Forge:
    """Forge with something public for a shared secret."""

    def forge(signing: Signing, url: str) -> str:
        content = signing.token(url, algorithm="HS256").rpartition(".")[0]
        signature = hmac.digest(secret(signing.key), content.encode(), hashlib.sha256)
        return f"{content}.{base64url_encode(signature).decode()}"

    return forge


def payload(said: Any) -> Forge:
    """Sign something else than claims."""
    return lambda signing, _: compact({"alg": "RS256", "kid": signing.key.kid}, said, signing.key, "RS256")


#: What the token is → (why it is refused, how it is made).
FORGED: dict[str, tuple[str, Forge]] = {
    "by another key": ("forged", lambda signing, url: signing.token(url, key=own_key(signing.key.kid))),
    "by a key that is not announced": ("unknown_key", lambda signing, url: signing.token(url, key=own_key())),
    "by no key": ("unknown_key", says(without=["kid"])),
    "with a key in it": ("unknown_key", shows(jwk=own_key().jwk())),
    "with the address of a key": ("unknown_key", shows(jku="http://127.0.0.1/keys", x5u="http://127.0.0.1/cert")),
    "with a certificate": ("unknown_key", shows(x5c=["MIIB"])),
    "with a path for a key": ("unknown_key", shows(kid="../../dev/null")),
    "with a number for a key": ("garbage", shows(kid=7)),
    "with a key of another's address": (
        "forged",
        lambda signing, url: signing.token(url, key=own_key(signing.key.kid), headers={"jku": "http://127.0.0.1/keys"}),
    ),
    "without a signature": ("algorithm", by("none")),
    "without an algorithm": ("algorithm", says(without=["alg"])),
    "in another case": ("algorithm", says(headers={"alg": "rs256"})),
    "by a longer hash": ("algorithm", by("RS384")),
    "by another padding": ("algorithm", by("PS256")),
    "by the public key as a secret": ("algorithm", by("HS256")),
    "by the announced number as a secret": ("algorithm", with_secret(lambda key: key.jwk()["n"].encode())),
    "by an empty secret": ("algorithm", with_secret(lambda _: b"")),
    "that needs what nobody knows": ("garbage", says(headers={"crit": ["exp"]})),
    "with its body elsewhere": ("garbage", says(headers={"b64": False, "crit": ["b64"]})),
    "for another bot": ("audience", says(aud="00000000-0000-4000-8000-000000000000")),
    "for many bots": ("claims", says(aud=["00000000-0000-4000-8000-000000000000"])),
    "for nobody": ("claims", says(without=["aud"])),
    "for an empty bot": ("audience", says(aud="")),
    "by another service": ("issuer", says(iss="https://sts.windows.net/7e4a4470/")),
    "by a service that sounds alike": ("issuer", says(iss=f"{ISSUER}/")),
    "by nobody": ("claims", says(without=["iss"])),
    "of yesterday": ("expired", at("exp", -86_400)),
    "that ended six minutes ago": ("expired", at("exp", -360)),
    "that ended at once": ("expired", says(exp=0)),
    "that ended before all time": ("expired", says(exp=-(10**30))),
    "of tomorrow": ("too_early", at("nbf", 86_400)),
    "that begins in six minutes": ("too_early", at("nbf", 360)),
    "that was made in six minutes": ("too_early", at("iat", 360)),
    "that never ends": ("claims", says(exp=float("inf"))),
    "that ends at no number": ("claims", says(exp=float("nan"))),
    "that ends in words": ("claims", says(exp="tomorrow")),
    "that ends at a number in words": ("claims", says(exp="99999999999")),
    "that ends when it is true": ("claims", says(exp=True)),
    "that ends nowhere": ("claims", says(without=["exp"])),
    "that begins nowhere": ("claims", says(nbf=None)),
    "for no place": ("claims", says(without=["serviceurl"])),
    "for a place under another name": (
        "claims",
        says(without=["serviceurl"], serviceUrl="https://smba.trafficmanager.net/emea/"),
    ),
    "for an empty place": ("service_url", says(serviceurl="")),
    "for another place": ("service_url", says(serviceurl="https://smba.trafficmanager.net/amer/")),
    "for a place that begins alike": ("service_url", says(serviceurl="https://smba.trafficmanager.net/")),
    "of a list": ("claims", payload([])),
    "of a number": ("claims", payload(7)),
    "of nothing": ("claims", payload({})),
}
