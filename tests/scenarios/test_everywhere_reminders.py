"""Reminders: said in words, read back, undone, changed, delivered at their time, put off and done."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.schedules.control import JobStatus
from features.anatomy.planned import in_words
from features.reminders.reminder import TOPIC
from identity.actor import local_operator
from language.planning.plans import Once
from tests.scenarios.everywhere import on_every_platform
from tests.scenarios.platforms import MAIN, Place, Seen
from tests.scenarios.stage import Stage
from tests.scenarios.story import ENGLISH

BERLIN, SHANGHAI = "Europe/Berlin", "Asia/Shanghai"


def at(stage: Stage, zone: str, *, minutes: int) -> str:
    """Return how a time that comes in so many minutes is read back, in English or, for Shanghai, in Chinese."""
    wall = (stage.clock.now() + timedelta(minutes=minutes)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return in_words(Once(wall), "zh" if zone == SHANGHAI else "en", zone)


async def pass_by(stage: Stage, minutes: float) -> None:
    """Let time pass; the clock's own tick, a second after, may not have seen the new schedule yet."""
    await stage.settle()
    await stage.desk.jobs.tick()
    stage.clock.skip(minutes * 60)
    await stage.desk.jobs.tick()


async def later(stage: Stage, person: str, minutes: float, place: Place = MAIN) -> Seen:
    """Let time pass, and return what a person is newly shown."""
    before = await stage.read(person, place)
    await pass_by(stage, minutes)
    return await stage.news(person, place, before=before)


async def kept(stage: Stage) -> list[JobStatus]:
    """Return the schedules of reminders, as who runs the desk sees them."""
    found = await stage.desk.job_control.everything(local_operator())
    return [each for each in found if each.schedule.topic == TOPIC]


@on_every_platform
async def test_it_is_read_back_and_comes_at_its_time(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 90 minutes to renew the certificate")
    assert "renew the certificate" in set_.text
    assert at(stage, BERLIN, minutes=90) in set_.text

    told = await later(stage, "ada", 91)
    assert "renew the certificate" in told.text
    assert ENGLISH.says("reminder.late", when="").split(":")[0] not in told.text
    assert ENGLISH.says("reminder.button.hour") in told.labels
