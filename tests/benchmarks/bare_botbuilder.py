"""A botbuilder bot that does nothing and believes everybody, under the same server: `… bare_botbuilder PORT`.

Its own check of tokens is left out: it fetches keys with calls that block the loop.
"""

import asyncio
import json
import sys

from botbuilder.core import (  # type: ignore[import-untyped]
    BotFrameworkAdapter,
    BotFrameworkAdapterSettings,
    TurnContext,
)
from botbuilder.schema import Activity  # type: ignore[import-untyped]
from starlette.types import Receive, Scope, Send

from tests.benchmarks.bare_server import serve

ADAPTER = BotFrameworkAdapter(BotFrameworkAdapterSettings(app_id="", app_password=""))


async def nothing(turn: TurnContext) -> None:
    """Do nothing; the activity is acknowledged when this returns."""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer each request with an empty 200."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await ADAPTER.process_activity(Activity().deserialize(json.loads(body)), "", nothing)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


if __name__ == "__main__":
    asyncio.run(serve(app, int(sys.argv[1])))
