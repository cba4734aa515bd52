"""What has to be true of every question once nothing is on its way any more."""

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import text

from storage.database import Database
from tests.desks.traffic import Traffic


def assert_answered_once(traffic: Traffic, *, unknown: Collection[str] = ()) -> int:
    """Each question has its own answer, in its thread; nothing else is shown, nothing is half-written.

    `unknown`: ids of messages that the desk cannot know of, where a platform cannot be asked what it shows. One of
    those may stand beside the answer; how many do is returned.
    """
    wrong = {}
    for asked in traffic.asked:
        shown = traffic.answers_to(asked)
        known = [each for each in shown if each.id not in unknown]
        if len(known or shown) != 1:
            wrong[asked.berth] = [each.text for each in traffic.floor.replies(asked.said)]
    assert not wrong, wrong
    everything = traffic.floor.everything()
    right = {each.id for asked in traffic.asked for each in traffic.answers_to(asked)}
    assert not [each.text for each in everything if each.id not in {*right, *unknown}], "it answers nothing"
    assert not [each.text for each in everything if not each.finished and each.id not in unknown], "it is half-written"
    assert not traffic.streaming()
    return len(everything) - len(traffic.asked)


async def assert_order(traffic: Traffic, database: Database) -> None:
    """In each thread the answers stand in the order in which the questions came in."""
    async with database.reading() as session:
        rows = await session.execute(text("SELECT event_id, position FROM bot_inbox"))
        position = {row.event_id: row.position for row in rows}
    threads: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for asked in traffic.asked:
        threads[asked.said.thread].append((position[asked.said.event_id], traffic.answers_to(asked)[0].id))
    for thread, pairs in threads.items():
        shown = [id_ for _, id_ in sorted(pairs)]
        assert shown == sorted(shown), thread
