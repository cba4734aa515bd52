"""The states of an agent's session in a thread."""

from tests.fakes.slack.errors import invalid

SESSION_STATUSES = ("active", "closed", "processing", "suspended")


def check_session_status(status: str) -> str:
    """Return the status of a session, refused unless it is one of the four."""
    if status not in SESSION_STATUSES:
        raise invalid("invalid_arguments", f"status must be one of {', '.join(SESSION_STATUSES)}")
    return status
