"""A section longer than a passage, asked about: the steps come whole, the citation names the section once."""

from pathlib import Path

from agent.config import AgentConfig
from bot.cli.talk.asking import Reply, ask
from bot.compose.compose import compose
from identity.actor import local_operator
from search.embedding.memory import HashEmbedder
from storage.database import Database
from tests.scenarios.world import settings_in, write_pages

STEPS = """\
1. Tell the people on the floor that nobody can print or scan for about twenty minutes.
2. Switch the plotter off with the button on its left side, and pull the plug only after the fan has stopped.
3. Open the upper door. The two green levers behind it hold the carriage; do not touch the blue ones, which belong to
   the cutter and lose their setting when they are moved.
4. Wait ten minutes until the carriage is cold.
5. Turn both green levers down and lift the carriage out with both hands, straight up, without tilting it.
6. Put the carriage on the grey mat from the drawer below. It scratches on anything else, and scratches show as lines.
7. Take the new carriage out of its bag. Leave the orange strip on the nozzles until the carriage is in the plotter.
8. Let the carriage down between the rails until it clicks twice, and turn the green levers up again.
9. Pull the orange strip off, slowly and towards you, and throw it away with the old carriage as special waste.
10. Close the upper door, plug the plotter in and switch it on; it fills the carriage for four minutes.
11. Choose Service and then Align on the panel, and let it print the pattern on plain A1 paper.
12. Write the day and the number of the carriage on the list inside the door.
"""
PAGE = f"""\
# Plotter

## Change the carriage

The carriage of the plotter wears out after about two kilometres of paper. Change it when lines stay white.

{STEPS}
Old carriages go into the red box.

## Order paper

Paper for the plotter is ordered by the front desk.
"""


async def answer(folder: Path, database: Database, *, around: int) -> Reply:
    """Ask a desk about the page."""
    pages = write_pages(folder / "pages", {".access.yaml": "allow: [staff]\n", "plotter.md": PAGE})
    settings = settings_in(folder, database=database, agent=AgentConfig(around_tokens=around))
    async with await compose(settings, database=database, embedder=HashEmbedder()) as desk:
        await desk.search.add_folder(local_operator(), pages)
        await desk.search.embed_pending()
        return await ask(desk, await desk.directory.person("ada"), "How do I change the carriage of the plotter?")


async def test_steps_that_are_cut_between_passages_come_whole(tmp_path: Path, database: Database) -> None:
    told = (await answer(tmp_path, database, around=AgentConfig().around_tokens)).as_json()
    assert " ".join(STEPS.split()) in " ".join(str(told["answer"]).split())  # a wrapped line flows
    assert isinstance(told["citations"], list)
    (citation,) = told["citations"]
    assert isinstance(citation, dict)
    assert citation["section"] == "Plotter > Change the carriage"
    assert str(citation["quote"]) in PAGE


async def test_without_what_stands_around_only_a_part_comes(tmp_path: Path, database: Database) -> None:
    told = (await answer(tmp_path, database, around=0)).as_json()
    assert told["outcome"] == "answered"
    assert " ".join(STEPS.split()) not in " ".join(str(told["answer"]).split())
