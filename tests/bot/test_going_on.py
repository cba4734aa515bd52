"""A pressed button's run goes on to its answer, where it was asked, after a restart as well."""

from pathlib import Path

from agent.runs.run import RunState
from storage.database import Database
from tests.scenarios.world import World, actions, button, words, world_in


async def filed(world: World) -> str:
    """File a ticket of ada's, and return its number."""
    ada = await world.desk.people.named("ada")
    draft = await world.desk.tickets.draft(
        ada,
        thread="elsewhere",
        category="other",
        title="Screen flickers",
        description="It does so since this morning.",
        priority="normal",
        fields={},
        address={},
    )
    nonce = await world.desk.tickets.nonce_for(ada, draft.id)
    return (await world.desk.tickets.file(ada, draft.id, nonce=nonce)).number


async def test_a_run_that_waited_over_a_restart_answers_where_it_was_asked(database: Database, tmp_path: Path) -> None:
    async with world_in(tmp_path, database) as world:
        chat = world.chat
        ticket = await filed(world)
        asked = await world.say("ada", f"cancel {ticket}")
        assert "approval.confirm" in actions(asked)

    async with world_in(tmp_path, database, chat=chat) as world:
        card = await world.press("ada", button(asked, "approval.confirm"))

        assert "is cancelled" in words(card)
        ada = await world.desk.people.named("ada")
        (run, *_) = [run for run in await world.desk.runs.list(ada) if "cancel" in run.text]
        assert run.state is RunState.ENDED
        said = [words(posted.card) for posted in world.all("ada")]
        assert sum("is cancelled" in each for each in said) == 1, said
