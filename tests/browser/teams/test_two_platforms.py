"""One ticket, followed from Slack and from Teams by two people; and one person on both, known by their address."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.slack_house import SlackSeat, slack_house
from tests.browser.teams.house import TEAMS, move_in, unhurried
from tests.browser.teams.playground import missing
from tests.browser.teams.seat import TeamsSeat
from tests.browser.told import ENGLISH, NUMBER, filed

pytestmark = pytest.mark.browser


async def test_a_ticket_is_followed_from_slack_and_from_teams(sample_home: Path, browser: Browser) -> None:
    if reason := missing():
        pytest.skip(reason)
    async with (
        slack_house(sample_home, browser, brain=unhurried(), teams=dict(TEAMS)) as slack,
        move_in(slack.desk, slack.url, slack.browser, sample_home.parent) as teams,
    ):
        ada, dora, also_ada = await teams.seat("ada"), await slack.seat("dora"), await slack.seat("ada")

        number = await _files_in_teams(ada)
        await _takes_in_slack(dora, number)
        await expect(ada.said(f"Dora Lindqvist is working on {number} now.")).to_be_visible()
        await dora.write("Message Duty Desk", f"/desk ticket comment {number} I bring another one")
        await expect(ada.said(f"Dora Lindqvist wrote on {number}: I bring another one")).to_be_visible()
        await _resolves_in_slack(dora)
        await expect(ada.said(f"Dora Lindqvist resolved {number}: Took the paper out")).to_be_visible()
        await ada.say(f"ticket reopen {number} It jams again")
        await expect(ada.said(f"{number} is open again.")).to_be_visible()
        await _sees_it_open_in_slack(dora, number)
        await _looks_from_slack(also_ada, number)

        await slack.settle()
        await ada.assert_nothing_went_wrong()
        assert dora.problems == also_ada.problems == []


async def _files_in_teams(ada: TeamsSeat) -> str:
    await ada.say("The printer is broken")
    await expect(ada.card("The printer is broken")).to_be_visible()
    await ada.say("it is next to the coffee corner on floor 3")
    await ada.page.get_by_role("button", name="Confirm", exact=True).click()
    said = ada.said(filed(ENGLISH))
    await expect(said).to_be_visible()
    found = NUMBER.search(await said.inner_text())
    assert found is not None
    return found[0]


async def _takes_in_slack(dora: SlackSeat, number: str) -> None:
    """Look at the ticket in the direct messages with the desk, and press the button."""
    await dora.go()
    await dora.write("Message Duty Desk", f"ticket show {number}")
    await dora.open_thread()
    await dora.thread.get_by_role("button", name="Assign to me").click()
    await expect(dora.said(f"{number} is assigned to Dora Lindqvist.")).to_be_visible()


async def _resolves_in_slack(dora: SlackSeat) -> None:
    await dora.thread.get_by_role("button", name="Resolve").last.click()
    await dora.modal.get_by_role("textbox").fill("Took the paper out")
    await dora.modal.locator("[type=submit]").click()
    await expect(dora.modal).to_have_count(0)


async def _looks_from_slack(ada: SlackSeat, number: str) -> None:
    """Find the ticket in Slack too: one e-mail address makes two accounts one person."""
    await ada.go()
    await ada.write("Message Duty Desk", "my tickets")
    await ada.open_thread()
    await ada.thread.get_by_role("link", name=number).wait_for()


async def _sees_it_open_in_slack(dora: SlackSeat, number: str) -> None:
    await dora.write("Reply…", f"ticket show {number}")
    await expect(dora.thread.locator("article").last).to_contain_text("open")
    await expect(dora.thread.locator("article").last.get_by_role("button", name="Assign to me")).to_be_visible()
