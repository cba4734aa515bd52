"""What runs by the clock is seen by people, too."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from features.anatomy.schedules import Job, Slot
from features.knowledge.schedules import KEEP_UP, PLAN, VECTORS
from identity.actor import local_operator
from search.access import THREAD_FILES
from search.sync.intake import RUN
from search.sync.store import StoredSource
from storage.clock import ManualClock
from storage.database import Database
from storage.queue import leases, schedules
from storage.queue.schedules import Every, Schedule
from tests.scenarios.world import World, actions, words, world_in
from tickets.config import TicketsConfig

REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."


def job(world: World, name: str) -> Job:
    return next(each for each in world.desk.jobs.table if each.name == name)


async def test_the_card_of_an_expired_draft_loses_its_buttons(tmp_path: Path, database: Database) -> None:
    clock = ManualClock()
    async with world_in(tmp_path, database, clock=clock) as world:
        card = await world.say("ada", REPORT)
        assert "draft.confirm" in actions(card)
        clock.advance(timedelta(days=TicketsConfig().draft_days, seconds=1).total_seconds())
        await job(world, "tickets: expire drafts").work()
        await world.settle("ada")

        shown = world.newest("ada").card
        assert "This draft has expired" in words(shown)
        assert not actions(shown)


async def test_who_made_a_draft_is_told_the_day_before_it_expires_and_once(tmp_path: Path, database: Database) -> None:
    clock = ManualClock()
    async with world_in(tmp_path, database, clock=clock) as world:
        await world.say("ada", REPORT)
        remind = job(world, "tickets: remind of drafts")
        whole = timedelta(days=TicketsConfig().draft_days)

        async def told_after(passed: timedelta) -> int:
            clock.advance(passed.total_seconds())
            for _ in range(2):
                await remind.work()
                await world.settle("ada")
            return sum("expires" in words(post.card) for post in world.all("ada"))

        assert await told_after(whole - timedelta(days=1, hours=1)) == 0
        assert await told_after(timedelta(hours=2)) == 1
        assert await told_after(timedelta(hours=20)) == 1


async def test_what_was_sent_and_taken_out_is_forgotten_and_what_waits_for_vectors_gets_them(
    tmp_path: Path, database: Database
) -> None:
    clock = ManualClock(datetime.now(UTC))
    async with world_in(tmp_path, database, clock=clock) as world:
        operator, search = local_operator(), world.desk.search
        long = "\n\n".join(f"# Part {number}\n\nSentence {number}." for number in range(2 * VECTORS))
        chat = world.chat
        chat.files["long"] = long.encode()
        await chat.send_file("ada", "long.md", "long")
        await world.settle("ada")
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.vectors_pending == VECTORS

        await job(world, "knowledge: make missing vectors").work()
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.vectors_pending == 0

        clock.advance(timedelta(days=8).total_seconds())
        await job(world, "knowledge: forget old files").work()
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.documents == 0


async def reading(database: Database) -> list[Schedule]:
    """Return the schedules of sources."""
    async with database.reading() as session:
        return [each for each in await schedules.everything(session) if each.topic == KEEP_UP]


async def keep_up(world: World) -> list[object]:
    """Have each source read as by the clock; return what came of it."""
    await job(world, f"knowledge: {PLAN}").work()
    (read,) = [feature.slots[KEEP_UP] for feature in world.desk.features if KEEP_UP in feature.slots]
    known = await reading(world.desk.database)
    return [
        await read(Slot(each.name, f"slot {each.name}", each.owner, each.timezone, payload=each.payload))
        for each in known
    ]


async def found(world: World, question: str) -> list[str]:
    """Return the pages that the operator finds."""
    hits = (await world.desk.search.search(local_operator(), question)).hits
    return [hit.document_path for hit in hits]


async def kept(world: World) -> StoredSource:
    (source,) = await world.desk.search.sources(local_operator())
    return source.source


async def test_changed_folders_are_read_by_the_clock(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        crane = tmp_path / "pages" / "crane.md"
        crane.write_text("# Crane\n\nThe harbour crane is inspected every nine weeks.\n", encoding="utf-8")
        await keep_up(world)

        assert (await found(world, "harbour crane inspected"))[0] == "crane.md"
        report = (await kept(world)).report
        assert report is not None
        assert (report.added, report.vectors_pending) == (1, 1)
        (source,) = await world.desk.search.sources(local_operator())
        assert source.statistics.vectors_pending == 0

        (tmp_path / "pages" / "closed.md").write_text("---\ntitle: [x\n---\n# Closed\n", encoding="utf-8")
        await keep_up(world)
        await keep_up(world)
        report = (await kept(world)).report
        assert report is not None
        assert [problem.path for problem in report.problems] == ["closed.md"]  # what nobody mended is told by each run

        crane.unlink()
        await keep_up(world)
        await keep_up(world)
        assert "crane.md" not in await found(world, "harbour crane inspected")
        acts = await world.desk.audit.entries(local_operator(), action="knowledge.index")
        by_the_clock = [act for act in acts if act.actor_id == f"system:{KEEP_UP}"]
        assert len(by_the_clock) == 3  # what changed nothing is not written down


async def test_a_folder_that_is_away_is_told_and_its_pages_stay(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        (tmp_path / "pages" / "closed.md").write_text("---\ntitle: [x\n---\n# Closed\n", encoding="utf-8")
        await keep_up(world)
        read_at = (await kept(world)).synced_at
        (tmp_path / "pages").rename(tmp_path / "away")
        await keep_up(world)

        source = await kept(world)
        assert source.report is not None
        assert "does not exist; its pages were kept" in source.report.problems[0].what
        assert source.synced_at == read_at
        assert "vpn.md" in await found(world, "VPN session")

        (tmp_path / "away").rename(tmp_path / "pages")
        await keep_up(world)
        report = (await kept(world)).report
        assert report is not None
        assert [problem.path for problem in report.problems] == ["closed.md"]


async def test_nothing_is_read_while_another_process_reads(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        (tmp_path / "pages" / "crane.md").write_text("# Crane\n\nNine weeks.\n", encoding="utf-8")
        async with database.transaction() as session:
            lease = await leases.acquire(session, name=RUN, owner="another process", ttl_s=60)
        assert lease is not None
        await keep_up(world)
        assert "crane.md" not in await found(world, "crane")

        async with database.transaction() as session:
            await leases.release(session, lease)
        await keep_up(world)
        assert "crane.md" in await found(world, "crane")


async def test_each_source_has_a_time_of_its_own_until_it_is_removed(tmp_path: Path, database: Database) -> None:
    clock = ManualClock(datetime.now(UTC))
    async with world_in(tmp_path, database, clock=clock) as world:
        operator, search = local_operator(), world.desk.search
        wiki = tmp_path / "wiki"
        wiki.mkdir()
        (wiki / "kiln.md").write_text("# Kiln\n\nThe kiln is fired on Tuesdays.\n", encoding="utf-8")
        await search.add_folder(operator, wiki)
        await job(world, f"knowledge: {PLAN}").work()
        planned = {each.name: each for each in await reading(database)}
        assert {each.trigger for each in planned.values()} == {Every(15 * 60)}
        assert sorted(each.next_at - clock.now() for each in planned.values() if each.next_at) == [
            timedelta(0),
            timedelta(minutes=7.5),
        ]

        assert await keep_up(world) == ["0 added, 0 changed, 0 removed"] * 2
        await search.remove(operator, "wiki")
        await job(world, f"knowledge: {PLAN}").work()
        assert [each.name for each in await reading(database)] == ["read pages"]


async def test_without_minutes_no_source_is_read_by_the_clock(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database, settings={"search": {"refresh_minutes": 0}}) as world:
        assert await keep_up(world) == []
