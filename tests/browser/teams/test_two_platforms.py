"""One ticket, followed from Slack and from Teams by two people; and one person on both, known by their address."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.slack_house import slack_house
from tests.browser.teams.house import TEAMS, move_in
from tests.browser.teams.playground import missing
from tests.browser.teams.seat import TeamsSeat
from tests.browser.told import ENGLISH, NUMBER, filed

pytestmark = pytest.mark.browser


async def test_a_ticket_is_followed_from_slack_and_from_teams(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    async with (
        slack_house(tmp_path / "home", teams=dict(TEAMS)) as slack,
        move_in(slack.desk, slack.url, slack.browser, tmp_path) as teams,
    ):
        dora = await slack.seat("dora")
        await dora.go(tab="home")  # since then the desk knows where Dora is reached
        ada = await teams.seat("ada")

        number = await _reports_in_teams(ada)
        await dora.go(slack.channel)
        await dora.write("Message #ask-it", f"@Duty Desk ticket show {number}")
        await dora.open_thread()
        await dora.thread.get_by_role("button", name="I take it").click()
        await expect(ada.said(f"Dora Lindqvist is working on {number} now.")).to_be_visible()

        await dora.write("Reply…", f"@Duty Desk resolve {number}: new charger")
        await dora.thread.get_by_role("button", name="Confirm").click()
        await expect(ada.said(f"Dora Lindqvist resolved {number}")).to_be_visible()

        at_slack = await slack.seat("ada")
        await at_slack.go(slack.channel)
        await at_slack.write("Message #ask-it", f"@Duty Desk ticket show {number}")
        await at_slack.open_thread()
        await expect(at_slack.said("resolved").first).to_be_visible()

        await slack.settle()
        await ada.assert_nothing_went_wrong()
        assert dora.problems == at_slack.problems == []


async def _reports_in_teams(ada: TeamsSeat) -> str:
    await ada.say("The printer on floor 3 in Rotterdam jams, please open a ticket")
    await ada.page.get_by_role("button", name=ENGLISH.confirm, exact=True).click()
    said = ada.said(filed(ENGLISH))
    await expect(said).to_be_visible()
    found = NUMBER.search(await said.inner_text())
    assert found is not None
    return found[0]
