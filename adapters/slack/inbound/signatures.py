"""Whether a request is Slack's own: its signature over the raw body, checked by the injected clock."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

from slack_bolt.middleware.request_verification.async_request_verification import AsyncRequestVerification
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import Clock as SignatureClock
from slack_sdk.signature import SignatureVerifier

from adapters.port import ChatClock

TIMESTAMP = "x-slack-request-timestamp"
SIGNATURE = "x-slack-signature"
#: How far the time in a request may be from ours, either way: what slack_sdk allows.
WINDOW_S = 300

#: Why a request is not Slack's. A replay out of its window is `expired`; inside it, the event's id makes it a no-op.
NotSigned = Literal["unsigned", "expired", "forged"]


class _EpochSeconds(SignatureClock):
    def __init__(self, clock: ChatClock) -> None:
        self._clock = clock

    def now(self) -> float:
        """Return epoch seconds of the desk's clock."""
        return self._clock.now().timestamp()


class Signatures:
    """Checks signatures with one signing secret; without one, nothing is signed."""

    def __init__(self, secret: str, clock: ChatClock) -> None:
        self._clock = _EpochSeconds(clock)
        self._verifier = SignatureVerifier(secret, self._clock) if secret.strip() else None

    def fault(self, body: bytes | str, headers: Mapping[str, Sequence[str]]) -> NotSigned | None:
        """Return what is wrong with a raw body's signature, None when it is Slack's; header names in lower case."""
        timestamp, signature = (headers.get(name, ("",))[0] for name in (TIMESTAMP, SIGNATURE))
        if not timestamp or not signature:
            return "unsigned"
        # slack_sdk raises errors of its own kind for what is no number, not ASCII, or no UTF-8.
        if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12 and signature.isascii()):
            return "forged"
        if abs(self._clock.now() - int(timestamp)) > WINDOW_S:
            return "expired"
        try:
            good = self._verifier is not None and self._verifier.is_valid(body, timestamp, signature)
        except UnicodeDecodeError:
            return "forged"
        return None if good else "forged"


class SignatureCheck(AsyncRequestVerification):
    """The same for bolt, before all else: `url_verification` and `ssl_check` are no exception."""

    def __init__(self, signatures: Signatures) -> None:
        super().__init__(signing_secret="")
        self._signatures = signatures

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: A002 - bolt's name
    ) -> BoltResponse:
        """Let a signed request through, and what came over a socket that the desk opened itself; 401 for the rest."""
        del resp
        signed = req.mode == "socket_mode" or self._signatures.fault(req.raw_body, req.headers) is None
        return await next() if signed else self._build_error_response()
