"""A page says from when until when it holds: what holds now is followed, and what does not is said not to."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from identity.actor import local_operator
from storage.database import Database
from tests.scenarios.world import World, words, world_in

ENDED = "---\nvalid_until: 2024-12-31\nupdated: 2026-02-01\n---\n"
COMING = "---\nvalid_from: 2099-01-01\n---\n"
NOW = "---\nvalid_from: 2025-01-01\n---\n"
ASKED = {"en": "How much is the meal allowance a day?", "zh": "餐补每天多少钱？"}
TOLD = {
    "en": "# Travel\n\n## Meal allowance\n\nThe meal allowance is {} euros a day.\n",
    "zh": "# 出差\n\n## 餐补\n\n餐补每天 {} 元。\n",
}


def write(folder: Path, pages: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


async def asked(
    world: World, folder: Path, language: str, pages: Mapping[str, tuple[str, int]], *, ask: str = ""
) -> str:
    """Index pages of an amount each, in place of those that were there, and return what is answered about it."""
    await asyncio.to_thread(
        write, folder, {name: front + TOLD[language].format(n) for name, (front, n) in pages.items()}
    )
    await world.desk.search.remove(local_operator(), "pages")
    await world.desk.search.add_folder(local_operator(), folder, allow=("staff",))
    await world.desk.search.embed_pending()
    return words(await world.say("ada", ask or ASKED[language]))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("other", [ENDED, COMING], ids=["ended", "coming"])
async def test_the_page_that_holds_now_is_followed(
    tmp_path: Path, database: Database, other: str, language: str
) -> None:
    async with world_in(tmp_path, database) as world:
        said = await asked(world, tmp_path / "travel", language, {"travel": (NOW, 48), "travel_other": (other, 31)})

    answer, marks, _ = said.partition("[1]")
    assert marks
    assert "48" in answer
    assert "31" not in answer


@pytest.mark.parametrize(
    ("language", "front", "warning"),
    [
        ("en", ENDED, "Source [1] was valid until 2024-12-31. Ask whether it still holds."),
        ("zh", ENDED, "来源 [1] 的有效期至 2024-12-31，请确认是否仍然适用。"),
        ("en", COMING, "Source [1] is valid from 2099-01-01 only."),
        ("zh", COMING, "来源 [1] 自 2099-01-01 起才生效。"),
    ],
)
async def test_an_answer_says_that_its_only_page_does_not_hold_now(
    tmp_path: Path, database: Database, language: str, front: str, warning: str
) -> None:
    async with world_in(tmp_path, database) as world:
        said = await asked(world, tmp_path / "travel", language, {"travel": (front, 31)})

    assert "31" in said
    assert warning in said


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("older", "newer"), [("travel-2024", "travel"), ("2023_travel", "2024_travel")])
async def test_of_two_editions_of_a_page_the_newer_one_is_followed(
    tmp_path: Path, database: Database, older: str, newer: str, language: str
) -> None:
    async with world_in(tmp_path, database) as world:
        said = await asked(world, tmp_path / "all", language, {older: ("", 31), newer: ("", 48)})

    answer, marks, _ = said.partition("[1]")
    assert marks
    assert "48" in answer
    assert "31" not in answer


@pytest.mark.parametrize("pages", [("rates-2024", "fees"), ("travel-2099", "travel")])
async def test_a_year_in_a_name_alone_makes_no_page_an_older_edition(
    tmp_path: Path, database: Database, pages: tuple[str, str]
) -> None:
    async with world_in(tmp_path, database) as world:
        said = await asked(world, tmp_path / "all", "en", {name: ("", at) for at, name in enumerate(pages, 31)})

    assert "edition" not in said


async def test_who_asks_for_a_year_is_told_what_its_edition_says(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        said = await asked(
            world,
            tmp_path / "all",
            "en",
            {"travel-2024": ("", 31), "travel": ("", 48)},
            ask="How much was the meal allowance a day in 2024?",
        )

    assert "31" in said
    assert "edition" not in said


async def test_a_page_that_another_one_says_to_replace_is_not_followed(tmp_path: Path, database: Database) -> None:
    folder = tmp_path / "all"
    new = TOLD["en"].format(48) + "\nThis page replaces the expense standard of 2024, which allowed less.\n"
    old = TOLD["en"].format(31).replace("# Travel", "# Expense standard 2024", 1)
    async with world_in(tmp_path, database) as world:
        await asyncio.to_thread(write, folder, {"travel": new, "standard": old})
        await world.desk.search.remove(local_operator(), "pages")
        await world.desk.search.add_folder(local_operator(), folder, allow=("staff",))
        await world.desk.search.embed_pending()
        said = words(await world.say("ada", ASKED["en"]))
        asked_for = words(await world.say("ada", "How much was the meal allowance a day by the standard of 2024?"))

    answer, marks, _ = said.partition("[1]")
    assert marks
    assert "48" in answer
    assert "31" not in answer
    assert "31" in asked_for
