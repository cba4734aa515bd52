"""What happens by the clock, as a page: who sees it, what it says, what its buttons do."""

import pytest

from bot.delivery.channel_store import Channel, remember_channel
from bot.rendering.texts.catalogue import say
from bot.schedules.triggers import first_slot
from identity.actor import local_operator
from storage.queue import schedules
from storage.queue.schedules import Cron, Schedule
from tests.console.site import Site

CRON = Schedule(
    "digest of the day",
    "nobody",
    Cron("30 7 * * 1-5"),
    timezone="Asia/Shanghai",
    target={"platform": "slack", "channel": "C0"},
)


async def jobs_of(site: Site) -> dict[str, Schedule]:
    return {each.schedule.name: each.schedule for each in await site.desk.job_control.everything(local_operator())}


@pytest.mark.parametrize("person", ["ada", "ben"])
async def test_who_may_not_manage_jobs_neither_sees_nor_orders_them(desk_site: Site, person: str) -> None:
    await desk_site.desk.jobs.prepare()
    browser = await desk_site.browser(person)

    assert "/jobs" not in (await browser.get("/")).links
    assert (await browser.get("/jobs")).status == 403
    assert (await browser.get("/jobs/history?name=expire+approvals")).status == 403
    assert (await browser.post("/jobs/pause", {"name": "expire approvals"})).status_code == 403
    assert not (await jobs_of(desk_site))["expire approvals"].paused


async def test_a_job_is_paused_resumed_and_run_from_its_page(desk_site: Site) -> None:
    await desk_site.desk.jobs.prepare()
    browser, name = await desk_site.browser("cleo"), {"name": "tickets: expire drafts"}
    page = await browser.get("/jobs")
    assert "every 5 min" in page.text
    assert say("en", "console.jobs.never") in page.text

    assert (await browser.post("/jobs/pause", name)).headers["location"] == "/jobs?done=job_pause"
    assert (await jobs_of(desk_site))["tickets: expire drafts"].paused
    assert "paused" in (await browser.get("/jobs")).text
    await browser.post("/jobs/resume", name)
    await browser.post("/jobs/run", name)
    await desk_site.desk.jobs.worker.drain_once()
    history = await browser.get("/jobs/history?name=tickets:+expire+drafts")
    assert "<td>done</td>" in history.html

    actions = [each.action for each in await desk_site.desk.audit.entries(local_operator())]
    assert {"job.pause", "job.resume", "job.run"} <= set(actions)


async def test_a_write_without_the_token_changes_nothing(desk_site: Site) -> None:
    await desk_site.desk.jobs.prepare()
    browser = await desk_site.browser("cleo")

    assert (await browser.post("/jobs/pause", {"name": "expire approvals", "csrf": "x"})).status_code == 403
    assert not (await jobs_of(desk_site))["expire approvals"].paused


async def test_the_next_time_stands_in_the_zone_of_the_job(desk_site: Site) -> None:
    following = first_slot(CRON.trigger, CRON.timezone, desk_site.desk.clock.now())
    assert following is not None
    async with desk_site.desk.database.transaction() as session:
        await schedules.put(session, CRON)
        await schedules.advance(session, CRON, following)
    page = await (await desk_site.browser("cleo")).get("/jobs")
    assert "07:30 (Asia/Shanghai)" in page.text
    assert "cron 30 7 * * 1-5" in page.text


async def test_a_channel_is_named_for_what_a_job_says(desk_site: Site) -> None:
    desk = desk_site.desk
    channel = Channel("slack", "C1", {"user": "U1", "kind": "channel"}, "en", desk.clock.now())
    async with desk.database.transaction() as session:
        await schedules.put(session, CRON)
        await remember_channel(session, channel)
    browser = await desk_site.browser("cleo")
    assert "slack:C1" in (await browser.get("/jobs")).html

    assert (await browser.post("/jobs/target", {"name": CRON.name, "channel": "slack:C2"})).status_code == 404
    await browser.post("/jobs/target", {"name": CRON.name, "channel": "slack:C1"})
    assert (await jobs_of(desk_site))[CRON.name].target == channel.target
    assert "Posts to slack:C1" in (await browser.get("/jobs")).text
    await browser.post("/jobs/target", {"name": CRON.name, "channel": ""})
    assert (await jobs_of(desk_site))[CRON.name].target is None


@pytest.mark.parametrize("path", ["/jobs/history?name=nobody"])
async def test_a_job_that_is_not_there_has_no_page(desk_site: Site, path: str) -> None:
    browser = await desk_site.browser("cleo")

    assert (await browser.get(path)).status == 404
    assert (await browser.post("/jobs/run", {"name": "nobody"})).status_code == 404
    assert (await browser.post("/jobs/dance", {"name": "expire approvals"})).status_code == 404
