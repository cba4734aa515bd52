"""What people choose for themselves: quiet hours in any zone, and how it is laid over what else is known of them."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from identity.actor import Actor, Preferences, QuietHours
from identity.directory import Directory
from storage.clock import ManualClock
from storage.database import Database

ZONES = ("UTC", "Europe/Amsterdam", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu")
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
INSTANTS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001


@given(TIMES, TIMES, INSTANTS, st.sampled_from(ZONES))
def test_quiet_hours_end_later_and_then_it_is_not_quiet_for_long(
    begin: time, end: time, now: datetime, zone: str
) -> None:
    quiet = QuietHours(begin, end)
    ends = quiet.end_after(now, zone)
    if ends is None:
        local = now.astimezone(ZoneInfo(zone)).time()
        assert begin == end or not (begin <= local < end)
        return
    assert now < ends <= now + timedelta(hours=26)
    # A change of the clocks may put the same local times there twice: after the second end it is over.
    again = quiet.end_after(ends, zone)
    assert again is None or again - ends <= timedelta(hours=1)


def test_quiet_hours_over_midnight() -> None:
    quiet = QuietHours(time(20), time(7))
    assert quiet.end_after(datetime(2026, 11, 24, 20, 30, tzinfo=UTC), "Europe/Amsterdam") == datetime(
        2026, 11, 25, 6, tzinfo=UTC
    )
    assert quiet.end_after(datetime(2026, 11, 24, 5, 59, tzinfo=UTC), "Europe/Amsterdam") == datetime(
        2026, 11, 24, 6, tzinfo=UTC
    )
    assert quiet.end_after(datetime(2026, 11, 24, 6, tzinfo=UTC), "Europe/Amsterdam") is None


async def test_what_is_chosen_is_known_to_every_replica_after_a_moment(database: Database, tmp_path: Path) -> None:
    people = tmp_path / "people.yaml"
    people.write_text("people:\n- {id: ada, name: Ada Adler, timezone: Europe/Berlin}\n", encoding="utf-8")
    clock = ManualClock()
    here, there = (Directory(database, people, clock) for _ in range(2))
    ada = await there.person("ada")
    assert (ada.timezone, ada.language) == ("Europe/Berlin", "en")

    chosen = Preferences(language="zh", timezone="Asia/Shanghai", quiet=QuietHours(time(20), time(7)), way="mail")
    changed = await here.prefer(await here.person("ada"), chosen)
    assert (changed.timezone, changed.language, changed.preferences) == ("Asia/Shanghai", "zh", chosen)
    clock.advance(2)
    assert await there.person("ada") == changed
    assert (await there.people()) == (changed,)

    await here.prefer(changed, Preferences())
    assert await here.person("ada") == ada


def test_what_nobody_chose_stays() -> None:
    ada = Actor(id="ada", name="Ada", language="zh", timezone="Asia/Shanghai")
    chosen = ada.preferring(Preferences(way="mail"))
    assert (chosen.language, chosen.timezone) == ("zh", "Asia/Shanghai")
