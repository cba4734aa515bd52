"""The main job in Slack, as people see it there: asked in a channel, reported, confirmed, cancelled, judged."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.pictures import picture
from tests.browser.slack_house import SlackHouse, SlackSeat, slack_house
from tests.browser.told import CHINESE, ENGLISH, NUMBER, Told, filed

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def house(sample_home: Path, browser: Browser) -> AsyncIterator[SlackHouse]:
    """Return the sample company in Slack, with a browser before it."""
    async with slack_house(sample_home, browser) as opened:
        yield opened


@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_the_main_job_in_slack(house: SlackHouse, told: Told, request: pytest.FixtureRequest) -> None:
    language = request.node.callspec.id
    seat = await house.seat(told.requester)

    await _asks(house, seat, told, language)
    await _judges(house, seat, told)
    number = await _reports(house, seat, told, language)
    await _cancels(house, seat, told, language)
    await _looks_home(seat, told, number, language)
    await _confirms(house, seat, told, language)

    assert seat.problems == []


async def _asks(house: SlackHouse, seat: SlackSeat, told: Told, language: str) -> None:
    """Ask in a channel by name; go on in the thread without it."""
    await seat.go(house.channel)
    await seat.write("Message #ask-it", f"@Duty Desk {told.question}")
    await seat.open_thread()
    await expect(seat.said(told.answer)).to_be_visible()
    await _pictured(seat, f"slack-{language}-thread")
    await seat.write("Reply…", told.follow_up)
    await expect(seat.said(told.follow_up_answer).last).to_be_visible()
    await expect(seat.thread.locator("article")).to_have_count(4)


async def _judges(house: SlackHouse, seat: SlackSeat, told: Told) -> None:
    """Press the thumb down and say why; it is kept with the run."""
    await seat.said(told.follow_up_answer).last.get_by_label(told.bad).click()
    await seat.modal.locator("textarea, input").first.fill(told.reason)
    await seat.modal.locator("[type=submit]").click()
    await expect(seat.modal).to_have_count(0)
    await house.settle()
    asker = await house.desk.people.named(told.requester)
    newest, *_ = await house.desk.runs.list(asker)
    judged = (await house.desk.runs.show(asker, newest.id)).feedback
    assert judged is not None
    assert (judged.verdict, judged.reason) == ("down", told.reason)


async def _reports(house: SlackHouse, seat: SlackSeat, told: Told, language: str) -> str:
    """Report, fill the modal in, confirm; return the number of the ticket."""
    await seat.go(house.channel)
    await seat.write("Message #ask-it", f"@Duty Desk {told.report}")
    await expect(seat.page.locator(".conversation .replies")).to_have_count(2)
    await seat.open_thread()
    await seat.thread.get_by_role("button", name=told.complete).click()
    location = seat.modal.get_by_label(told.location)
    await location.wait_for()
    await location.fill(told.given)
    await _pictured(seat, f"slack-{language}-form")
    await location.fill("")
    await seat.modal.locator("[type=submit]").click()
    await expect(seat.modal.get_by_role("alert")).to_be_visible()
    await location.fill(told.given)
    await seat.modal.locator("[type=submit]").click()
    await expect(seat.modal).to_have_count(0)

    await seat.thread.get_by_role("button", name=told.confirm).click()
    said = seat.said(filed(told))
    await expect(said).to_be_visible()
    await expect(seat.thread.get_by_role("button", name=told.confirm)).to_have_count(0)
    found = NUMBER.search(await said.inner_text())
    assert found is not None
    return found[0]


async def _cancels(house: SlackHouse, seat: SlackSeat, told: Told, language: str) -> None:
    """Want the ticket cancelled: a card asks first."""
    await seat.go(house.channel)
    await seat.open_thread()
    await seat.said(filed(told)).get_by_role("button", name=told.cancel).click()
    await expect(seat.thread.get_by_role("button", name=told.confirm)).to_be_visible()
    await _pictured(seat, f"slack-{language}-approval")


async def _looks_home(seat: SlackSeat, told: Told, number: str, language: str) -> None:
    """Open the Home tab: it shows what waits, and the ticket."""
    await seat.go(tab="home")
    home = seat.page.locator(".home")
    await expect(home).to_contain_text(told.home)
    await expect(home.get_by_role("button", name=told.confirm)).to_be_visible()
    await expect(home.get_by_role("link", name=number)).to_be_visible()
    await _pictured(seat, f"slack-{language}-home")


async def _confirms(house: SlackHouse, seat: SlackSeat, told: Told, language: str) -> None:
    """Confirm: the card says for everybody who pressed and when, and has no buttons any more."""
    await seat.go(house.channel)
    await seat.open_thread()
    approval = seat.thread.get_by_role("button", name=told.confirm)
    await approval.click()
    await expect(seat.said(told.decided).last).to_be_visible()
    await expect(seat.said(told.cancelled).first).to_be_visible()
    await expect(approval).to_have_count(0)
    await _pictured(seat, f"slack-{language}-approved")

    onlooker = await house.seat("ben")
    await onlooker.go(house.channel)
    await onlooker.open_thread()
    await expect(onlooker.said(told.decided).last).to_be_visible()
    assert onlooker.problems == []


async def _pictured(seat: SlackSeat, name: str) -> None:
    """Keep what the window shows, with nothing under the pointer; of the Chinese story one picture is enough."""
    if name.startswith("slack-en") or name == "slack-zh-thread":
        await seat.page.mouse.move(640, 20)
        await picture(seat.page, name)
