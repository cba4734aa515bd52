"""People ask for numbers: each gets those of the rows that are theirs, with what it takes to check them."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path

import pytest

from identity.actor import Actor, local_operator
from queries.sql.datasource import Guarded, fingerprint
from queries.sql.setup.source import SqlSource
from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.platforms import Seen
from tests.scenarios.shop import NORTH, SOUTH, write_shop
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH
from tests.scenarios.world import PEOPLE


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path) -> None:
    write_shop(tmp_path)


def many_huts(home: Path) -> None:
    """Make a table of which nobody reads all without a button."""
    with closing(sqlite3.connect(home / "shop.sqlite")) as shop:
        shop.executemany("INSERT INTO huts VALUES (?, 1)", [(f"hut {number}",) for number in range(1_500)])
        shop.commit()


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
async def test_a_question_in_other_words_than_the_catalogue_s_finds_its_metric(stage: Stage) -> None:
    seen = await stage.say("ben", "How many crates were sold in January 2026?")

    assert f"{NORTH + SOUTH} crates" in seen.text


@on_every_platform
async def test_a_row_is_asked_for_by_its_name(stage: Stage) -> None:
    seen = await stage.say("ben", "What is the credit limit of Brindlecote?")
    followed = await stage.say("bao", "Aldermoor的信用额度是多少？")

    assert "8,450" in seen.text
    assert "1,250" in followed.text


@on("memory", "web", "slack_http", "teams_cards")
async def test_the_name_of_a_row_that_is_not_ones_own_is_a_word_of_nothing(stage: Stage) -> None:
    await stage.say("ada", "What is the credit limit of Vexholm?")  # both others come after one that found nothing
    hidden = await stage.say("ada", "What is the credit limit of Brindlecote?")
    nothing = await stage.say("ada", "What is the credit limit of Quxwold?")

    assert hidden.text.replace("Brindlecote", "Quxwold") == nothing.text


@on("memory", "web", "slack_http", "teams_cards")
async def test_whoever_is_asked_back_again_and_again_is_still_answered(stage: Stage) -> None:
    for text in ("north orders", "south orders", "all north orders", "the south orders"):
        seen = await stage.say("ben", text)

        assert ENGLISH.says("asked_back.data") in seen.text


@on("memory", "web", "slack_http", "teams_cards")
async def test_what_no_database_holds_is_told_with_what_one_may_ask_for(stage: Stage) -> None:
    mine = await stage.say("ben", "How many pallets were lost last month?")
    chinese = await stage.say("bao", "上个月丢失托盘的总数")

    assert ENGLISH.says("refused.data_nothing", detail="").rstrip() in mine.text
    assert "crates sold" in mine.text
    assert CHINESE.says("refused.data_nothing", detail="") in chinese.text


@on("memory", "web", "slack_http", "teams_cards")
async def test_a_word_that_nobody_knows_leaves_what_the_others_ask_for_to_be_pressed(stage: Stage) -> None:
    asked = await stage.say("ben", "Crates sold to Zyxwold in January 2026?")
    assert "I do not know “Zyxwold”" in asked.text
    answered = await stage.press("ben", asked, asked.choices[0].label)

    assert f"{NORTH + SOUTH} crates" in answered.text


@on_every_platform
async def test_documents_and_numbers_are_one_answer_each_with_its_evidence(stage: Stage) -> None:
    seen = await stage.say("ben", f"{ENGLISH.question} And how many crates were sold in January 2026?")

    assert ENGLISH.answer in seen.text
    assert f"{NORTH + SOUTH} crates" in seen.text


@on_every_platform
async def test_a_page_tells_which_and_the_database_how_many(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "winter"
    await asyncio.to_thread(folder.mkdir)
    page = "# Huts\n\n## Supported in winter\n\nSupported in winter are the huts Kite and Gull.\n"
    await asyncio.to_thread((folder / "huts.md").write_text, page, encoding="utf-8")
    await stage.desk.search.add_folder(local_operator(), folder, allow=("staff",))

    seen = await stage.say("ben", "Which huts are supported in winter, and how many huts are there?")

    assert "Supported in winter are the huts Kite and Gull" in seen.text
    assert "Huts: 3" in seen.text
    assert "Supported in winter" in seen.text.partition("Kite and Gull")[2]  # the page that it rests on
    assert ENGLISH.says("data.how") in [each.label for each in seen.choices]


@on("memory", "web", "slack_http", "teams_cards")
async def test_a_part_of_a_number_is_shown_beside_the_whole_that_it_was_computed_from(stage: Stage) -> None:
    seen = await stage.say("ben", "15 % of the crates sold in January 2026")

    assert f"{(NORTH + SOUTH) * 15 // 100} crates" in seen.text
    assert str(NORTH + SOUTH) in seen.text
    shown = await stage.press("ben", seen, ENGLISH.says("data.how"))
    assert "0.15" in shown.text


@on("memory", "web", "slack_http", "teams_cards")
async def test_two_questions_are_answered_and_what_stays_open_is_named(stage: Stage) -> None:
    seen = await stage.say("ben", "Crates sold in January 2026? How many huts are there? Crates sold by zyx in May?")

    assert f"{NORTH + SOUTH} crates" in seen.text
    assert "huts: 3" in seen.text.lower()
    assert ENGLISH.says("data.left", text="Crates sold by zyx in May") in seen.text


@on("memory", "web")
async def test_each_of_two_results_has_its_own_statement(stage: Stage) -> None:
    seen = await stage.say("ben", "How many huts are there? How many crates were sold in January 2026?")
    shown = await stage.press("ben", seen, ENGLISH.says("data.how"))  # the newest of both
    first = await stage.press("ben", Seen(seen.text, seen.choices[:1]), ENGLISH.says("data.how"))

    assert "crates" in shown.text
    assert "huts" in first.text
    assert "crates" not in first.text


@on("memory", "slack_http", "teams_cards", "web")
async def test_a_chart_that_is_asked_for_is_drawn_or_said_to_be_impossible(stage: Stage) -> None:
    await stage.say("ben", "Crates sold in January 2026?")
    seen = await stage.say("ben", "as a chart")

    assert ENGLISH.says("result.no_chart.few") in seen.text
    assert str(NORTH + SOUTH) in seen.text


@on_every_platform
async def test_steps_of_time_are_written_as_people_read_them(stage: Stage) -> None:
    seen = await stage.say("ben", "Crates sold by month in 2026")
    assert "January 2026" in seen.text

    ours = await stage.say("bao", "2026年每月的售出箱数")
    assert "2026年1月" in ours.text
    assert "2026-01" not in ours.text


@on_every_platform
async def test_a_step_of_time_in_which_there_was_nothing_is_no_gap(stage: Stage) -> None:
    seen = await stage.say("ben", "Crates sold by month since November 2025")

    assert "December 2025" in seen.text


@on("memory", "web", "teams_dialogs")
async def test_why_names_the_largest_changes(stage: Stage) -> None:
    await stage.say("ben", "Crates sold by month in 2026")
    seen = await stage.say("ben", "why so many in January?")

    assert "December 2025" in seen.text
    assert f"south (region) +{SOUTH}" in seen.text


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
async def test_a_question_is_saved_by_words_too(stage: Stage) -> None:
    early = await stage.say("ben", "save this as Crates")
    assert ENGLISH.says("refused.data_no_result") in early.text

    await stage.say("ben", "Crates sold in January 2026?")
    saved = await stage.say("ben", "save this as “Crates of January”")
    assert "“Crates of January”" in saved.text

    listed = await stage.command("ada", "sql saved")
    assert "Crates of January" in listed.text


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


@on_every_platform
@pytest.mark.parametrize(("person", "words"), [("ada", "card number"), ("bao", "卡号")])
async def test_columns_that_were_left_out_are_named(stage: Stage, person: str, words: str) -> None:
    seen = await stage.command(person, "sql SELECT region, card FROM orders")
    story = CHINESE if person == "bao" else ENGLISH
    assert story.says("data.left_out", columns=words) in seen.text

    all_shown = await stage.command(person, "sql SELECT region FROM orders")
    assert story.says("data.left_out", columns="") not in all_shown.text


@on("memory", "slack_http", "terminal")
async def test_a_table_that_one_may_not_read_does_not_exist_for_them(stage: Stage) -> None:
    hidden = await stage.command("ada", "sql SELECT * FROM payroll")
    missing = await stage.command("ada", "sql SELECT * FROM nothing_here")
    assert ENGLISH.says("data.refused.no_such_table", detail="payroll") in hidden.text
    assert hidden.text.replace("payroll", "nothing_here") == missing.text

    looks_after = await stage.command("cleo", "sql SELECT * FROM payroll")
    assert ENGLISH.says("data.refused.table_not_permitted", detail="payroll") in looks_after.text


@on("memory")
async def test_the_audit_keeps_which_statement_ran_and_none_of_its_words(stage: Stage) -> None:
    statement = "SELECT region FROM orders WHERE region <> 'tangerine'"
    await stage.command("ada", f"sql {statement}")
    await stage.command("ada", "sql SELECT tangerine FROM orders")
    await stage.command("ada", "sql SELECT person FROM payroll")
    seen = await stage.say("ben", "Crates sold in January 2026?")
    await stage.fill("ben", seen, ENGLISH.says("data.save"), {ENGLISH.says("data.saved.name"): "Tangerine"})
    found = await stage.desk.audit.entries(local_operator(), limit=200)

    told = [each for each in found if each.action.startswith("data.")]
    assert {"data.run", "data.save", "data.ask"} <= {each.action for each in told}
    assert not [each for each in told if "tangerine" in str(each).casefold()]
    ran = stage.desk.sql.guarded(await stage.desk.people.named("ada"), "shop", statement)
    assert {"fingerprint": fingerprint(ran.statement), "tables": ["orders"], "rows": 2} in [
        each.detail for each in told
    ]
    assert {"no_such_column", "table_not_permitted"} <= {each.reason for each in told}


@dataclass(frozen=True)
class CountingSource(SqlSource):
    """A database that counts how often a statement was looked at."""

    looks: list[str] = field(default_factory=list)

    def guard(self, statement: str, actor: Actor, *, rows: int) -> Guarded:
        self.looks.append(statement)
        return super().guard(statement, actor, rows=rows)


@on("memory")
async def test_a_statement_is_looked_at_once_and_again_when_a_button_is_pressed(stage: Stage, tmp_path: Path) -> None:
    await asyncio.to_thread(many_huts, tmp_path)
    sql = stage.desk.sql
    counting = CountingSource(**{each.name: getattr(sql.sources["shop"], each.name) for each in fields(SqlSource)})
    sql.sources = {"shop": counting}
    await stage.say("ben", "Crates sold in January 2026?")
    assert len([each for each in counting.looks if "SUM" in each]) == 1  # the others read names of rows

    looked = len(counting.looks)
    asked = await stage.command("ben", "sql SELECT count(*) AS huts FROM huts")
    assert len(counting.looks) == looked + 1
    answered = await stage.press("ben", asked, ENGLISH.says("approval.confirm"), stage.driver.commands("ben"))
    assert "1503" in answered.text
    assert len(counting.looks) > looked + 1


@on("memory", "slack_http", "teams_dialogs")
async def test_what_rests_on_a_masked_column_is_refused_and_not_empty(stage: Stage) -> None:
    seen = await stage.say("ada", "list orders by card number")
    assert "4111" not in seen.text
    shown = await stage.say("ada", "List the orders")
    assert "card number" not in shown.text
    assert "north" in shown.text


@on("memory", "web")
async def test_a_statement_that_reads_too_much_waits_for_a_button(stage: Stage, tmp_path: Path) -> None:
    await asyncio.to_thread(many_huts, tmp_path)
    asked = await stage.command("ben", "sql SELECT count(*) AS huts FROM huts")
    assert "1503" not in asked.text
    assert "1,500" in asked.text

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


@on("memory", "web", "slack_http", "teams_cards")
async def test_words_that_are_known_and_do_not_fit_together_are_not_called_unknown(stage: Stage) -> None:
    mine = await stage.say("ben", "how many crates sold in January 2026 and which huts are they worth")
    alone = await stage.say("ben", "crates sold by huts in January 2026")

    assert "I do not know" not in mine.text + alone.text
    assert ENGLISH.says("data.nearest", word="huts") in alone.text
    assert "January 2026" in alone.text


@on("web", "slack_http", "teams_cards", "memory")
async def test_what_is_only_the_highest_says_so_and_offers_a_name_to_keep_it_by(stage: Stage) -> None:
    seen = await stage.say("ben", "which region sold the most crates in January 2026?")

    assert ENGLISH.says("data.first.one_highest") in seen.text
