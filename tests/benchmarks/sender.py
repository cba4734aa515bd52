"""A chat platform as a load, in a process of its own: `python -m tests.benchmarks.sender PLAN URL PER_SECOND`.

Posts what stands in a plan, one JSON object a line (`kind`, `body`, `headers`), each at its moment, whether the others
are answered or not. Prints a line for each: its kind, the status that came back, and after how many milliseconds.
"""

import asyncio
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from tests.benchmarks.figures import Acked


async def send(plan: Sequence[Mapping[str, Any]], url: str, *, per_second: int) -> list[Acked]:
    """Post a plan and return how each line of it was acknowledged."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        began, sending = time.perf_counter(), []
        for number, planned in enumerate(plan):
            await asyncio.sleep(max(0.0, began + number / per_second - time.perf_counter()))
            sending.append(asyncio.create_task(_post(http, url, planned)))
        return list(await asyncio.gather(*sending))


async def _post(http: aiohttp.ClientSession, url: str, planned: Mapping[str, Any]) -> Acked:
    headers = {"Content-Type": "application/json", **planned["headers"]}
    started = time.perf_counter()
    async with http.post(url, data=planned["body"].encode(), headers=headers) as response:
        await response.read()
    return Acked(planned["kind"], response.status, (time.perf_counter() - started) * 1_000)


if __name__ == "__main__":
    lines = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    for acked in asyncio.run(send(lines, sys.argv[2], per_second=int(sys.argv[3]))):
        print(acked.kind, acked.status, acked.milliseconds, sep="\t")  # noqa: T201 - the result
