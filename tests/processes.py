"""Real processes that really die, for the crash tests."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
Command = Sequence[str]


@dataclass(frozen=True)
class Lives:
    """A module that is run in one process after the other, each a fork: what it imports is imported once."""

    module: str
    process: Process

    async def one(self, *arguments: str) -> int:
        """Run it to its end and return its exit code; minus the signal's number when it was killed."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(arguments).encode() + b"\n")
        answer = await self.process.stdout.readline()
        assert answer, f"{self.module} cannot be started"
        return int(answer)


@asynccontextmanager
async def lives(module: str) -> AsyncIterator[Lives]:
    """Import what a module needs; whatever still runs of it dies with the block."""
    command = [sys.executable, "-m", "tests.lives", module]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE, start_new_session=True)
    try:
        yield Lives(module, process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()


async def keep_running(module: str, arguments: Callable[[int], Sequence[str]]) -> int:
    """Start the module again each time that it was killed, until it ends well; return how often it was killed."""
    kills = 0
    async with lives(module) as running:
        while (code := await running.one(*arguments(kills))) != 0:
            assert code == -signal.SIGKILL, f"{module} ended with {code}"
            kills += 1
    return kills
