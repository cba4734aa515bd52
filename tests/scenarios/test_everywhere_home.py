"""A person's home: what waits for them, and nothing of anybody else."""

from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import Place, Seen
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed, ready_draft
from tests.scenarios.story import CHINESE, ENGLISH, Story

pytestmark = on_every_platform


def shows_all(home: Seen, told: Story, number: str) -> bool:
    """Return whether a home shows a ticket, a draft and an approval."""
    parts = (number, told.says("ticket.list_title"), told.unknown, told.says("approval.heading"))
    return all(part in home.text for part in parts)


async def busy(stage: Stage, told: Story) -> str:
    """Let a ticket, a draft and an approval wait for the requester; return the ticket's number."""
    number = await filed(stage, told)
    await stage.say(told.requester, told.cancel.format(number=number))
    other = Place("other")
    nothing = await stage.say(told.requester, told.unknown, other)
    await stage.press(told.requester, nothing, told.says("no_evidence.draft"), other)
    return number


@needs("home")
async def test_the_home_shows_drafts_approvals_and_tickets(stage: Stage, told: Story) -> None:
    number = await busy(stage, told)
    home = await stage.home(told.requester)

    assert shows_all(home, told, number), home.text
    assert told.says("approval.confirm") in home.labels
    assert told.says("draft.discard") in home.labels


async def test_the_status_command_shows_the_same_as_the_home(stage: Stage, told: Story) -> None:
    number = await busy(stage, told)
    shown = await stage.command(told.requester, "status")

    assert shows_all(shown, told, number), shown.text


async def test_nobody_sees_what_waits_for_somebody_else(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    shown = await stage.command("bao", "status")

    assert number not in shown.text
    assert CHINESE.says("home.nothing") in shown.text


@needs("home")
async def test_a_home_where_nothing_waits_says_nothing_of_others(stage: Stage) -> None:
    await ready_draft(stage, ENGLISH)
    home = await stage.home("bao")

    assert ENGLISH.report not in home.text
    assert CHINESE.says("draft.confirm") not in home.labels


@needs("home")
async def test_a_button_of_the_home_works(stage: Stage, told: Story) -> None:
    await ready_draft(stage, told)
    home = await stage.home(told.requester)
    await stage.press(told.requester, home, told.says("draft.confirm"), Place("home"))

    (ticket,) = await stage.desk.tickets.mine(await stage.desk.people.named(told.requester))
    assert ticket.number in (await stage.home(told.requester)).text
