"""Nonces of drafts: derived, so that a card can be drawn again after a restart with the same buttons."""

import base64
import hashlib
import hmac

#: Bytes of the digest that are kept: 128 bits.
_BYTES = 16


def derive(key: bytes, draft_id: str, *, version: int) -> str:
    """Return the nonce of one version of a draft, as URL-safe text."""
    digest = hmac.new(key, f"{draft_id}:{version}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode().rstrip("=")


def version_of(key: bytes, draft_id: str, *, nonce: str, newest: int) -> int | None:
    """Return the version up to `newest` that a nonce was made for; None for one that we never made."""
    given = nonce.encode(errors="replace")
    for version in range(newest, 0, -1):
        if hmac.compare_digest(derive(key, draft_id, version=version).encode(), given):
            return version
    return None
