"""`docs/how-to/send-a-digest.md`: a desk with nothing but what it comes with takes the settings that stand there."""

import tomllib
from pathlib import Path

from features.anatomy.sections import DigestConfig
from features.digests.feature import configured
from storage.database import Database
from tests.architecture.source import ROOT
from tests.docs.pages import Page
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.stage import MovableClock, Setting

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
