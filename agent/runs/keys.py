"""What a run waits for, as one key: whoever brings it finds the run by it."""

from datetime import datetime

from agent.tools.registry import UntilJob, UntilTime

APPROVAL, ANSWER, JOB, TIME = "approval:", "answer:", "job:", "time:"


def wait_key(run_id: str, waits: UntilJob | UntilTime) -> str:
    """Return the key of what a tool waits for."""
    match waits:
        case UntilJob(item=item):
            return f"{JOB}{item}"
        case UntilTime(at=at):
            return f"{TIME}{run_id}:{at.isoformat()}"


def instant_of(key: str) -> datetime:
    """Return the instant of a `time:` key."""
    return datetime.fromisoformat(key.split(":", 2)[2])
