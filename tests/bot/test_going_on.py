"""A pressed button's run goes on to its answer, where it was asked, after a restart as well."""

from pathlib import Path

from adapters.cards import Button
from agent.runs.answer import Outcome
from agent.runs.run import RunState
from bot.cli.talk import asking
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


async def test_what_was_typed_as_a_command_is_answered_where_its_button_is_pressed(
    database: Database, tmp_path: Path
) -> None:
    async with world_in(tmp_path, database) as world:
        ticket = await filed(world)
        ada = await world.desk.people.named("ada")
        await asking.command(world.desk, ada, f"ticket cancel {ticket}")
        (approval,) = await world.desk.approvals.waiting(ada)
        nonce = await world.desk.approvals.nonce_for(ada, approval.id)

        await world.press("ada", Button(label="Confirm", action="approval.confirm", id=approval.id, nonce=nonce))

        said = [words(posted.card) for posted in world.all("ada")]
        assert sum("is cancelled" in each for each in said) == 1, said
        (run,) = [run for run in await world.desk.runs.list(ada) if run.id == approval.run_id]
        assert (run.state, run.outcome) == (RunState.ENDED, Outcome.ANSWERED)


async def test_a_form_ends_the_wait_of_the_run_that_asked_for_its_fields(database: Database, tmp_path: Path) -> None:
    async with world_in(tmp_path, database) as world:
        ada = await world.desk.people.named("ada")
        asked = await world.say("ada", "My laptop does not start. Please open a ticket.")
        assert "draft.edit" in actions(asked)
        (run,) = await world.desk.runs.list(ada)
        assert (run.state, run.outcome) == (RunState.WAITING, Outcome.ASKED_BACK)

        missing = (await world.desk.runs.show(ada, run.id)).answer["options"]
        assert isinstance(missing, list | tuple)
        values = {str(name): "floor 3, extension 4411" for name in missing}
        await world.fill("ada", button(asked, "draft.edit"), values)

        run = await world.desk.runs.show(ada, run.id)
        assert (run.state, run.outcome) == (RunState.ENDED, Outcome.NEEDS_APPROVAL)
        assert [step.node for step in run.steps if step.node == "form"] == ["form"]
        await world.say("ada", "How long does a VPN session last?")
        assert len(await world.desk.runs.list(ada)) == 2, "the next message is one of its own"
