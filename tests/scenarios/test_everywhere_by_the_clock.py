"""What is said by the clock comes to the channel that was named for it, and begins a thread there."""

from datetime import timedelta

import pytest

from adapters.cards import Block, Text
from bot.schedules.jobs import Jobs
from bot.schedules.order import NoSuchChannel
from features.anatomy.reader import Reader
from features.anatomy.schedules import Job
from identity.actor import local_operator
from storage.queue.schedules import At
from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import Story

pytestmark = [on_every_platform, needs("channels")]
MORNING = {"en": "Good morning: the harbour opens at 07:30.", "zh": "早上好：港口七点半开放。"}


async def says(reader: Reader) -> tuple[Block, ...]:
    return (Text(MORNING[reader.language]),)


async def test_a_job_posts_to_the_channel_that_is_named_for_it(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao")
    other = await stage.channels.channel("ada", "bao", "ben")
    await stage.say(told.requester, told.question, other)
    (elsewhere,) = await stage.desk.job_control.channels(local_operator())
    await stage.say(told.requester, told.question, place)
    here = [each for each in await stage.desk.job_control.channels(local_operator()) if each.id != elsewhere.id]
    assert len(here) == 1

    desk, operator, clock = stage.desk, local_operator(), stage.clock
    morning = Job("morning", At(clock.now() + timedelta(seconds=5)), says=says, timezone="Asia/Shanghai")
    jobs = Jobs(desk.database, clock, (morning,), telling=desk.telling)
    await jobs.prepare()
    with pytest.raises(NoSuchChannel):
        await desk.job_control.aim(operator, "morning", f"{here[0].platform}:nowhere")
    await desk.job_control.aim(operator, "morning", here[0].name)
    await jobs.tick()
    clock.skip(6)
    await jobs.tick()
    await jobs.worker.drain_once()
    await stage.settle()

    for person in ("ada", "bao"):
        assert [seen.text.strip() for seen in await stage.channels.begun(person, place)] == [MORNING[told.language]]
    assert await stage.channels.begun("ada", other) == []
    (latest,) = await desk.job_control.history(operator, "morning")
    assert latest.outcome == f"posted to {here[0].name}"


async def test_a_job_without_a_channel_says_so_in_its_history(stage: Stage) -> None:
    desk, operator = stage.desk, local_operator()
    jobs = Jobs(desk.database, stage.clock, (Job("alone", At(stage.clock.now()), says=says),), telling=desk.telling)
    await jobs.prepare()
    while not await desk.job_control.history(operator, "alone"):
        await jobs.tick()
    await jobs.worker.drain_once()

    (latest,) = await desk.job_control.history(operator, "alone")
    assert latest.outcome == "no channel is named for it"
