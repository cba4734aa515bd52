"""The pages of the databases: what can be asked, a try-out, and results with the rights of the moment."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from queries.sql.saved.saved import SavedQuestion
from tests.console.site import Site, site
from tests.scenarios.shop import NORTH, SOUTH, write_shop


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Site]:
    write_shop(tmp_path)
    async with site(tmp_path) as made:
        yield made


async def test_one_sees_what_one_can_ask_and_how_it_stands_only_who_looks_after_it(shop: Site) -> None:
    ada, cleo = await shop.browser("ada"), await shop.browser("cleo")
    seen, looked_after = await ada.get("/data"), await cleo.get("/data")

    assert "crates sold" in seen.text
    assert "Crates sold by region?" in seen.text
    assert "ready" not in seen.text
    assert "ready" in looked_after.text


async def test_a_statement_is_tried_with_ones_own_rights(shop: Site) -> None:
    ada = await shop.browser("ada")
    tried = await ada.get("/data/try?statement=SELECT sum(crates) AS n, max(card) AS card FROM orders")
    assert f">{NORTH}<" in tried.html
    assert str(NORTH + SOUTH) not in tried.html
    assert "4111" not in tried.html

    refused = await ada.get("/data/try?statement=DROP TABLE orders")
    assert "Only questions are allowed" in refused.text
    missing = await ada.get("/data/try?statement=SELECT * FROM nothing_here")
    assert "There is no table" in missing.text


async def test_what_was_tried_stands_in_the_audit_and_in_the_history(shop: Site) -> None:
    ada, cleo = await shop.browser("ada"), await shop.browser("cleo")
    await ada.get("/data/try?statement=SELECT secret FROM nothing_here")

    assert "nothing_here" in (await cleo.get("/data")).text
    assert "data.run" in (await cleo.get("/audit")).text


async def test_there_is_no_page_of_a_result_that_is_not(shop: Site) -> None:
    ada = await shop.browser("ada")
    assert (await ada.get("/data/results/run_00000000000000000000000000")).status == 404
    assert (await ada.get("/data/results/run_00000000000000000000000000/table.csv")).status == 404


async def test_saved_questions_are_listed_to_who_may_ask_their_database(shop: Site) -> None:
    sql, cleo = shop.desk.sql, await shop.desk.directory.person("cleo")
    kept = SavedQuestion(
        name="Crates of today", owner="cleo", question="crates", source="shop", statement="SELECT 1", query=None
    )
    before = await (await shop.browser("ada")).get("/data")
    await sql.save(cleo, kept)
    ada = await (await shop.browser("ada")).get("/data")

    assert "Saved questions" not in before.text
    assert "/desk sql saved Crates of today" in ada.text
