"""The signing side of the Bot Framework: keys that it announces, tokens signed with them, and tokens that are not.

signing = Signing(clock, app_id="…")
signing.bearer("https://…/")                    the Authorization header of a genuine request
signing.metadata("http://127.0.0.1:1/keys")     what the key server tells at the OpenID metadata URL
signing.jwks()                                  … and at the URL that the metadata names
signing.token("https://…/", exp=0)              any claim, header, key or algorithm instead of the genuine one
"""

import functools
import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWS
from jwt.algorithms import RSAAlgorithm
from jwt.utils import base64url_encode

from adapters.port import ChatClock

Json = dict[str, Any]
Algorithm = Literal["RS256", "RS384", "PS256", "HS256", "none"]

ISSUER = "https://api.botframework.com"
#: What the Bot Framework's own keys vouch for, among others.
CHANNELS = ("msteams", "webchat", "directline")
LIFETIME_S = 3600
#: A genuine token is used again until it has no longer than this.
USED_UNTIL_S = 600


@functools.cache
def rsa_key(number: int) -> RSAPrivateKey:
    """Return the same key for the same number; made once in a process, since that takes a while."""
    del number
    return generate_private_key(public_exponent=65537, key_size=2048)


@dataclass(frozen=True)
class SigningKey:
    """A pair of keys; the public one is announced with the channels that it vouches for."""

    kid: str
    private: RSAPrivateKey = field(repr=False)
    endorsements: tuple[str, ...] = CHANNELS

    @classmethod
    def made(cls, number: int) -> "SigningKey":
        """Return the key of a number."""
        return cls(f"key-{number}", rsa_key(number))

    def jwk(self) -> Json:
        """Return the public key as the key server announces it."""
        public = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        told = {"kty": "RSA", "use": "sig", "kid": self.kid, "x5t": self.kid, "n": public["n"], "e": public["e"]}
        return told | {"endorsements": list(self.endorsements)}

    def pem(self) -> bytes:
        """Return the public key as everybody can have it."""
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def sign(self, content: bytes, algorithm: Algorithm) -> bytes:
        """Sign; `HS256` takes the public key for a shared secret, as an attacker would."""
        match algorithm:
            case "none":
                return b""
            case "HS256":
                return hmac.digest(self.pem(), content, hashlib.sha256)
            case _:
                return PyJWS().get_algorithm_by_name(algorithm).sign(content, self.private)


class Signing:
    """One key server's keys, and the tokens for one bot; all instants are the clock's."""

    def __init__(self, clock: ChatClock, *, app_id: str, channels: tuple[str, ...] = CHANNELS) -> None:
        self._clock = clock
        self._app_id = app_id
        self._channels = channels
        self._made = 1
        self._bearers: dict[str, tuple[float, str]] = {}  # service URL → until when it is used, header
        #: The first one signs.
        self.announced = [self._new_key()]

    @property
    def key(self) -> SigningKey:
        """Return the key that signs now."""
        return self.announced[0]

    def rotate(self, *, keep_old: bool = False) -> SigningKey:
        """Sign with a new key from now on; return the old one, which is announced no more unless it is kept."""
        old = self.key
        self._made += 1
        self.announced = [self._new_key(), *(self.announced if keep_old else ())]
        self._bearers.clear()
        return old

    def endorse(self, *channels: str) -> None:
        """Let the signing key vouch for these channels alone."""
        self.announced[0] = replace(self.key, endorsements=channels)

    def metadata(self, jwks_url: str) -> Json:
        """Return the OpenID metadata document."""
        return {
            "issuer": ISSUER,
            "authorization_endpoint": "https://invalid.botframework.com",
            "jwks_uri": jwks_url,
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        }

    def jwks(self) -> Json:
        """Return the announced keys."""
        return {"keys": [key.jwk() for key in self.announced]}

    def claims(self, service_url: str) -> Json:
        """Return what a genuine token says: these five and no other."""
        now = int(self._clock.now().timestamp())
        return {
            "serviceurl": service_url,
            "nbf": now,
            "exp": now + LIFETIME_S,
            "iss": ISSUER,
            "aud": self._app_id,
        }

    def bearer(self, service_url: str) -> str:
        """Return the Authorization header of a genuine request; one token serves for most of its life."""
        now = self._clock.monotonic()
        until, header = self._bearers.get(service_url, (now, ""))
        if now >= until:
            header = f"Bearer {self.token(service_url)}"
            self._bearers[service_url] = (now + LIFETIME_S - USED_UNTIL_S, header)
        return header

    def token(
        self,
        service_url: str,
        *,
        key: SigningKey | None = None,
        algorithm: Algorithm = "RS256",
        headers: Mapping[str, Any] | None = None,
        without: Iterable[str] = (),
        **claims: Any,
    ) -> str:
        """Return a token, genuine but for what is given; `without` leaves out claims and headers."""
        signer = key or self.key
        header = {"alg": algorithm, "kid": signer.kid, "x5t": signer.kid, "typ": "JWT"} | dict(headers or {})
        said = self.claims(service_url) | claims
        left_out = set(without)
        return compact(
            {name: value for name, value in header.items() if name not in left_out},
            {name: value for name, value in said.items() if name not in left_out},
            signer,
            algorithm,
        )

    def _new_key(self) -> SigningKey:
        return replace(SigningKey.made(self._made), endorsements=self._channels)


def compact(header: Any, payload: Any, key: SigningKey, algorithm: Algorithm) -> str:
    """Return the compact form of a token, whatever header and payload are."""
    parts = [base64url_encode(json.dumps(part).encode()) for part in (header, payload)]
    content = b".".join(parts)
    return b".".join([content, base64url_encode(key.sign(content, algorithm))]).decode()
