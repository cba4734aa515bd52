"""News by a signed webhook: what people are told as JSON, for a system that hands it on in its own way.

The signature is HMAC-SHA256 over the time and the body: whoever takes it can tell that it is the desk's, and that it
is not an old one sent again. The same news keep their id: after a crash they may come twice.
"""

import hashlib
import hmac
import json
from dataclasses import replace

import httpx

from bot.delivery.news import words
from bot.delivery.news.ways import WEBHOOK, Parcel, Ways, parcel_of
from bot.delivery.posts import Renew
from bot.settings import WebhookSettings
from storage.clock import Clock
from storage.database import Session
from storage.queue.failures import Hopeless
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic

#: Seconds that the other side may take, and tries before the next way is taken (about 20 minutes).
ANSWER_S, TRIES = 10.0, 10
#: Statuses that may pass by themselves, beside all of 5xx.
_PASSING = frozenset({408, 425, 429})


class WebhookSender:
    """Posts what people are told to the company's own address."""

    def __init__(self, config: WebhookSettings, clock: Clock, *, ways: Ways, renew: Renew, public_url: str) -> None:
        self._config = config
        self._clock = clock
        self._ways = ways
        self._renew = renew
        self._public_url = public_url

    @property
    def topic(self) -> Topic:
        """Return the topic of webhooks."""
        return Topic(self.send, timeout_s=3 * ANSWER_S, max_failures=TRIES, gave_up=self.gave_up)

    async def send(self, item: WorkItem) -> Ending | None:
        """Post one; raise `Hopeless` when it is refused for good."""
        parcel = parcel_of(item)
        card = await self._renew(parcel, platform=WEBHOOK)
        if isinstance(card, Ending):
            return card
        body = json.dumps(said_of(replace(parcel, card=card), self._public_url), ensure_ascii=False).encode()
        await post_signed(self._config, self._clock, body)
        return None

    def gave_up(self, item: WorkItem, error: Exception) -> Ending:
        """Let it go on by the next way."""

        async def goes_on(session: Session) -> None:
            await self._ways.fall(session, parcel_of(item), way=WEBHOOK, reason=str(error) or type(error).__name__)

        return Ending("dead", effects=goes_on)


async def post_signed(config: WebhookSettings, clock: Clock, body: bytes) -> None:
    """Post JSON with the signature of this second; raise ConnectionError when it may pass, else `Hopeless`."""
    sent_at = str(int(clock.now().timestamp()))
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "X-Dutydesk-Timestamp": sent_at,
        "X-Dutydesk-Signature": signature(config.secret.get_secret_value(), sent_at, body),
    }
    async with httpx.AsyncClient(timeout=ANSWER_S, follow_redirects=False) as client:
        answer = await client.post(config.url, content=body, headers=headers)
    if 200 <= answer.status_code < 300:
        return
    reason = f"the webhook answered {answer.status_code}"
    if answer.status_code < 500 and answer.status_code not in _PASSING:
        raise Hopeless(reason)
    raise ConnectionError(reason)


def signature(secret: str, sent_at: str, body: bytes) -> str:
    """Return the signature of a body that is sent at that second of the epoch."""
    signed = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256)
    return f"v1={signed.hexdigest()}"


def said_of(parcel: Parcel, public_url: str) -> dict[str, object]:
    """Return what the other side is told."""
    return {
        "id": parcel.key,
        "person": {"id": parcel.person, "email": parcel.email},
        "language": parcel.card.language,
        "title": parcel.card.fallback,
        "text": "\n".join(words.lines(parcel.card, public_url)).strip(),
    }
