"""Identifiers, nonces and digests: every stored id is made here."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence

from typing_extensions import TypeAliasType
from ulid import ULID

JsonValue = TypeAliasType(
    "JsonValue", "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
JsonObject = Mapping[str, JsonValue]


def new_id(kind: str) -> str:
    """Return `<kind>_<ULID>`: unique, and sorted by the time of making."""
    return f"{kind}_{ULID()}".lower()


def new_nonce() -> str:
    """Return 128 random bits as URL-safe text, for buttons and one-time links."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a random secret in hex; nonces and tokens are stored only like this."""
    return hashlib.sha256(secret.encode()).hexdigest()


def canonical_json(value: JsonValue) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, UTF-8 kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: JsonValue) -> str:
    """Return the SHA-256 of a value's canonical JSON in hex."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
