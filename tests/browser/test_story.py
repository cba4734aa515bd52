"""The main job, as two people live it: asked, answered, reported, confirmed, taken, resolved, told, audited."""

import re
from dataclasses import dataclass

import pytest
from playwright.async_api import Locator, expect

from tests.browser.house import House, Seat
from tests.browser.pictures import picture

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Told:
    """The words of the story in one language."""

    requester: str
    colleague: str
    question: str
    answer: str  # what the answer must contain
    report: str
    complete: str
    location: str
    confirm: str
    filed: str
    assign: str
    resolve: str
    done: str
    resolution: str
    told: str


ENGLISH = Told(
    requester="ada",
    colleague="dora",
    question="How long does a VPN session last?",
    answer="10 hours",
    report="My laptop is broken, please open a ticket",
    complete="Fill in the rest",
    location="Rotterdam, 3rd floor",
    confirm="Confirm",
    filed="is filed",
    assign="Assign to me",
    resolve="Resolve",
    done="It is yours now.",
    resolution="Replaced the mainboard.",
    told="resolved",
)
CHINESE = Told(
    requester="chen",
    colleague="lin",
    question="怎么连接公司 VPN？",
    answer="vpn-ctu.marenvold.example",
    report="我的笔记本电脑坏了",
    complete="补充信息",
    location="成都办公室三楼",
    confirm="确认",
    filed="已提交",
    assign="由我处理",
    resolve="解决",
    done="现在由您处理。",
    resolution="更换了主板。",
    told="解决",
)


@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_the_main_job_from_question_to_audit(demo: House, told: Told, request: pytest.FixtureRequest) -> None:
    language = request.node.callspec.id
    requester = await demo.seat(told.requester, viewport={"width": 1280, "height": 860})
    await picture(requester.page, f"{language}-welcome")

    await _asks(requester, told, language)
    number = await _reports(requester, told, language)
    await _colleague_resolves(await demo.seat(told.colleague), told, number, language)
    await _is_told(requester, told, number)
    await _audited(await demo.seat("mia"), language)

    assert requester.problems == []


@pytest.mark.parametrize("person", ["ada", "chen"])
async def test_the_examples_of_the_first_page_keep_what_they_promise(demo: House, person: str) -> None:
    seat = await demo.seat(person)
    shown = {0: ".sources", 1: '[data-action="draft.confirm"], [data-action="draft.solved"]', 2: ".card"}
    for number, block in shown.items():
        await seat.open()
        await seat.ready()
        await seat.page.locator(".start").nth(number).click()
        await expect((await seat.answer(after=0)).locator(block).first).to_be_visible()
    assert seat.problems == []


async def test_what_confirm_did_comes_into_view_below_the_cards_that_it_changed(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 620})
    await seat.say("My laptop is broken, please open a ticket")
    draft = await seat.say("on the third floor, ext 4411")
    filed = await seat.press(draft.get_by_role("button", name="Confirm"))

    await expect(filed).to_contain_text("is filed")
    await expect(filed.get_by_role("button", name="Ask for an update")).to_be_in_viewport()
    assert seat.problems == []


async def _asks(seat: Seat, told: Told, language: str) -> None:
    answer = await seat.say(told.question)
    await expect(answer).to_contain_text(told.answer)
    await picture(seat.page, f"{language}-answer")

    own = answer.locator(".sources li").first.locator("blockquote")
    await expect(own).to_have_count(0)  # the answer has the words already
    await answer.locator("a.cite").first.click()
    await _cited(seat, told.answer)
    await picture(seat.page, f"{language}-source")
    await seat.page.go_back()
    await seat.ready()
    await expect(seat.answers.last).to_contain_text(told.answer)


async def _cited(seat: Seat, words: str) -> None:
    """Check that the page is open at the section, which is marked and holds the words."""
    await expect(seat.page).to_have_url(re.compile(r"/knowledge/page/handbook/.+#.+"))
    section = seat.page.locator("section:target")
    await expect(section).to_be_in_viewport()
    assert _letters(words)[:30] in _letters(await section.inner_text())
    marked = await section.evaluate("element => getComputedStyle(element).borderInlineStartWidth")
    assert marked == "4px"


async def _reports(seat: Seat, told: Told, language: str) -> str:
    draft = await seat.say(told.report)
    await draft.get_by_role("button", name=told.complete).click()
    dialog = seat.page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    await _fill_what_is_missing(dialog, told)
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_be_hidden()

    confirm = seat.page.get_by_role("button", name=told.confirm)
    await expect(confirm).to_be_visible()
    await picture(seat.page, f"{language}-draft")
    await confirm.click()
    filed = seat.answers.filter(has_text=re.compile(rf"TCK-\d{{4}}-\d{{6}}\s*{told.filed}"))
    await expect(filed).to_be_visible()
    await expect(seat.page.get_by_role("button", name=told.confirm)).to_have_count(0)
    found = re.search(r"TCK-\d{4}-\d{6}", await filed.inner_text())
    assert found is not None
    return found[0]


async def _fill_what_is_missing(dialog: Locator, told: Told) -> None:
    for each in await dialog.locator("input[required], textarea[required]").all():
        if not await each.input_value():
            await each.fill(told.location)
    for choice in await dialog.locator("select[required]").all():
        if not await choice.input_value():
            await choice.select_option(index=1)


async def _colleague_resolves(seat: Seat, told: Told, number: str, language: str) -> None:
    await seat.open("/queue")
    row = seat.page.locator("tr", has_text=number)
    await picture(seat.page, f"{language}-queue")
    await row.get_by_role("button", name=told.assign).click()
    await expect(seat.page.get_by_role("status")).to_contain_text(told.done)
    await (
        seat.page.get_by_role("link", name=re.compile("."))
        .and_(seat.page.locator(f'[href="/tickets/{number}"]'))
        .click()
    )
    await seat.page.locator("summary", has_text=told.resolve).click()
    await seat.page.locator("#resolve-text").fill(told.resolution)
    await seat.page.locator('form[action$="/resolve"] button').click()
    await expect(seat.page.locator(".timeline")).to_contain_text(told.resolution)
    assert seat.problems == []


async def _is_told(seat: Seat, told: Told, number: str) -> None:
    notice = seat.answers.filter(has_text=told.resolution)
    await expect(notice.first).to_contain_text(number)
    await expect(notice.first).to_contain_text(told.told)
    await seat.open("/tickets")
    await expect(seat.page.locator("tr", has_text=number)).to_be_visible()


async def _audited(seat: Seat, language: str) -> None:
    await seat.open("/audit")
    for action in ("draft.file", "ticket.assign", "ticket.resolve"):
        await expect(seat.page.get_by_role("cell", name=action, exact=True).first).to_be_visible()
    await seat.page.locator('form[action="/audit/verify"] button').click()
    await expect(seat.page.locator(".done")).to_contain_text("The chain is sound")
    await picture(seat.page, f"{language}-audit")
    assert seat.problems == []


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text)
