"""Work that outlives whoever waits for it."""

import asyncio

import pytest

from adapters.inbound.tasks import UnderWay


class Work:
    """Something slow, counted."""

    def __init__(self) -> None:
        self.begun = 0
        self.free = asyncio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        await self.free.wait()
        return "done"


async def test_who_comes_back_finds_what_is_under_way() -> None:
    under_way, work = UnderWay[str](), Work()
    with pytest.raises(TimeoutError):
        await under_way.result("a", work, within_s=0.01)
    work.free.set()

    assert await under_way.result("a", work, within_s=5) == "done"
    assert work.begun == 1


async def test_whoever_is_called_off_calls_nothing_off() -> None:
    under_way, work = UnderWay[str](), Work()
    waiting = asyncio.create_task(under_way.result("a", work, within_s=5))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    work.free.set()

    assert await under_way.result("a", work, within_s=5) == "done"
    assert work.begun == 1


async def test_what_is_over_is_begun_anew() -> None:
    under_way, work = UnderWay[str](), Work()
    work.free.set()
    for _ in range(2):
        await under_way.result("a", work, within_s=5)

    assert work.begun == 2


async def test_a_failure_reaches_who_waits_and_is_not_kept() -> None:
    under_way = UnderWay[str]()

    async def fail() -> str:
        raise ValueError("broken")

    for _ in range(2):
        with pytest.raises(ValueError, match="broken"):
            await under_way.result("a", fail, within_s=5)


async def test_nothing_goes_on_after_closing() -> None:
    under_way, work = UnderWay[str](), Work()
    waiting = asyncio.create_task(under_way.result("a", work, within_s=5))
    await asyncio.sleep(0)
    under_way.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
