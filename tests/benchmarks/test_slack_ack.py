"""How soon Slack is answered while the desk is busy, beside a bolt app that does nothing; and that nothing is lost."""

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import cast

import pytest
from sqlalchemy import text

from adapters.slack.manifest import PATH
from storage.clock import SystemClock
from storage.database import Database
from tests.benchmarks.slack_load import MIX, Acked, Kind, Load, figures, statuses, table
from tests.fakes.slack.local_slack import LocalSlack
from tests.processes import ROOT
from tests.scale import scaled
from tests.slack_desk.harbour import answers, prepare, settings_of, slack_settings
from tests.slack_desk.house import nothing_to_do, stored
from tests.slack_desk.process import ServedDesk, free_port, served
from tests.slack_desk.served import Order
from tests.slack_desk.traffic import seen

SECONDS = 30
#: An answer thinks so long, twice: at four a second, twenty are being made at any moment.
THINK_S = 2.5
#: Real seconds until the last answer is there.
PATIENCE_S = 120.0


@asynccontextmanager
async def desk_on(slack: LocalSlack, home: Path, *, think_s: float, detects: bool) -> AsyncIterator[ServedDesk]:
    """Serve a desk in a process of its own, which knows what to answer."""
    order = Order(
        home=home,
        slack=slack_settings(slack),
        port=free_port(),
        origin=datetime.now(UTC),
        think_s=think_s,
        detects=detects,
    )
    await prepare(settings_of(home, order.slack))
    async with served(order) as desk:
        yield desk


@asynccontextmanager
async def bare(slack: LocalSlack) -> AsyncIterator[str]:
    """Serve the app that does nothing and yield its request URL."""
    port, workspace = free_port(), slack.workspace
    given = (str(port), workspace.signing_secret, slack.url, workspace.bot_token.value)
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.benchmarks.bare_bolt", *given, cwd=ROOT)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await _listens(port):  # noqa: ASYNC110 - what is waited for is another process
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}{PATH}"
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def sent(slack: LocalSlack, plan: Path, url: str) -> list[Acked]:
    """Have a plan sent by a process of its own, which nothing else keeps busy."""
    module, secret = "tests.benchmarks.slack_sender", slack.workspace.signing_secret
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, str(plan), url, secret, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    assert process.returncode == 0
    rows = (line.split("\t") for line in told.decode().splitlines())
    return [Acked(cast("Kind", kind), int(status), float(milliseconds)) for kind, status, milliseconds in rows]


async def all_answered(load: Load, database: Database) -> None:
    """Wait until the desk has nothing to do; hold that it answered each mention once, and stored nothing else."""
    async with asyncio.timeout(PATIENCE_S):
        while not await nothing_to_do(database):  # noqa: ASYNC110 - what is looked at is a database
            await asyncio.sleep(0.1)
    workspace = load.slack.workspace
    for asked in load.asked:
        replies = [seen(each) for each in workspace.replies(asked.said.channel, asked.said.root)[1:]]
        assert len(replies) == 1, replies
        assert answers(asked.berth, replies[0])
    assert await stored(database) == len(load.asked)


@pytest.mark.timeout(600)
async def test_every_event_is_acknowledged_and_every_mention_answered_once(tmp_path: Path) -> None:
    async with LocalSlack(SystemClock()) as slack:
        load, plan = Load(slack, Random(1)), tmp_path / "plan.jsonl"
        load.write(plan, seconds=scaled(SECONDS))
        async with desk_on(slack, tmp_path / "home", think_s=0.1, detects=True) as desk:
            acked = await sent(slack, plan, f"http://127.0.0.1:{desk.order.port}{PATH}")
            database = Database(settings_of(desk.order.home, desk.order.slack).resolved_database_url)
            await all_answered(load, database)
            await database.close()
            assert "BlockingError" not in desk.read_log()

    assert statuses(acked) == {200: len(acked)}
    assert len(load.asked) == MIX["mention"] * scaled(SECONDS)


@pytest.mark.benchmark
@pytest.mark.timeout(900)
async def test_the_acknowledgement_under_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with LocalSlack(SystemClock()) as slack:
        load, plan = Load(slack, Random(1)), tmp_path / "plan.jsonl"
        load.write(plan, seconds=SECONDS)
        async with bare(slack) as url:
            without = await sent(slack, plan, url)
        async with desk_on(slack, tmp_path / "home", think_s=THINK_S, detects=False) as desk:
            database = Database(settings_of(desk.order.home, desk.order.slack).resolved_database_url)
            watching = asyncio.create_task(_answers_made(database))
            acked = await sent(slack, plan, f"http://127.0.0.1:{desk.order.port}{PATH}")
            made = await watching
            await all_answered(load, database)
            await database.close()
    with capsys.disabled():
        print(f"\n{table(_rows(without, acked))}\n{made} answers were being made")  # noqa: T201 - the result

    assert made >= 18
    assert statuses(without) == {200: len(without)}
    assert statuses(acked) == {200: len(acked)}
    assert figures(acked)["p99"] < 100
    stored_ones = figures(each for each in acked if each.kind == "mention")
    assert stored_ones["p50"] - figures(without)["p50"] <= 5
    assert figures(acked)["p50"] - figures(without)["p50"] <= 5


async def _answers_made(database: Database) -> int:
    """Look once a second while the load lasts; return how many answers were being made, in the middle of the looks."""
    looks = []
    for _ in range(SECONDS):
        await asyncio.sleep(1)
        async with database.reading() as session:
            working = text("SELECT count(*) FROM bot_inbox WHERE state = 'working'")
            looks.append(int(await session.scalar(working) or 0))
    return int(statistics.median(looks))


def _rows(without: list[Acked], acked: list[Acked]) -> dict[str, dict[str, float]]:
    mentions = [each for each in acked if each.kind == "mention"]
    talk = [each for each in acked if each.kind != "mention"]
    return {
        "a bolt app that does nothing": figures(without),
        "the desk: all": figures(acked),
        "the desk: named, so stored first": figures(mentions),
        "the desk: twins, redeliveries, talk": figures(talk),
    }
