"""A run that goes on is an entry of the inbox: in its thread's line, and taken again when its worker dies."""

from collections.abc import Mapping

from agent.runs.run import Run
from bot.delivery.events import Due, dump_event, event_line, event_topic
from storage.database import Session
from storage.queue import work as queue


async def wake(session: Session, run: Run) -> bool:
    """Have a run go on once this transaction is committed; False when it was asked where nobody hears back."""
    origin = run.record.get("origin")
    envelope = origin.get("address") if isinstance(origin, Mapping) else None
    platform = envelope.get("platform") if isinstance(envelope, Mapping) else None
    if not isinstance(envelope, Mapping) or not isinstance(platform, str) or not platform:
        return False
    due = Due(run.id, run.waits_for.partition(":")[2], envelope)
    return await queue.enqueue(
        session,
        topic=event_topic(platform),
        payload={"kind": "due", "thread": run.thread, "event": dump_event(due)},
        key=f"due:{run.id}:{due.approval_id}",
        line=event_line(platform, run.thread),
        kind="in",
    )
