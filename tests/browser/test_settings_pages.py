"""The pages of personal settings, channels and jobs, and a digest made by words, as people use them in a browser."""

import pytest
from playwright.async_api import Locator, expect

from bot.compose.desk import Desk
from bot.delivery.channel_store import Channel, channel_at, remember_channel
from features.anatomy.channels import MANAGE
from identity.actor import local_operator
from identity.permissions import AnyPermission, Permission
from identity.policy import decide
from storage.queue.schedules import Schedule
from tests.browser.house import House, Seat
from tests.browser.pictures import picture

pytestmark = pytest.mark.browser

VIEW = {"width": 1280, "height": 900}
JOB = "expire approvals"


async def who_may(desk: Desk, permission: AnyPermission) -> str:
    """Return the id of somebody of the sample company who may do that."""
    return next(each.id for each in await desk.directory.people() if decide(each, permission).allowed)


async def job(desk: Desk, name: str) -> Schedule:
    """Return a job as it stands now."""
    known = await desk.job_control.everything(local_operator())
    return next(each.schedule for each in known if each.schedule.name == name)


async def test_personal_settings_are_saved_refused_with_a_reason_and_kept(demo: House) -> None:
    seat = await demo.seat("ada", viewport=VIEW)
    await seat.open("/settings")
    page = seat.page
    await page.get_by_label("Quiet hours").fill("whenever")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("#quiet")).to_have_attribute("aria-invalid", "true")
    await expect(page.locator("#quiet")).to_have_value("whenever")
    await picture(page, "settings-en-refused")
    await page.locator("#quiet").fill("20:00-07:30")
    await page.locator("#timezone").fill("Europe/London")
    await page.locator("#language").select_option("zh")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    await expect(page.locator("#timezone")).to_have_value("Europe/London")
    await expect(page.locator("#quiet")).to_have_value("20:00–07:30")
    await picture(page, "settings-zh")
    ada = await demo.desk.people.named("ada")
    assert (ada.language, ada.timezone) == ("zh", "Europe/London")
    assert ada.preferences.quiet is not None
    assert seat.problems == []


async def test_what_the_desk_remembers_is_forgotten_by_a_press(demo: House) -> None:
    seat = await demo.seat("ada", viewport=VIEW)
    await seat.say("How long may I keep a loan laptop?")
    await seat.open("/settings")
    forget = seat.page.locator("form[action='/settings/forget'] button")
    await forget.click()
    await expect(forget).to_have_count(0)
    assert seat.problems == []


async def test_a_job_is_paused_resumed_and_run_and_its_history_is_shown(demo: House) -> None:
    seat = await demo.seat(await who_may(demo.desk, Permission.JOBS_MANAGE), viewport=VIEW)
    await seat.open("/jobs")
    await picture(seat.page, "jobs-en")
    row = _row(seat, JOB)
    await row.get_by_role("button", name="Pause").click()
    await expect(_row(seat, JOB).locator(".badge")).to_be_visible()
    assert (await job(demo.desk, JOB)).paused
    await _row(seat, JOB).get_by_role("button", name="Resume").click()
    await expect(_row(seat, JOB).get_by_role("button", name="Pause")).to_be_visible()
    assert not (await job(demo.desk, JOB)).paused
    await _row(seat, JOB).get_by_role("button", name="Run").click()
    await _row(seat, JOB).get_by_role("link").click()
    await expect(seat.page.locator("table.list tbody tr").first).to_be_visible()
    await picture(seat.page, "jobs-en-history")
    assert seat.problems == []


async def test_a_digest_is_made_by_words_and_stands_among_the_jobs(demo: House) -> None:
    seat = await demo.seat("ada", viewport=VIEW)
    asked = await seat.say("Send me a digest of new tickets every Monday at 9:00")
    await picture(seat.page, "digest-en-asked")
    await asked.get_by_role("button", name="Confirm").click()
    await expect(seat.page.get_by_role("button", name="Confirm")).to_have_count(0)
    await expect(seat.page.locator("#chat")).to_contain_text("every Monday at 09:00")
    await picture(seat.page, "digest-en-made")
    manager = await demo.seat(await who_may(demo.desk, Permission.JOBS_MANAGE), viewport=VIEW)
    await manager.open("/jobs")
    ordered = manager.page.locator("section[aria-labelledby=ordered] table")
    await expect(ordered).to_contain_text("Ada")
    await picture(manager.page, "jobs-en-digests")
    assert seat.problems == manager.problems == []


async def test_a_channel_is_set_on_its_page(demo: House) -> None:
    known = Channel("slack", "C1", {"user": "U1", "kind": "channel"}, "en", demo.desk.clock.now())
    async with demo.desk.database.transaction() as session:
        await remember_channel(session, known)
    seat = await demo.seat(await who_may(demo.desk, MANAGE), viewport=VIEW)
    await seat.open("/channels")
    panel = seat.page.locator("section.panel").first
    await panel.locator("summary").click()
    await panel.locator("select[name=mode]").select_option("quiet")
    await panel.locator("select[name=language]").select_option("zh")
    box = panel.get_by_role("checkbox").first
    size = await box.bounding_box()
    assert size is not None
    assert size["width"] < 40  # a box beside its words, not a line of its own
    await picture(seat.page, "channels-en-form")
    await box.scroll_into_view_if_needed()
    await picture(seat.page, "channels-en-boxes")
    await panel.get_by_role("button", name="Save").click()
    await expect(seat.page.locator("section.panel").first).to_contain_text("only when I am named")
    await picture(seat.page, "channels-en")
    async with demo.desk.database.reading() as session:
        kept = await channel_at(session, known.target)
    assert kept is not None
    assert kept.language == "zh"
    other = await demo.seat("ada")
    refused = await other.page.goto(f"{demo.url}/channels")
    assert refused is not None
    assert refused.status == 403
    assert seat.problems == []


def _row(seat: Seat, name: str) -> Locator:
    return seat.page.locator("section[aria-labelledby=own] tr").filter(
        has=seat.page.locator(f"input[name=name][value='{name}']")
    )
