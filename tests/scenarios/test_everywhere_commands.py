"""The grammar of commands: the same lines everywhere, and a help that shows nothing which is not there."""

import re

from tests.fixtures.features import grammar
from tests.scenarios.everywhere import on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.steps import complete, filed, number_in
from tests.scenarios.story import ENGLISH, Story

pytestmark = on_every_platform

TICKET_VERBS = {name.split(" ")[1] for name in grammar().verbs if name.startswith("ticket ")}
#: Verbs for people who work tickets, and verbs that no tool stands behind yet.
WORKING = {"assign", "priority", "resolve"}
LATER = {"sql", "inspect", "memory"}


async def test_help_shows_the_verbs_that_are_there_with_examples(stage: Stage, told: Story) -> None:
    shown = await stage.command(told.requester, "help")
    words = set(re.findall(r"[a-z]+", shown.text))

    assert {"ask", "status", "help", "new", "digest", *TICKET_VERBS} - WORKING <= words
    assert not words & (LATER | WORKING)
    assert told.says("help.words").split("\n")[0] in shown.text


async def test_help_shows_who_works_tickets_what_they_do(stage: Stage) -> None:
    shown = await stage.command("ben", "help")

    assert set(re.findall(r"[a-z]+", shown.text)) >= WORKING


async def test_what_the_desk_can_do_is_said_with_examples(stage: Stage, told: Story) -> None:
    shown = await stage.say(told.requester, "what can you do?" if told is ENGLISH else "你能做什么？")

    for name in ("knowledge", "tickets", "reminders"):
        assert told.says(f"can.{name}") in shown.text
    assert told.says("can.data") not in shown.text, "no database is connected here"


async def test_an_unknown_verb_is_said_to_be_unknown_and_shows_the_help(stage: Stage) -> None:
    help_shown = await stage.command("ada", "help")
    odd = await stage.command("ada", "sql select 1")

    assert ENGLISH.says("help.unknown", verb="sql") in odd.text
    assert odd.text.endswith(help_shown.text)
    assert ("/desk ask" in odd.text) is not stage.driver.limits.bare_commands


async def test_a_verb_with_a_slip_is_offered_the_nearest(stage: Stage) -> None:
    odd = await stage.command("ada", "ticket shwo 12")

    said = odd.text[: odd.text.index(ENGLISH.says("help.words").split("\n")[0])]
    assert "ticket shwo" in said
    assert "ticket show" in said


async def test_a_question_by_command_is_answered(stage: Stage, told: Story) -> None:
    shown = await stage.command(told.requester, f"ask {told.question}")

    assert told.answer in shown.text
    assert told.says("answer.sources") in shown.text


async def test_a_ticket_goes_its_way_by_commands(stage: Stage) -> None:
    place = stage.driver.commands("ada")
    draft = await stage.command("ada", f"ticket new {ENGLISH.report}")
    ready = await stage.fill("ada", draft, ENGLISH.says("draft.complete"), complete(ENGLISH), place)
    number = number_in((await stage.press("ada", ready, ENGLISH.says("draft.confirm"), place)).text)

    assert (
        ENGLISH.says("ticket.commented", number=number)
        in (await stage.command("ada", f"ticket comment {number} It beeps")).text
    )
    assert ENGLISH.says("ticket.urged", number=number) in (await stage.command("ada", f"ticket urge {number}")).text
    assert "Ben Brook" in (await stage.command("cleo", f"ticket assign {number} Ben")).text
    assert (
        ENGLISH.says("ticket.resolved", number=number)
        in (await stage.command("ben", f"ticket resolve {number} New power supply")).text
    )
    assert (
        ENGLISH.says("ticket.reopened", number=number)
        in (await stage.command("ada", f"ticket reopen {number} It beeps again")).text
    )
    shown = await stage.command("ada", f"ticket show {number}")
    assert ENGLISH.says("ticket.status.open") in shown.text


async def test_a_ticket_named_by_nothing_is_the_last_one(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)

    assert number in (await stage.command("ada", "ticket show")).text


async def test_who_may_not_work_tickets_is_told_so(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    refused = await stage.command("ada", f"ticket resolve {number} Done")

    ticket = await stage.desk.tickets.show(await stage.desk.people.named("ada"), number)
    assert ticket.status == "open"
    assert ENGLISH.says("ticket.resolved", number=number) not in refused.text
    assert refused.text
