"""Two pages of the sample handbook disagree by date: the newer one is followed, and the other is named."""

from pathlib import Path

from identity.actor import local_operator
from storage.database import Database
from tests.scenarios.world import words, world_in

HANDBOOK = Path(__file__).parents[2] / "sample" / "handbook"


async def test_the_newer_page_is_followed_and_the_older_one_named(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        await world.desk.search.remove(local_operator(), "pages")
        await world.desk.search.add_folder(local_operator(), HANDBOOK)
        said = words(await world.say("ada", "How long does a VPN session last?"))

    answer, _, rest = said.partition("disagree")
    assert "10 hours" in answer
    assert "24 hours" not in answer
    assert "This answer follows the newer one, [1]." in rest
    assert "Remote access standard 2024" in rest
