"""What has to be true of every question once nothing is on its way any more."""

from collections import defaultdict

from sqlalchemy import text

from storage.database import Database
from tests.desks.traffic import Traffic


def assert_answered_once(traffic: Traffic) -> None:
    """Each question has its own answer, in its thread; nothing else is shown, nothing is half-written."""
    wrong = {
        asked.berth: [each.text for each in traffic.floor.replies(asked.said)]
        for asked in traffic.asked
        if len(traffic.answers_to(asked)) != 1
    }
    assert not wrong, wrong
    everything = traffic.floor.everything()
    right = {each.id for asked in traffic.asked for each in traffic.answers_to(asked)}
    odd = [each for each in everything if each.id not in right]
    assert not odd, f"shown, and an answer to nothing: {odd}"
    assert not [each.text for each in everything if not each.finished], "a message is half-written"
    assert not traffic.streaming()


async def assert_order(traffic: Traffic, database: Database) -> None:
    """In each thread the answers stand in the order in which the questions came in."""
    async with database.reading() as session:
        rows = await session.execute(text("SELECT key, sequence FROM storage_queue WHERE id LIKE 'in_%'"))
        position = {row.key.split(":", 2)[2]: row.sequence for row in rows}
    threads: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for asked in traffic.asked:
        threads[asked.said.thread].append((position[asked.said.event_id], traffic.answers_to(asked)[0].id))
    for thread, pairs in threads.items():
        shown = [id_ for _, id_ in sorted(pairs)]
        assert shown == sorted(shown), thread
