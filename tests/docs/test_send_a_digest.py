"""`docs/how-to/send-a-digest.md`: a desk with nothing but what it comes with takes the settings that stand there."""

import asyncio
import logging
import tomllib
from pathlib import Path

import pytest

from features.anatomy.sections import DigestConfig
from features.digests.feature import configured
from identity.actor import local_operator
from storage.database import Database
from tests.architecture.source import ROOT
from tests.docs.pages import Page
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.stage import MovableClock, Setting, Stage

SOURCE = ROOT / "docs" / "how-to" / "send-a-digest.md"


async def test_the_settings_of_the_page_are_taken_by_a_desk_without_clusters(
    database: Database, tmp_path: Path
) -> None:
    (written,) = Page(SOURCE, SOURCE.read_text(encoding="utf-8")).blocks("toml")
    wanted = {name: DigestConfig(**each) for name, each in tomllib.loads(written)["digests"].items()}
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        offered = [section for feature in stage.desk.features for section in feature.sections]
        found = configured(wanted, offered)
        typo = next(iter(wanted.values())).model_copy(update={"sections": ("tickets", "weather")})
        alone = typo.model_copy(update={"sections": ("weather",)})
        kept = configured({"typo": typo, "alone": alone, **wanted}, offered)

    (made,) = found.digests
    assert found.wrong == ()
    assert [each.name for each in kept.digests] == ["typo", made.name], "what is unknown stops nothing else"
    assert [each.partition(":")[0] for each in kept.wrong] == ["digests.typo.sections", "digests.alone.sections"]
    assert {"new_tickets", "open_tickets", "unanswered"} & set(made.sections)
    assert made.channel == {"platform": "slack", "channel": "C0123456"}


async def test_a_section_that_nobody_knows_stands_in_the_history_and_once_in_the_log(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (written,) = Page(SOURCE, SOURCE.read_text(encoding="utf-8")).blocks("toml")
    (made,) = tomllib.loads(written)["digests"].values()
    digests = {"team": {**made, "sections": [*made["sections"], "weather"]}}
    job, wrong = "digests: keep current", "digests.team.sections: nobody knows 'weather'"
    async with open_memory(Setting(tmp_path, database, MovableClock(), {"digests": digests})) as stage:
        await stage.desk.jobs.prepare()
        for looks in range(1, 4):
            stage.clock.skip(61)
            await stage.desk.jobs.tick()
            async with asyncio.timeout(60):
                while len(ended := await ended_of(stage, job)) < looks:
                    await asyncio.sleep(0.05)
            assert all(wrong in outcome for outcome in ended)

    told = [record for record in caplog.records if record.levelno >= logging.WARNING and "weather" in record.message]
    assert len(told) == 1
    assert told[0].exc_info is None


async def ended_of(stage: Stage, job: str) -> list[str]:
    """Return what came of the runs of a job that have ended."""
    history = await stage.desk.job_control.history(local_operator(), job)
    return [each.outcome or "" for each in history if each.finished_at]
