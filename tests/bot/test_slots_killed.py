"""kill -9 while slots come and are worked on: each happens as its policy says, none is lost, none is made twice."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.compose import migrate
from storage.database import Database
from storage.queue import schedules, work
from storage.queue.schedules import CatchUp, Every, Schedule
from tests import postgresql
from tests.processes import keep_running
from tests.run_servers import RUN, ServerUnavailable
from tests.scale import scaled

PROCESS = "tests.bot.slot_process"
REPLICAS = 2


@pytest.mark.parametrize(("catch_up", "late", "expected"), [("all", 0, 6), ("once", 0, 1), ("skip", 600, 0)])
async def test_a_slot_survives_kill_9(
    database: Database, database_url: str, tmp_path: Path, catch_up: str, late: int, expected: int
) -> None:
    """Replicas tick together and die; six slots of a day ago to just now have passed (or all, `late` seconds ago)."""
    effects = tmp_path / "effects.txt"
    effects.touch()
    day = timedelta(days=1)
    first = datetime.now(UTC) - 5 * day - timedelta(seconds=late)
    plan = Schedule("note", "note", Every(day.total_seconds()), catch_up=CatchUp(catch_up), next_at=first)
    async with database.transaction() as session:
        await schedules.put(session, plan)

    def arguments(replica: int) -> Callable[[int], list[str]]:
        def of(kills: int) -> list[str]:
            chance = 0.25 if kills < scaled(20, least=2) else 0.0
            return [database_url, "--effects", str(effects), "--chance", str(chance), "--seed", f"{replica}{kills}"]

        return of

    kills = await asyncio.gather(*(keep_running(PROCESS, arguments(replica)) for replica in range(REPLICAS)))

    async with database.reading() as session:
        records = await work.records(session, line=plan.line, limit=100)
        known = await schedules.find(session, "note")
    happened = Counter(effects.read_text().split())
    newest = [first + number * day for number in range(6)][6 - expected :]
    assert {each.key for each in records} == {f"schedule:note:{slot.isoformat()}" for slot in newest}
    assert [each.state for each in records] == ["done"] * expected
    assert set(happened) == {each.key for each in records}
    assert sum(happened.values()) <= expected + sum(kills)  # a slot is done again only where its process was killed
    assert known is not None
    assert known.next_at == first + 6 * day


@pytest.fixture
def restarted(request: pytest.FixtureRequest) -> Iterator[tuple[str, Callable[[], None]]]:
    """Return the URL of a PostgreSQL of this test's own, and what ends it at once and starts it again."""
    run = request.config.stash[RUN]
    directory = run.folder / f"restarted-{run.worker}"
    directory.mkdir(mode=0o755)
    try:
        server = postgresql.own_server(directory)
    except ServerUnavailable as problem:
        pytest.skip(f"no PostgreSQL: {problem}")
    running = [server.begin()]

    def restart() -> None:
        running.pop().stop()
        running.append(server.begin())

    yield f"postgresql+psycopg://postgres@/postgres?host={server.socket}", restart
    running.pop().stop()


async def test_slots_survive_kills_and_a_restart_of_postgresql(
    restarted: tuple[str, Callable[[], None]], tmp_path: Path
) -> None:
    """Three replicas, one with a clock two seconds ahead; the server ends in the middle and comes back."""
    url, restart = restarted
    effects = tmp_path / "effects.txt"
    effects.touch()
    database, day = Database(url), timedelta(days=1)
    await migrate.upgrade(database)
    first = datetime.now(UTC) - (SLOTS_EACH - 1) * day
    plans = [Schedule(f"note{number}", "note", Every(day.total_seconds()), next_at=first) for number in range(PLANS)]
    async with database.transaction() as session:
        for plan in plans:
            await schedules.put(session, replace(plan, catch_up=CatchUp.ALL))
    await database.close()

    def arguments(replica: int) -> Callable[[int], list[str]]:
        def of(kills: int) -> list[str]:
            chance = 0.15 if kills * 3 < KILLS else 0.0
            common = [url, "--effects", str(effects), "--seed", f"{replica}{kills}", "--chance", str(chance)]
            return [*common, "--skew", "2" if replica == 0 else "0"]

        return of

    async def interrupt() -> None:
        while not effects.read_text():  # noqa: ASYNC110 - other processes write it
            await asyncio.sleep(0.05)
        await asyncio.to_thread(restart)

    *kills, _ = await asyncio.gather(*(keep_running(PROCESS, arguments(replica)) for replica in range(3)), interrupt())

    happened = Counter(effects.read_text().split())
    slots = {f"schedule:{plan.name}:{(first + n * day).isoformat()}" for plan in plans for n in range(SLOTS_EACH)}
    assert set(happened) == slots
    # Done again only where a process was killed, or where its end could not be written while the server was away.
    assert sum(happened.values()) <= len(slots) + sum(kill or 0 for kill in kills) + 4 * 3
    database = Database(url)
    async with database.reading() as session:
        records = [each for plan in plans for each in await work.records(session, line=plan.line, limit=100)]
    await database.close()
    assert {each.key for each in records if each.state == "done"} == slots


PLANS, KILLS = 6, scaled(15, least=3)
SLOTS_EACH = scaled(12, least=2)


async def test_many_slots_survive_kills_a_clock_that_is_ahead_and_lost_connections(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    """Three replicas on PostgreSQL, two on SQLite; one is two seconds ahead, and every connection is cut once."""
    effects = tmp_path / "effects.txt"
    effects.touch()
    day, now = timedelta(days=1), datetime.now(UTC)
    first = now - (SLOTS_EACH - 1) * day
    plans = [Schedule(f"note{number}", "note", Every(day.total_seconds()), next_at=first) for number in range(PLANS)]
    async with database.transaction() as session:
        for plan in plans:
            await schedules.put(session, replace(plan, catch_up=CatchUp.ALL))
    replicas = 2 if database.dialect == "sqlite" else 3

    def arguments(replica: int) -> Callable[[int], list[str]]:
        def of(kills: int) -> list[str]:
            chance = 0.15 if kills * replicas < KILLS else 0.0
            skew = "2" if replica == 0 else "0"
            common = [database_url, "--effects", str(effects), "--seed", f"{replica}{kills}"]
            return [*common, "--chance", str(chance), "--skew", skew]

        return of

    async def cut() -> None:
        while not effects.read_text():  # noqa: ASYNC110 - other processes write it
            await asyncio.sleep(0.05)
        async with database.transaction() as session:
            everybody = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            await session.execute(text(f"{everybody} AND pid <> pg_backend_pid()"))

    cutting = asyncio.create_task(cut()) if replicas > 2 else None
    kills = await asyncio.gather(*(keep_running(PROCESS, arguments(replica)) for replica in range(replicas)))
    if cutting is not None:
        await cutting

    happened = Counter(effects.read_text().split())
    for plan in plans:
        async with database.reading() as session:
            records = await work.records(session, line=plan.line, limit=100)
        expected = {f"schedule:{plan.name}:{(first + number * day).isoformat()}" for number in range(SLOTS_EACH)}
        assert {each.key for each in records} == expected
        assert {each.state for each in records} == {"done"}
        assert expected <= set(happened)
    assert len(happened) == PLANS * SLOTS_EACH
    assert sum(kills) >= KILLS
    assert sum(happened.values()) <= len(happened) + sum(kills) + 4 * replicas * (cutting is not None)
