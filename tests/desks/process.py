"""A served desk as its parent sees it: started, killed, started again at once, and its log read."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.desks.served import Order
from tests.processes import ROOT

#: Real seconds for a process to load everything, or to begin.
PATIENCE_S = 60.0


class Ended(Exception):
    """A process came to its end before it said what it had to say; the text is its log."""


@dataclass
class ServedDesk:
    """A desk in a process of its own, and one more behind it that has loaded everything and waits."""

    order: Order
    log: Path
    _serving: asyncio.subprocess.Process
    _next: asyncio.subprocess.Process

    async def kill(self) -> None:
        """End the process with `kill -9` and begin at once with the next one."""
        self._serving.kill()
        await self._serving.wait()
        self._serving = self._next
        await self.begin()
        self._next = await _load(self.order, self.log)

    async def begin(self) -> str:
        """Let the process serve; return its address."""
        if self._serving.stdin is None:
            raise RuntimeError("the process listens to nobody")
        await self._heard(self._serving, "loaded")
        self._serving.stdin.write(b"begin\n")
        return await self._heard(self._serving, "http://")

    async def stop(self) -> None:
        """End the processes in good order."""
        self._serving.terminate()
        self._next.kill()
        await asyncio.gather(self._serving.wait(), self._next.wait())

    def read_log(self) -> str:
        """Return what all processes wrote so far."""
        return self.log.read_text(encoding="utf-8")

    async def _heard(self, process: asyncio.subprocess.Process, beginning: str) -> str:
        if process.stdout is None:
            raise RuntimeError("the process says nothing")
        async with asyncio.timeout(PATIENCE_S):
            while line := (await process.stdout.readline()).decode().strip():
                if line.startswith(beginning):
                    return line
        raise Ended(self.read_log())


@asynccontextmanager
async def served(order: Order) -> AsyncIterator[ServedDesk]:
    """Serve a desk for the time of the block."""
    log = order.home / "served.log"
    desk = ServedDesk(order, log, await _load(order, log), await _load(order, log))
    try:
        await desk.begin()
        yield desk
    finally:
        await desk.stop()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


async def _load(order: Order, log: Path) -> asyncio.subprocess.Process:
    with log.open("ab") as errors:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.desks.served",
            order.model_dump_json(),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
