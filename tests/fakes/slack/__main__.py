"""Run the local Slack as a process of its own: `python -m tests.fakes.slack --port 0`; it prints its address."""

import argparse
import asyncio
from datetime import datetime

from storage.clock import Clock, ScaledClock, SystemClock
from tests.fakes.slack.admin import Admin
from tests.fakes.slack.server import SlackServer


def main() -> None:
    """Serve until the process is ended; the first line says where (`http://127.0.0.1:PORT`)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--speed", type=float, default=1.0, help="how many times as fast its clock runs")
    parser.add_argument("--origin", type=datetime.fromisoformat, help="when the fast clock agreed with the machine's")
    asked = parser.parse_args()
    asyncio.run(_serve(asked.port, _clock(asked.speed, asked.origin)))


def _clock(speed: float, origin: datetime | None) -> Clock:
    if speed == 1.0:
        return SystemClock()
    return ScaledClock(speed) if origin is None else ScaledClock(speed, origin)


async def _serve(port: int, clock: Clock) -> None:
    async with SlackServer(clock=clock, port=port, doors=(Admin.door,)) as server:
        print(server.workspace.base_url, flush=True)  # noqa: T201  it is what the caller waits for
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
