"""Whoever may read nothing of the databases is told so, and not what others may ask for."""

from pathlib import Path

import pytest

from tests.scenarios.everywhere import on
from tests.scenarios.shop import CATALOG, write_shop
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH

_FOR_SALES = '      - {to: ["unit:sales"], where: "region = \'north\'"}\n'


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path) -> None:
    write_shop(tmp_path)
    assert CATALOG.count(_FOR_SALES) == 2
    kept = CATALOG.replace(_FOR_SALES, "").replace(
        "    public: true\n", '    rows: [{to: ["group:it"], where: "TRUE"}]\n'
    )
    (tmp_path / "catalog" / "shop.yaml").write_text(kept, encoding="utf-8")


@on("memory", "web", "slack_http", "teams_cards")
async def test_who_may_read_no_number_is_told_so_and_of_none(stage: Stage) -> None:
    mine = await stage.say("ada", "Crates sold in January 2026?")
    chinese = await stage.say("bao", "上个月丢失托盘的总数")
    others = await stage.say("ben", "How many pallets were lost last month?")

    assert ENGLISH.says("refused.data_none") in mine.text
    assert CHINESE.says("refused.data_none") in chinese.text
    assert "crates sold" not in mine.text.lower().replace(ENGLISH.says("refused.data_none").lower(), "")
    assert "crates sold" in others.text
