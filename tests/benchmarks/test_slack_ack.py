"""How soon Slack is answered while the desk is busy, beside a bolt app that does nothing; and that nothing is lost."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from adapters.slack.setup.manifest import PATH
from storage.clock import SystemClock
from storage.database import Database
from tests.benchmarks.acknowledging import PATIENCE_S, SECONDS, THINK_S, answers_made, bare, desk_on, sent
from tests.benchmarks.figures import Acked, figures, statuses, table
from tests.benchmarks.slack_load import MIX, PER_SECOND, Load
from tests.desks.harbour import answers
from tests.desks.house import all_done, stored
from tests.fakes.slack.local_slack import LocalSlack
from tests.scale import scaled
from tests.slack_desk.floor import seen
from tests.slack_desk.house import slack_settings


async def all_answered(load: Load, database: Database) -> None:
    """Wait until the desk has nothing to do; hold that it answered each mention once, and stored nothing else."""
    await all_done(database, within_s=PATIENCE_S)
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
        connected = {"slack": slack_settings(slack)}
        async with desk_on(connected, tmp_path / "home", think_s=0.1, detects=True) as desk:
            acked = await sent(plan, desk.url + PATH, per_second=PER_SECOND)
            await all_answered(load, desk.database)
            assert "BlockingError" not in desk.log.read_text(encoding="utf-8")

    assert statuses(acked) == {200: len(acked)}
    assert len(load.asked) == MIX["mention"] * scaled(SECONDS)


@pytest.mark.benchmark
@pytest.mark.timeout(900)
async def test_the_acknowledgement_under_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with LocalSlack(SystemClock()) as slack:
        load, plan, workspace = Load(slack, Random(1)), tmp_path / "plan.jsonl", slack.workspace
        load.write(plan, seconds=SECONDS)
        given = (workspace.signing_secret, slack.url, workspace.bot_token.value)
        async with bare("tests.benchmarks.bare_bolt", *given) as url:
            without = await sent(plan, url + PATH, per_second=PER_SECOND)
        connected = {"slack": slack_settings(slack)}
        async with desk_on(connected, tmp_path / "home", think_s=THINK_S, detects=False) as desk:
            watching = asyncio.create_task(answers_made(desk.database))
            acked = await sent(plan, desk.url + PATH, per_second=PER_SECOND)
            made = await watching
            await all_answered(load, desk.database)
    with capsys.disabled():
        print(f"\n{table(_rows(without, acked))}\n{made} answers were being made")  # noqa: T201 - the result

    assert made >= 18
    assert statuses(without) == {200: len(without)}
    assert statuses(acked) == {200: len(acked)}
    assert figures(acked)["p99"] < 100
    stored_ones = figures(each for each in acked if each.kind == "mention")
    assert stored_ones["p50"] - figures(without)["p50"] <= 5
    assert figures(acked)["p50"] - figures(without)["p50"] <= 5


def _rows(without: list[Acked], acked: list[Acked]) -> dict[str, dict[str, float]]:
    mentions = [each for each in acked if each.kind == "mention"]
    talk = [each for each in acked if each.kind != "mention"]
    return {
        "a bolt app that does nothing": figures(without),
        "the desk: all": figures(acked),
        "the desk: named, so stored first": figures(mentions),
        "the desk: twins, redeliveries, talk": figures(talk),
    }
