"""How the local Slack says no."""

from typing import Any


class Refused(Exception):
    """A refusal with Slack's error code; `more` is merged into the answer (`response_metadata`, `needed`, …)."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.more = more


def invalid(error: str, *messages: str) -> Refused:
    """Return a refusal that lists what is wrong, as Slack does in `response_metadata.messages`."""
    return Refused(error, response_metadata={"messages": [f"[ERROR] {message}" for message in messages]})
