"""Behind the API may be 2,000 pods, 20,000 events and 50 MB of each log: a diagnosis takes a bounded memory."""

import asyncio
import json
import sys

import pytest

from tests.processes import ROOT
from tests.queries.observe.served import recordings
from tests.scale import SCALE

#: Megabytes above idle at full scale (96 were seen), and what any diagnosis takes.
MOST_MB, BASE_MB = 150, 40


async def started(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.queries.observe.volume", *arguments,
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="how much memory a process takes is read from /proc")
async def test_a_large_cluster_is_diagnosed_in_bounded_memory() -> None:
    recordings()
    server = await started("serve", str(SCALE))
    try:
        assert server.stdout
        reader = await started("read", (await server.stdout.readline()).decode().strip())
        said, _ = await reader.communicate()
    finally:
        await server.communicate(b"")  # the end of its input ends it
    found = json.loads(said)

    pods = round(2_000 * SCALE)
    assert f"({pods} of {pods})" in found["found"]["OOM_KILLED"]
    assert found["requests"] <= 30
    assert found["cut"]
    assert found["mb"] < BASE_MB + (MOST_MB - BASE_MB) * SCALE
