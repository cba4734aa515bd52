"""What has to be true of every question once nothing is on its way any more."""

from collections import defaultdict

from sqlalchemy import text

from storage.database import Database
from tests.slack_desk.traffic import Traffic, seen


def assert_answered_once(traffic: Traffic) -> None:
    """Each question has its own answer, in its thread; nothing else is shown, nothing is half-written."""
    workspace = traffic.slack.workspace
    wrong = {
        asked.berth: [seen(each) for each in traffic.replies(asked.said)]
        for asked in traffic.asked
        if len(traffic.answers_to(asked)) != 1
    }
    assert not wrong, wrong
    shown = [each for channel in workspace.channels for each in workspace.standing(channel)]
    own = [each for each in shown if each.user == workspace.bot.id]
    right = {each.ts for asked in traffic.asked for each in traffic.answers_to(asked)}
    assert not [seen(each) for each in own if each.ts not in right], "something is shown that answers nothing"
    assert not [seen(each) for each in own if not _ended(each.metadata)], "a message is half-written"
    assert not traffic.streaming()


def _ended(metadata: dict[str, object] | None) -> bool:
    payload = (metadata or {}).get("event_payload")
    return isinstance(payload, dict) and "key" in payload and not payload.get("unfinished")


async def assert_order(traffic: Traffic, database: Database) -> None:
    """In each thread the answers stand in the order in which the questions came in."""
    async with database.reading() as session:
        rows = await session.execute(text("SELECT event_id, position FROM bot_inbox"))
        position = {row.event_id: row.position for row in rows}
    threads: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for asked in traffic.asked:
        came = position[f"{asked.said.channel}:{asked.said.ts}"]
        threads[asked.said.channel, asked.said.root].append((came, traffic.answers_to(asked)[0].ts))
    for thread, pairs in threads.items():
        shown = [ts for _, ts in sorted(pairs)]
        assert shown == sorted(shown), thread
