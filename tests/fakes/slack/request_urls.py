"""Posts to the app's request URLs, signed the way Slack signs."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from storage.clock import Clock
from tests.fakes.patience import within
from tests.fakes.slack.app_settings import AppSettings
from tests.fakes.slack.carrying import ANSWER_WITHIN_S, Answer, Parcel
from tests.fakes.slack.event_payloads import url_verification

MAX_REDIRECTS = 2
USER_AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return what Slack writes into `X-Slack-Signature` for a raw body."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def encoded(parcel: Parcel) -> tuple[bytes, str]:
    """Return the raw body and its content type: JSON for events, forms for everything that a person does."""
    if parcel.kind == "event":
        return json.dumps(parcel.body, ensure_ascii=False).encode(), "application/json"
    form = parcel.body if parcel.kind == "command" else {"payload": json.dumps(parcel.body, ensure_ascii=False)}
    return urlencode(form).encode(), "application/x-www-form-urlencoded"


@dataclass
class RequestUrls:
    """The transport of an app that listens over HTTP."""

    app: AppSettings
    signing_secret: str
    clock: Clock
    _session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def carry(self, parcel: Parcel, *, retry_num: int = 0, retry_reason: str = "") -> Answer:
        """Post once and return what came back within three seconds."""
        body, content_type = encoded(parcel)
        headers = self.signed(body) | {"Content-Type": content_type}
        if retry_num:
            headers |= {"X-Slack-Retry-Num": str(retry_num), "X-Slack-Retry-Reason": retry_reason}
        return await self.post(self.url(parcel), body, headers)

    async def verified(self) -> bool:
        """Ask, as Slack does before it accepts a request URL, whether the app there gives a challenge back."""
        challenge = secrets.token_hex(16)
        answer = await self.carry(Parcel("event", url_verification(challenge)))
        return answer.reason is None and challenge in {answer.body.get("challenge"), answer.body.get("text")}

    def url(self, parcel: Parcel) -> str:
        """Return where the app wants a parcel of this kind."""
        match parcel.kind:
            case "event":
                return self.app.events_url
            case "command":
                return self.app.commands[str(parcel.body["command"])]
            case "options":
                return self.app.options_url
            case _:
                return self.app.interactivity_url

    def signed(self, body: bytes) -> dict[str, str]:
        """Return the headers with which Slack vouches for a raw body now."""
        timestamp = str(int(self.clock.now().timestamp()))
        return {
            "Accept": "*/*",
            "User-Agent": USER_AGENT,
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature(self.signing_secret, timestamp, body),
        }

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Post any bytes under any headers; forged and stale requests are made with this."""
        if self._session is None:
            raise RuntimeError("the transport is not open")
        answer = await within(self.clock, ANSWER_WITHIN_S, _posted(self._session, url, body, headers))
        return answer or Answer(reason="http_timeout")


async def _posted(session: aiohttp.ClientSession, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    try:
        async with session.post(url, data=body, headers=headers, max_redirects=MAX_REDIRECTS) as response:
            content = await response.read()
            reason = None if web.HTTPOk.status_code <= response.status < 300 else "http_error"
            no_retry = response.headers.get("X-Slack-No-Retry") == "1"
            return Answer(response.status, _parsed(content, response.content_type), reason, no_retry=no_retry)
    except aiohttp.TooManyRedirects:
        return Answer(reason="too_many_redirects")
    except aiohttp.ClientSSLError:
        return Answer(reason="ssl_error")
    except aiohttp.ClientConnectionError:
        return Answer(reason="connection_failed")
    except aiohttp.ClientError:
        return Answer(reason="unknown_error")


def _parsed(content: bytes, content_type: str) -> dict[str, object]:
    """Return a JSON answer; other words count as the text of a message, as they do for commands."""
    if not content.strip():
        return {}
    if content_type == "application/json":
        try:
            parsed = json.loads(content)
        except ValueError:
            return {}
        return parsed if isinstance(parsed, dict) else {}
    return {"text": content.decode(errors="replace")}
