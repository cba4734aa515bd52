"""The main job in Microsoft's Teams client: asked alone, in a group, in a channel; reported, confirmed, judged."""

import pytest
from playwright.async_api import Locator, expect

from tests.browser.pictures import WANTED, picture
from tests.browser.teams.house import TeamsHouse
from tests.browser.teams.seat import TeamsSeat
from tests.browser.told import CHINESE, ENGLISH, NUMBER, Told, filed

pytestmark = pytest.mark.browser

#: What the client says below a card that an answer put in the place of another.
SENT = "Your response was sent to the app"
#: A place in the window where there is nothing to point at.
NOWHERE = (30, 600)


@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_the_main_job_in_teams(house: TeamsHouse, told: Told, request: pytest.FixtureRequest) -> None:
    language = request.node.callspec.id
    seat = await house.seat(told.requester)

    await _is_welcomed(house, seat, told)
    await _asks_alone_and_judges(house, seat, told)
    await _asks_in_a_group(seat, told)
    await _asks_in_a_channel(seat, told, language)
    number = await _reports(seat, told, language)
    await _cancels(seat, told, language)
    await _looks_home(seat, told, number, language)
    await _confirms(seat, told, language)

    await house.settle()
    await seat.assert_nothing_went_wrong()


async def _is_welcomed(house: TeamsHouse, seat: TeamsSeat, told: Told) -> None:
    """Find one welcome in the own chat, although Teams tells twice that the desk came; take a suggestion of it."""
    await expect(seat.said(told.welcome)).to_have_count(1)
    await house.settle()
    await expect(seat.messages).to_have_count(1)
    await seat.page.get_by_role("button", name=told.suggestion, exact=True).click()
    await expect(seat.said(told.suggested).first).to_be_visible()


async def _asks_alone_and_judges(house: TeamsHouse, seat: TeamsSeat, told: Told) -> None:
    """Ask in the own chat; press the thumb down below the answer and say why; it is kept with the run."""
    await seat.say(told.question)
    await expect(seat.said(told.answer).first).to_contain_text("AI generated")
    await seat.judge(told.question, told.reason)
    await house.settle()
    asker = await house.desk.people.named(told.requester)
    newest, *_ = await house.desk.runs.list(asker)
    judged = (await house.desk.runs.show(asker, newest.id)).feedback
    assert judged is not None
    assert (judged.verdict, judged.reason) == ("down", told.reason)


async def _asks_in_a_group(seat: TeamsSeat, told: Told) -> None:
    """Ask by name where others read along."""
    await seat.go("group")
    await seat.say(told.question, to_desk=True)
    await expect(seat.said(told.answer).first).to_be_visible()


async def _asks_in_a_channel(seat: TeamsSeat, told: Told, language: str) -> None:
    """Begin a thread; go on in it."""
    await seat.go("channel")
    await seat.post(told.question)
    await expect(seat.said(told.answer).first).to_be_visible()
    await seat.reply(told.follow_up)
    await expect(seat.said(told.follow_up_answer).last).to_be_visible()
    await _pictured(seat, f"teams-{language}-thread", seat.said(told.answer).last)


async def _reports(seat: TeamsSeat, told: Told, language: str) -> str:
    """Report, fill the form in that comes in place of the draft, confirm; return the number of the ticket."""
    await seat.reply(told.report)
    await seat.page.get_by_role("button", name=told.complete, exact=True).click()
    location = seat.page.get_by_role("textbox", name=told.location)
    await expect(seat.page.get_by_text(SENT)).to_be_visible()
    await seat.page.mouse.move(*NOWHERE)  # the client draws a card anew when the pointer leaves it
    await location.fill(told.given)
    form = seat.page.locator(".ac-adaptiveCard").filter(has=location)
    await _pictured(seat, f"teams-{language}-form", form)
    await location.fill("")
    await form.get_by_role("button", name=told.send, exact=True).click()
    await expect(form).to_contain_text(told.required)
    await location.fill(told.given)
    await form.get_by_role("button", name=told.send, exact=True).click()

    await seat.page.get_by_role("button", name=told.confirm, exact=True).click()
    said = seat.said(filed(told))
    await expect(said).to_be_visible()
    await expect(seat.page.get_by_role("button", name=told.confirm, exact=True)).to_have_count(0)
    found = NUMBER.search(await said.inner_text())
    assert found is not None
    return found[0]


async def _cancels(seat: TeamsSeat, told: Told, language: str) -> None:
    """Want the ticket cancelled: a card asks first."""
    await seat.page.get_by_role("button", name=told.cancel, exact=True).last.click()
    approval = seat.page.get_by_role("button", name=told.confirm, exact=True)
    await expect(approval).to_be_visible()
    await _pictured(seat, f"teams-{language}-approval", approval)


async def _looks_home(seat: TeamsSeat, told: Told, number: str, language: str) -> None:
    """Ask for the home in the own chat: it shows what waits, and the ticket."""
    await seat.go("chat")
    await seat.say("home")
    home = seat.card(told.home)
    await expect(home.get_by_role("button", name=told.confirm, exact=True)).to_be_visible()
    await expect(home).to_contain_text(number)
    await _pictured(seat, f"teams-{language}-home", home)


async def _confirms(seat: TeamsSeat, told: Told, language: str) -> None:
    """Confirm: the card says who pressed and when, and has no buttons any more; what was done is told alone."""
    await seat.go("channel")
    approval = seat.page.get_by_role("button", name=told.confirm, exact=True)
    await approval.click()
    await expect(seat.said(told.decided).last).to_be_visible()
    await expect(approval).to_have_count(0)
    await _pictured(seat, f"teams-{language}-approved", seat.said(told.decided).last)
    await seat.go("chat")
    await expect(seat.said(told.cancelled).last).to_be_visible()


async def _pictured(seat: TeamsSeat, name: str, shown: Locator) -> None:
    """Keep what the window shows, something of it in its middle; of the Chinese story one picture is enough."""
    if WANTED and (name.startswith("teams-en") or name == "teams-zh-thread"):
        await shown.evaluate("shown => shown.scrollIntoView({block: 'center'})")
        await seat.page.mouse.move(*NOWHERE)
        await picture(seat.page, name)
