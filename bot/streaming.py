"""What can be seen while an answer is made: a status line, then the checked text. Best effort only."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import assert_never

from adapters.events import Address
from adapters.port import Chat
from agent.runner import Piece, RunEvent, Status
from bot.texts.catalogue import has, say

log = logging.getLogger(__name__)

OnEvent = Callable[[RunEvent], Awaitable[None]]


@asynccontextmanager
async def live(chat: Chat, address: Address, *, key: str, language: str) -> AsyncIterator[OnEvent]:
    """Yield what a run reports to; where the platform cannot stream, reports go nowhere."""
    stream = await chat.stream(address, key=key) if chat.limits.streams else None

    async def show(event: RunEvent) -> None:
        if stream is None:
            return
        match event:
            case Status(code=code):
                await stream.status(say(language, _words(code)))
            case Piece(text=words):
                await stream.append(words)
            case _:
                assert_never(event)

    yield show


def _words(code: str) -> str:
    """Return the text of a status code: what a tool does is said by what it is about."""
    if code == "tool.search_knowledge":
        return "status.searching"
    if code.startswith("tool."):
        return "status.ticket"
    return f"status.{code}" if has(f"status.{code}") else "status.working"
