"""A slack-bolt app that does nothing, under the same server: `python -m tests.benchmarks.bare_bolt PORT SECRET API`."""

import asyncio
import sys

from slack_bolt.adapter.asgi.async_handler import AsyncSlackRequestHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.benchmarks.bare_server import serve


async def nothing() -> None:
    """Do nothing; bolt has acknowledged already."""


async def main(port: int, secret: str, api_url: str, token: str) -> None:
    """Serve until the process is ended."""
    app = AsyncApp(client=AsyncWebClient(token=token, base_url=api_url), signing_secret=secret)
    app.event("message")(nothing)
    app.event("app_mention")(nothing)
    handler = AsyncSlackRequestHandler(app, path="/slack/events")
    await serve(handler, port)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), *sys.argv[2:]))
