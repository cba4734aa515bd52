"""People remove what they said in the browser: it is gone from every table, and what the page says of it is true."""

import pytest
from sqlalchemy import Connection, inspect, text

from adapters.web.transcript import TranscriptPlace
from tests.scenarios.driver_web import WebDriver
from tests.scenarios.everywhere import on
from tests.scenarios.page import Element
from tests.scenarios.platforms import MAIN, Place
from tests.scenarios.stage import Stage
from tests.scenarios.story import ENGLISH

#: Tables that hold pages of the company, and what may outlive a message.
APART = ("search_",)
OTHERS = "How long does a giraffe session of the VPN last?"


async def shown(stage: Stage, person: str = "ada") -> list[Element]:
    """Return the messages on a person's page, oldest first."""
    await stage.settle()
    assert isinstance(stage.driver, WebDriver)
    return list((await stage.driver.window(person, MAIN)).entries.values())


async def remove(stage: Stage, entry: Element, person: str = "ada") -> None:
    assert isinstance(stage.driver, WebDriver)
    await stage.driver.remove(person, entry, MAIN)
    await stage.settle()


async def held(stage: Stage) -> str:
    async with stage.desk.database.reading() as session:
        rows = await (await session.connection()).run_sync(_rows)
    return "\n".join(rows)


def _rows(connection: Connection) -> list[str]:
    tables = [each for each in inspect(connection).get_table_names() if not each.startswith(APART)]
    return [str(tuple(row)) for table in tables for row in connection.execute(text(f'SELECT * FROM "{table}"'))]


@on("web")
@pytest.mark.parametrize("at", [0, 1], ids=["at the message", "at the answer"])
@pytest.mark.parametrize(
    "said",
    [
        "My zebra printer on floor 3 is broken",
        "How long does a zebra session of the VPN last?",
        "/desk ticket show zebra",
    ],
)
async def test_a_removed_message_and_its_answer_are_in_no_table_any_more(stage: Stage, said: str, at: int) -> None:
    await stage.say("ada", said)
    await stage.say("ada", OTHERS)
    assert "zebra" in await held(stage)

    await remove(stage, (await shown(stage))[at])

    everything = await held(stage)
    assert "zebra" not in everything
    assert "giraffe" in everything
    message, answer, *others = await shown(stage)
    assert "You removed this message." in message.text
    assert "This answer was removed with its message." in answer.text
    assert not [*message.all("button"), *answer.all("button")]
    assert len(others) == 2
    assert all(list(each.all("button", data_remove="*")) for each in others)
    (conversation,) = await stage.desk.transcript.threads("ada")
    assert conversation.title == OTHERS


@on("web")
async def test_a_ticket_that_was_filed_keeps_what_was_filed(stage: Stage) -> None:
    drafted = await stage.say("ada", "Please open a ticket: the zebra printer on floor 3 is broken")
    await stage.press("ada", drafted, "Confirm")
    await remove(stage, (await shown(stage))[0])

    (ticket,) = await stage.desk.tickets.mine(await stage.desk.directory.person("ada"))
    assert "zebra" in ticket.title
    assert "keeps what was filed" in (await shown(stage))[0].text


@on("web")
async def test_nobody_removes_what_another_person_said(stage: Stage) -> None:
    await stage.say("ada", OTHERS)
    (message, _answer) = await shown(stage)

    await stage.read("ben")
    await remove(stage, message, person="ben")

    assert "giraffe" in (await shown(stage))[0].text
    assert len(await stage.desk.transcript.recent(TranscriptPlace("ada", f"thread-{MAIN.name}"))) == 2


@on("web")
async def test_what_answers_no_message_has_no_button(stage: Stage) -> None:
    drafted = await stage.say("ada", "Please open a ticket: the printer on floor 3 is broken")
    await stage.press("ada", drafted, "Confirm")
    message, answer, *told = await shown(stage)

    assert all(list(each.all("button", data_remove="*")) for each in (message, answer))
    assert not [button for each in told for button in each.all("button", data_remove="*")]


@on("web")
@pytest.mark.parametrize("told", [False, True], ids=["before its time", "after its time"])
async def test_a_reminder_goes_with_the_message_that_set_it(stage: Stage, *, told: bool) -> None:
    await stage.say("ada", "Remind me in 10 minutes to feed the zebra")
    await stage.desk.jobs.tick()
    if told:
        stage.clock.skip(660)
        await stage.desk.jobs.tick()
    first, *_ = await shown(stage)
    assert "zebra" in await held(stage)

    await remove(stage, first)

    assert "zebra" not in await held(stage)
    stage.clock.skip(660)
    await stage.desk.jobs.tick()
    assert all("zebra" not in each.text for each in await shown(stage))


@on("web")
@pytest.mark.parametrize("told", [False, True], ids=["before its time", "after its time"])
async def test_a_reminder_about_a_removed_message_comes_without_its_words(stage: Stage, *, told: bool) -> None:
    await stage.say("ada", "The zebra printer on floor 3 hums at night")
    await stage.say("ada", "Remind me in 10 minutes about this")
    await stage.say("ada", "my reminders")
    await stage.desk.jobs.tick()
    if told:
        stage.clock.skip(660)
        await stage.desk.jobs.tick()
    first, *others = await shown(stage)
    assert sum("zebra" in each.text for each in others) >= 3

    await remove(stage, first)

    assert "zebra" not in await held(stage)
    stage.clock.skip(660)
    await stage.desk.jobs.tick()
    *_, last = await shown(stage)
    assert ENGLISH.says("reminder.button.done") in last.text
    assert all("zebra" not in each.text for each in await shown(stage))


@on("web")
async def test_a_list_that_names_a_removed_reminder_names_it_no_more(stage: Stage) -> None:
    await stage.say("ada", "Remind me tomorrow at 9 to feed the old zebra")
    await stage.say("ada", "my reminders")
    first, *_, listed = await shown(stage)
    assert "zebra" in listed.text

    await remove(stage, first)

    assert "zebra" not in await held(stage)
    assert all("zebra" not in each.text for each in await shown(stage))


@on("web")
async def test_other_conversations_repeat_removed_words_no_more(stage: Stage) -> None:
    other = Place("other")
    await stage.say("ada", "Remind me in 10 minutes to feed the old zebra")
    await stage.say("ada", "my reminders", other)
    await stage.say("ada", "/desk status", other)
    first, *_ = await shown(stage)
    assert isinstance(stage.driver, WebDriver)
    assert any("zebra" in each.text for each in (await stage.driver.window("ada", other)).entries.values())

    await remove(stage, first)

    assert "zebra" not in await held(stage)
    assert all("zebra" not in each.text for each in (await stage.driver.window("ada", other)).entries.values())
