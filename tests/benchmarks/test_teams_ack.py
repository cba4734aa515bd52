"""How soon Teams is answered while the desk is busy, beside a bot that does nothing; and that nothing is lost."""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from adapters.teams.inbound.webhook import PATH
from storage.clock import SystemClock
from storage.database import Database
from tests.benchmarks.acknowledging import PATIENCE_S, SECONDS, answers_made, bare, desk_on, sent
from tests.benchmarks.figures import Acked, figures, statuses, table
from tests.benchmarks.teams_load import MIX, PER_SECOND, Load
from tests.desks.harbour import answers
from tests.desks.house import all_done, stored
from tests.fakes.teams.local_teams import LocalTeams
from tests.scale import scaled
from tests.teams_desk.house import teams_settings

#: An answer thinks so long, twice: at four a second, more than twenty are being made, though some wait for their chat.
THINK_S = 3.0


async def all_answered(load: Load, database: Database) -> None:
    """Wait until the desk has nothing to do; hold that it answered each question once, and stored nothing else."""
    await all_done(database, within_s=PATIENCE_S)
    organisation = load.teams.organisation
    for (conversation, root, berth), times in Counter(each.place for each in load.asked).items():
        stands = organisation.standing(conversation)
        said = [each.text for each in stands if (each.sender, each.root) == (organisation.bot.id, root)]
        assert len([each for each in said if answers(berth, each)]) == times, said
    assert await stored(database) == len(load.asked)


@pytest.mark.timeout(600)
async def test_every_activity_is_acknowledged_and_every_question_answered_once(tmp_path: Path) -> None:
    async with LocalTeams(SystemClock()) as teams:
        load, plan = Load(teams, Random(1)), tmp_path / "plan.jsonl"
        load.write(plan, seconds=scaled(SECONDS))
        connected = {"teams": teams_settings(teams)}
        async with desk_on(connected, tmp_path / "home", think_s=0.1, detects=True) as desk:
            acked = await sent(plan, desk.url + PATH, per_second=PER_SECOND)
            await all_answered(load, desk.database)
            assert "BlockingError" not in desk.log.read_text(encoding="utf-8")

    assert statuses(acked) == {200: len(acked)}
    assert len(load.asked) == MIX["question"] * scaled(SECONDS)


@pytest.mark.benchmark
@pytest.mark.timeout(900)
async def test_the_acknowledgement_under_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with LocalTeams(SystemClock()) as teams:
        load, plan = Load(teams, Random(1)), tmp_path / "plan.jsonl"
        load.write(plan, seconds=SECONDS)
        async with bare("tests.benchmarks.bare_botbuilder") as url:
            without = await sent(plan, url + PATH, per_second=PER_SECOND)
        connected = {"teams": teams_settings(teams)}
        async with desk_on(connected, tmp_path / "home", think_s=THINK_S, detects=False) as desk:
            watching = asyncio.create_task(answers_made(desk.database))
            acked = await sent(plan, desk.url + PATH, per_second=PER_SECOND)
            made = await watching
            await all_answered(load, desk.database)
    with capsys.disabled():
        print(f"\n{table(_rows(without, acked))}\n{made} answers were being made")  # noqa: T201 - the result

    assert made >= 20
    assert statuses(without) == {200: len(without)}
    assert statuses(acked) == {200: len(acked)}
    assert figures(acked)["p99"] < 150


def _rows(without: list[Acked], acked: list[Acked]) -> dict[str, dict[str, float]]:
    questions = [each for each in acked if each.kind == "question"]
    others = [each for each in acked if each.kind != "question"]
    return {
        "a botbuilder bot that does nothing": figures(without),
        "the desk: all": figures(acked),
        "the desk: questions, so stored first": figures(questions),
        "the desk: redeliveries, talk, edits, reactions": figures(others),
    }
