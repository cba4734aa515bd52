"""A run that goes on is an entry of the inbox: in its thread's line, and taken again when its worker dies."""

from collections.abc import Mapping

from agent.runs.run import Run
from bot.delivery.events import Due, dump_event, event_line, event_topic
from storage.database import Session
from storage.ids import JsonObject
from storage.queue import work as queue


async def wake(session: Session, run: Run, place: JsonObject | None) -> bool:
    """Have a run go on once this transaction is committed; False when nobody would hear of its end.

    A typed command has no place where it was asked: its end is told at `place`, to the asker alone.
    """
    origin = run.record.get("origin")
    asked = origin.get("address") if isinstance(origin, Mapping) else None
    for envelope in (asked, place):
        if not isinstance(envelope, Mapping) or not envelope.get("platform") or not envelope.get("address"):
            continue
        platform = str(envelope["platform"])
        due = Due(run.id, run.waits_for, envelope, privately=envelope is not asked)
        return await queue.enqueue(
            session,
            topic=event_topic(platform),
            payload={"kind": "due", "thread": run.thread, "event": dump_event(due)},
            key=f"due:{run.id}:{due.waits_for}",
            line=event_line(platform, run.thread),
            kind="in",
        )
    return False
