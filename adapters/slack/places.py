"""Where the desk writes, what it left open there, and the mark by which it finds its messages again."""

from dataclasses import dataclass
from typing import Any

#: Of the metadata of every message; the key in it is the outbox's.
EVENT_TYPE = "dutydesk_post"
#: The status line of a stream.
TASK = "work"

Json = dict[str, Any]


def mark(key: str, *, unfinished: bool = False) -> Json:
    """Return the metadata by which a post is found again."""
    return {"event_type": EVENT_TYPE, "event_payload": {"key": key} | ({"unfinished": True} if unfinished else {})}


@dataclass(frozen=True)
class Place:
    """Where a text is shown, and to whom; `thread_ts` "" is the conversation itself."""

    channel: str
    thread_ts: str = ""
    asked_ts: str = ""
    user: str = ""
    user_team: str = ""

    @property
    def line(self) -> str:
        """Return the name under which calls of this thread keep their order."""
        return f"{self.channel}:{self.thread_ts}"

    @property
    def direct(self) -> bool:
        """Return whether this is a direct message."""
        return self.channel.startswith("D")


@dataclass(frozen=True)
class Begun:
    """What is left to be ended: the message, and the Markdown that it shows for certain (None: not for certain)."""

    ts: str
    streaming: bool
    shown: str | None = None
    task: str = ""
    lost: bool = False  # something may have been opened whose `ts` never came back


def finished(task: str) -> list[Json]:
    """Return the chunks that end the status line of a stream; none where none was shown."""
    return [{"type": "task_update", "id": TASK, "title": task, "status": "complete"}] if task else []
