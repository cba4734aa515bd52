"""Web addresses in answers: the company's own pages keep theirs, those of strangers lose them."""

from pathlib import Path

import pytest

from identity.actor import local_operator
from tests.scenarios.everywhere import needs, on
from tests.scenarios.stage import Stage
from tests.scenarios.world import write_pages

QUESTION, ADDRESS = "Where do I renew my harbour pass?", "https://pass.harbour.example/renew"
PAGES = {"pass.md": f"# Harbour pass\n\n## Renew\n\nRenew your harbour pass at {ADDRESS} once a year.\n"}


@on("memory", "web", "slack_http", "teams_cards", "terminal")
@pytest.mark.parametrize("site", ["", "https://harbour.example/help/"])
async def test_only_a_page_of_the_companys_own_keeps_an_address(stage: Stage, tmp_path: Path, site: str) -> None:
    folder = write_pages(tmp_path / "harbour", PAGES)
    await stage.desk.search.add_folder(local_operator(), folder, allow=("staff",), site=site)
    seen = await stage.say("ada", QUESTION)

    assert "once a year" in seen.text
    assert (ADDRESS in seen.text) is (site == "")


@needs("files")
@on("web", "slack_http", "teams_cards")
async def test_a_file_that_was_sent_does_not(stage: Stage) -> None:
    seen = await stage.send_file("ada", "pass.md", PAGES["pass.md"].encode(), text=QUESTION)

    assert "once a year" in seen.text
    assert ADDRESS not in seen.text
