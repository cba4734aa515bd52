"""Slack as a load, in a process of its own: `python -m tests.benchmarks.slack_sender PLAN URL SECRET`.

Posts the events of a plan, 200 a second, each at its moment and signed, whether the others are answered or not.
Prints a line for each: its kind, the status that came back, and after how many milliseconds.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import aiohttp

from tests.benchmarks.slack_load import PER_SECOND, Acked
from tests.fakes.slack.request_urls import signature


async def send(lines: Sequence[str], url: str, secret: str) -> list[Acked]:
    """Post the events of a plan's lines and return how each was acknowledged."""
    events = [
        (event["kind"], json.dumps(event["body"], ensure_ascii=False).encode()) for event in map(json.loads, lines)
    ]
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        began, sending = time.perf_counter(), []
        for number, (kind, body) in enumerate(events):
            await asyncio.sleep(max(0.0, began + number / PER_SECOND - time.perf_counter()))
            sending.append(asyncio.create_task(_post(http, url, body, secret=secret, kind=kind)))
        return list(await asyncio.gather(*sending))


async def _post(http: aiohttp.ClientSession, url: str, body: bytes, *, secret: str, kind: str) -> Acked:
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": signature(secret, timestamp, body),
    }
    if kind == "redelivery":
        headers |= {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    started = time.perf_counter()
    async with http.post(url, data=body, headers=headers) as response:
        await response.read()
    return Acked(kind, response.status, (time.perf_counter() - started) * 1_000)  # type: ignore[arg-type] # the plan's


if __name__ == "__main__":
    planned = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    for acked in asyncio.run(send(planned, sys.argv[2], sys.argv[3])):
        print(acked.kind, acked.status, acked.milliseconds, sep="\t")  # noqa: T201 - the result
