"""Slots of schedules in scenarios: a time of day that comes soon, letting it come, and what came of it.

A stage hurries news that wait for others of their minute, and people let seconds pass before each act: what is to come
has to lie well ahead of both, and the time that passes beyond it.
"""

import asyncio
from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.schedules.control import JobStatus
from identity.actor import local_operator
from tests.scenarios.stage import PATIENCE_S, Stage

#: Minutes until what is to come soon, seconds within which it has come, and between two looks at what came of it.
AHEAD_MIN, COME_S, LOOK_S = 10, 660.0, 0.05


def soon(stage: Stage, zone: str) -> str:
    """Return the time of day in a zone that comes in ten minutes."""
    return f"{stage.clock.now().astimezone(ZoneInfo(zone)) + timedelta(minutes=AHEAD_MIN):%H:%M}"


async def pass_by(stage: Stage, seconds: float = COME_S) -> None:
    """Let time pass; the clock's own tick, a second after, may not have seen a new schedule yet."""
    await stage.settle()
    await stage.desk.jobs.tick()
    stage.clock.skip(seconds)
    await stage.desk.jobs.tick()
    await stage.settle()


async def schedules(stage: Stage, topic: str) -> list[JobStatus]:
    """Return the schedules of a topic, as who runs the desk sees them."""
    found = await stage.desk.job_control.everything(local_operator())
    return [each for each in found if each.schedule.topic == topic]


async def outcome(stage: Stage, topic: str) -> str:
    """Return what came of the latest slot, once it has ended: the clock's own tick may just be queueing it."""
    found: list[JobStatus] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = await schedules(stage, topic)
                (only,) = found
                if only.latest is not None and only.latest.finished_at is not None:
                    return only.latest.outcome or ""
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        raise AssertionError(f"no slot has ended at {stage.clock.now()}: {found}") from None
