"""People ask for numbers: each gets those of the rows that are theirs, with what it takes to check them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.shop import NORTH, SOUTH, write_shop
from tests.scenarios.stage import Stage
from tests.scenarios.story import ENGLISH
from tests.scenarios.world import PEOPLE


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path) -> None:
    write_shop(tmp_path)


@on_every_platform
async def test_a_number_is_that_of_the_rows_that_one_may_read(stage: Stage) -> None:
    mine = await stage.say("ada", "Crates sold in January 2026?")
    everything = await stage.say("ben", "Crates sold in January 2026?")

    assert f"{NORTH} crates{ENGLISH.says('data.yours')}" in mine.text
    assert f"{NORTH + SOUTH} crates" in everything.text
    assert ENGLISH.says("data.yours") not in everything.text


@on_every_platform
async def test_it_is_asked_for_in_chinese_and_split(stage: Stage) -> None:
    seen = await stage.say("bao", "各地区的售出箱数是多少？")

    assert "北区" in seen.text
    assert "南区" not in seen.text
    assert str(NORTH) in seen.text


@on_every_platform
async def test_a_follow_up_refines_the_question(stage: Stage) -> None:
    await stage.say("ben", "Crates sold in January 2026?")
    seen = await stage.say("ben", "and by region?")

    assert {"north", "south", str(NORTH), str(SOUTH)} <= set(seen.text.replace("\n", " ").split())


@on_every_platform
async def test_the_statement_is_a_button_away(stage: Stage) -> None:
    seen = await stage.say("ada", "Crates sold in January 2026?")
    assert "SELECT" not in seen.text

    shown = await stage.press("ada", seen, ENGLISH.says("data.how"))
    assert "SELECT" in shown.text
    assert "north" in shown.text


@on_every_platform
async def test_a_question_is_saved_and_asked_again_by_somebody_else(stage: Stage) -> None:
    seen = await stage.say("ben", "Crates sold in January 2026?")
    saved = await stage.fill("ben", seen, ENGLISH.says("data.save"), {ENGLISH.says("data.saved.name"): "Crates"})
    assert "Crates" in saved.text

    listed = await stage.command("ada", "sql saved")
    assert "Crates" in listed.text
    again = await stage.command("ada", "sql saved crates")
    assert f"{NORTH} crates" in again.text
    assert str(NORTH + SOUTH) not in again.text


@on_every_platform
async def test_a_statement_of_ones_own_reads_what_is_ones_own(stage: Stage) -> None:
    seen = await stage.command("ada", "sql SELECT region, crates, card FROM orders WHERE card = '4111' OR crates > 0")
    assert "north" in seen.text
    assert "south" not in seen.text
    assert "4111" not in seen.text.replace("card = '4111'", "")

    refused = await stage.command("ada", "sql DELETE FROM orders")
    assert ENGLISH.says("data.refused.not_a_query", detail="").strip() in refused.text


@on("memory", "web")
async def test_a_result_is_looked_at_with_the_rights_of_the_moment(stage: Stage, tmp_path: Path) -> None:
    seen = await stage.say("ada", "Crates sold in January 2026?")
    elsewhere = PEOPLE.replace("units: [sales]}", "units: [kitchen]}")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, elsewhere, encoding="utf-8")
    pressed = await stage.press("ada", seen, ENGLISH.says("data.how"))

    assert "SELECT" not in pressed.text
    assert ENGLISH.says("data.not_yours") in pressed.text
    again = await stage.say("ada", "Crates sold in January 2026?")
    assert str(NORTH) not in again.text


@on("memory", "slack_http", "teams_dialogs")
async def test_what_rests_on_a_masked_column_is_refused_and_not_empty(stage: Stage) -> None:
    seen = await stage.say("ada", "list orders by card number")
    assert "4111" not in seen.text
    shown = await stage.say("ada", "List the orders")
    assert "card number" not in shown.text
    assert "north" in shown.text


@on("memory", "web")
async def test_a_statement_that_reads_too_much_waits_for_a_button(stage: Stage, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
        shop.executemany("INSERT INTO huts VALUES (?, 1)", [(f"hut {number}",) for number in range(1_500)])
        shop.commit()
    asked = await stage.command("ben", "sql SELECT count(*) AS huts FROM huts")
    assert "1503" not in asked.text
    assert "1.5 thousand" in asked.text

    answered = await stage.press("ben", asked, ENGLISH.says("approval.confirm"), stage.driver.commands("ben"))
    assert "1503" in answered.text


@on("slack_http", "teams_cards", "memory")
async def test_what_a_guest_asks_is_not_answered(stage: Stage) -> None:
    seen = await stage.say("gus", "Crates sold in January 2026?")
    assert str(NORTH + SOUTH) not in seen.text


@on_every_platform
async def test_a_question_of_the_documents_stays_one(stage: Stage) -> None:
    seen = await stage.say("ada", ENGLISH.question)
    assert ENGLISH.answer in seen.text
