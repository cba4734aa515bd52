"""Who may read what changes while the desk runs, and holds from the next question on, on every index."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from identity.actor import local_operator
from storage.database import Database
from tests.scenarios.world import PEOPLE, World, words, world_in, write_pages

QUESTION = "Where does salary band seven start?"
TOLD = "71,000"
IN_HR = PEOPLE.replace("language: en, timezone: Europe/Berlin", "language: en, timezone: Europe/Berlin, groups: [hr]")


@pytest.fixture(params=["embedded", "elasticsearch"])
def index(request: pytest.FixtureRequest) -> Mapping[str, object]:
    """Return the settings of an index."""
    if request.param == "embedded":
        return {}
    config = request.getfixturevalue("elasticsearch_config")
    return {"search": {"elasticsearch": config.model_dump()}}


async def asked(world: World, person: str, thread: str = "main") -> str:
    return words(await world.say(person, QUESTION, thread=thread))


async def write(home: Path, pages: Mapping[str, str]) -> None:
    await asyncio.to_thread(write_pages, home, pages)


async def test_whoever_leaves_a_group_is_answered_as_a_stranger_in_the_same_thread(
    tmp_path: Path, database: Database, index: Mapping[str, object]
) -> None:
    async with world_in(tmp_path, database, settings=index) as world:
        stranger = await asked(world, "ada")
        await write(tmp_path, {"people.yaml": IN_HR})
        member = await asked(world, "ada", thread="member")
        await write(tmp_path, {"people.yaml": PEOPLE})
        left = await asked(world, "ada", thread="member")
        elsewhere = await asked(world, "ada", thread="elsewhere")

    assert TOLD in member
    assert TOLD not in left
    assert stranger == elsewhere


@pytest.mark.parametrize(
    "opened",
    [
        {"salaries.md": "---\naccess: {allow: [unit:sales]}\n---\n\n# Salary bands\n\nBand seven starts at 71,000.\n"},
        {
            "salaries.md": "# Salary bands\n\nBand seven starts at 71,000 euros a year.\n",
            ".access.yaml": "allow: [unit:sales]\n",
        },
    ],
    ids=["front matter", "folder"],
)
async def test_a_list_that_is_edited_holds_as_soon_as_the_folder_was_read_again(
    tmp_path: Path, database: Database, index: Mapping[str, object], opened: Mapping[str, str]
) -> None:
    async with world_in(tmp_path, database, settings=index) as world:
        before = await asked(world, "ada", thread="before")
        await write(tmp_path / "pages", opened)
        await world.desk.search.refresh(local_operator())
        during = await asked(world, "ada", thread="during")
        others = await asked(world, "ben", thread="during")
        closed = {name: text.replace("unit:sales", "group:hr") for name, text in opened.items()}
        await write(tmp_path / "pages", closed)
        await world.desk.search.refresh(local_operator())
        after = await asked(world, "ada", thread="during")

    assert TOLD in during
    for answer in (before, others, after):
        assert TOLD not in answer


async def test_a_list_that_cannot_be_read_any_more_closes_the_folder(
    tmp_path: Path, database: Database, index: Mapping[str, object]
) -> None:
    async with world_in(tmp_path, database, settings=index) as world:
        found = await world.desk.search.search(await world.desk.people.named("ada"), "VPN session")
        await write(tmp_path / "pages", {".access.yaml": "allow: [everybody]\n"})
        report = await world.desk.search.refresh(local_operator())
        lost = await world.desk.search.search(await world.desk.people.named("ada"), "VPN session")

    assert found.hits
    assert lost.hits == ()
    assert any("everybody" in problem.what for problem in report.problems)


async def test_the_explanation_changes_with_the_list(
    tmp_path: Path, database: Database, index: Mapping[str, object]
) -> None:
    """What an operator checks with `dutydesk search --as` is what the person is answered from."""
    async with world_in(tmp_path, database, settings=index) as world:
        search, operator = world.desk.search, local_operator()

        async def read_by(person: str) -> list[str]:
            told = await search.explain(operator, QUESTION, reader=await world.desk.people.named(person))
            return [each.authz for each in told.hits if each.hit.document_path == "salaries.md"]

        before = await read_by("ada")
        await write(tmp_path, {"people.yaml": IN_HR})
        after = await read_by("ada")

    assert before == []
    assert set(after) == {"group:hr"}
