"""What the inbox and the outbox held before there was one queue is worked off, or still known, after the upgrade."""

import json
from datetime import UTC, datetime
from typing import Any

from alembic import command
from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from bot.compose import migrate
from bot.delivery.events import event_key, event_line, event_topic, withdrawal_topic
from storage.database import Database
from storage.queue import work
from storage.queue.tables import QueueTable
from tests.migrations.test_migrations import within

AT = datetime(2026, 3, 1, 8, tzinfo=UTC)
POST = {"platform": "web", "address": {}, "card": {"blocks": []}}
#: key, line, state
OUTBOX = (
    ("reply:1", "thread-1", "sent"),
    ("reply:2", "thread-1", "pending"),
    ("notice:3", "", "dead"),
)
#: platform, event id, thread, kind, state, outcome
INBOX = (
    ("web", "E1", "t1", "message", "done", "answered"),
    ("web", "E2", "t1", "message", "pending", None),
    ("slack", "E3", "t2", "withdrawn", "working", None),
)


def fill(connection: Connection) -> None:
    """Put rows into the tables as revision 0010 has them."""
    sqlite = connection.dialect.name == "sqlite"
    at: Any = AT.strftime("%Y-%m-%d %H:%M:%S.%f") if sqlite else AT
    for key, line, state in OUTBOX:
        finished = None if state == "pending" else at
        connection.execute(
            text(
                "INSERT INTO storage_outbox (id, key, topic, line, payload, state, attempt, failures, not_before,"
                " finished_at, priority) VALUES (:id, :key, 'post:web', :line, :payload, :state, 1, 0, :at, :end, 0)"
            ),
            {"id": f"out-{key}", "key": key, "line": line, "payload": json.dumps(POST), "state": state, "at": at,
             "end": finished},
        )  # fmt: skip
    for number, (platform, event, thread, kind, state, outcome) in enumerate(INBOX, start=1):
        connection.execute(
            text(
                "INSERT INTO bot_inbox (position, id, platform, event_id, thread, kind, payload, received_at, state,"
                " attempts, outcome, finished_at) VALUES (:position, :id, :platform, :event, :thread, :kind, :payload,"
                " :at, :state, 1, :outcome, :end)"
            ),
            {"position": number, "id": f"in-{event}", "platform": platform, "event": event, "thread": thread,
             "kind": kind, "payload": json.dumps({"text": event}), "at": at, "state": state, "outcome": outcome,
             "end": at if outcome else None},
        )  # fmt: skip
    connection.execute(
        text("INSERT INTO storage_jobs (name, next_run, fence) VALUES ('expire drafts', :at, 7)"), {"at": at}
    )


async def test_rows_of_the_inbox_and_the_outbox_survive_the_upgrade(bare_database_url: str) -> None:
    database = Database(bare_database_url)
    await within(database, lambda connection: command.upgrade(migrate.configuration(connection), "0010"))
    await within(database, fill)
    await migrate.upgrade(database)

    async with database.reading() as session:
        rows = {row.key: row for row in await session.scalars(select(QueueTable))}
        session.expunge_all()
        took_part = await work.was_promised(session, line=event_line("web", "t1"), topic=event_topic("web"))
    states = {key: row.state for key, row in rows.items()}
    assert states == {
        "reply:1": "done", "reply:2": "open", "notice:3": "dead",
        event_key("web", "E1"): "done", event_key("web", "E2"): "open", event_key("slack", "E3"): "open",
    }  # fmt: skip
    assert took_part
    assert (rows["reply:2"].topic, rows["reply:2"].line, rows["reply:2"].payload) == ("post:web", "thread-1", POST)
    waiting = rows[event_key("web", "E2")]
    assert waiting.payload == {"kind": "message", "thread": "t1", "event": {"text": "E2"}}
    assert (waiting.topic, waiting.line) == (event_topic("web"), event_line("web", "t1"))
    assert rows[event_key("slack", "E3")].topic == withdrawal_topic("slack")
    assert rows[event_key("web", "E1")].outcome == "answered"

    async with database.transaction() as session:  # what is delivered again is known
        again = [
            await work.enqueue(session, topic="post:web", payload={}, key=key)
            for key in ("reply:1", event_key("web", "E1"))
        ]
    assert again == [False, False]
    await database.close()
