"""A fake as a process of its own: what all of them are told on the command line, and how they say where they are."""

import argparse
import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from storage.clock import Clock, ScaledClock, SystemClock


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return the parser for what every fake is told; `clock_of` reads the clock."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--speed", type=float, default=1.0, help="how many times as fast its clock runs")
    parser.add_argument("--origin", type=datetime.fromisoformat, help="when the fast clock agreed with the machine's")
    return parser


def clock_of(asked: argparse.Namespace) -> Clock:
    """Return the clock that the arguments ask for."""
    if asked.speed == 1.0:
        return SystemClock()
    return ScaledClock(asked.speed) if asked.origin is None else ScaledClock(asked.speed, asked.origin)


async def serve(fake: AbstractAsyncContextManager[object], where: Callable[[], str]) -> None:
    """Open a fake until the process is ended; the first line says where it listens (`http://127.0.0.1:PORT`)."""
    async with fake:
        print(where(), flush=True)  # noqa: T201  it is what the caller waits for
        await asyncio.Event().wait()
