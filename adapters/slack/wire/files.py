"""Files that came with a message: what Slack says of them, and what they hold."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from adapters.events import File
from adapters.inbound.downloads import Downloads, is_address
from adapters.outbound.errors import ScopeMissing
from adapters.port import TooLarge, Undeliverable
from adapters.slack.config import API_URL, SlackConfig
from adapters.slack.wire.client import SlackCalls

#: Where Slack keeps files; the bot token is sent to no other host.
_HOSTS = frozenset({"files.slack.com", "files.slack-gov.com"})
_PAGE = "text/html"


class SlackFiles:
    """Fetches files by their id, with the bot token; a workspace that does not allow it is told so."""

    def __init__(self, config: SlackConfig, calls: SlackCalls) -> None:
        self._calls = calls
        self._token = config.bot_token
        further = frozenset() if config.api_url == API_URL else frozenset({urlsplit(config.api_url).netloc})
        self._downloads = Downloads(
            allowed=lambda url: is_address(url, host=lambda name: name in _HOSTS, further=further)
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._downloads.close()

    async def fetch(self, file: File, *, at_most: int) -> bytes:
        """Return what a file holds; what is kept elsewhere than at Slack cannot be had."""
        told = await self._told(str(file.reference.get("id") or ""))
        size, url = told.get("size"), told.get("url_private_download") or told.get("url_private")
        if told.get("is_external") or not isinstance(url, str):
            raise Undeliverable("the file is not kept by Slack")
        if isinstance(size, int) and size > at_most:
            raise TooLarge(f"the file has {size} bytes")
        headers = {"Authorization": f"Bearer {self._token}"}
        got = await self._downloads.get(url, at_most=at_most, headers=headers)
        if got.media_type == _PAGE and told.get("mimetype") != _PAGE:
            raise Undeliverable("Slack shows a page to sign in, so the token may not read files")
        return got.content

    async def _told(self, identifier: str) -> Mapping[str, Any]:
        try:
            answer = await self._calls.call("files.info", {"file": identifier})
        except ScopeMissing as missing:  # somebody waits: the operator reads of it in the health of the desk
            raise Undeliverable("the app may not read files: it needs files:read") from missing
        told = answer.get("file")
        return told if isinstance(told, Mapping) else {}
