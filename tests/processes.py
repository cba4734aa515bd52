"""Real processes that really die, for the crash tests."""

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
Command = Sequence[str]


async def run_module(module: str, *arguments: str) -> int:
    """Run `python -m module arguments` to its end and return its exit code; minus the signal's number when killed."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, *arguments, cwd=ROOT)
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def keep_running(module: str, arguments: Callable[[int], Sequence[str]]) -> int:
    """Start the module again each time that it was killed, until it ends well; return how often it was killed."""
    kills = 0
    while (code := await run_module(module, *arguments(kills))) != 0:
        assert code == -signal.SIGKILL, f"{module} ended with {code}"
        kills += 1
    return kills
