"""A process that presses a button and is killed in the middle: `URL NOW APPROVAL NONCE before|after`."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent.tools.context import ToolContext
from agent.tools.registry import Tool, ToolResult
from identity.actor import Actor
from storage.clock import ManualClock
from storage.database import Database
from tests.fixtures.agent import Workshop


def dying(tool: Tool, point: str) -> Tool:
    async def handler(context: ToolContext, arguments: Any) -> ToolResult:
        if point == "after":
            await tool.handler(context, arguments)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    return replace(tool, handler=handler)


async def main() -> None:
    url, now, approval_id, nonce, point = sys.argv[1:]
    ada = Actor(id="ada", name="Ada Adler", email="ada@example.com")
    clock = ManualClock(at=datetime.fromisoformat(now))
    workshop = Workshop(Database(url), clock, {"ada": ada}, changed=lambda tool: dying(tool, point))
    await workshop.approvals.decide(ada, approval_id, nonce=nonce, verdict="confirm")


if __name__ == "__main__":
    asyncio.run(main())
