"""Where to post in Slack: what travels through `bot` as an opaque address."""

from dataclasses import asdict, dataclass, fields
from typing import Literal, Self

from adapters.events import Address

#: `command` was asked with a slash command, where there is no thread; `home` is a person's own tab.
Kind = Literal["dm", "channel", "command", "home"]


@dataclass(frozen=True)
class SlackAddress:
    """A place in one workspace, and the person behind the event that named it. All ids are Slack's own."""

    user: str
    team: str = ""  # the workspace that the desk is installed in
    user_team: str = ""  # the person's own workspace: what a stream asks for beside the person
    channel: str = ""  # "": the person's direct message, to be opened first
    thread_ts: str = ""  # the thread that answers go to; "": there is none
    message_ts: str = ""  # the message that asks, or holds what was pressed; "": there is none
    kind: Kind = "channel"

    @property
    def others_read(self) -> bool:
        """Return True where more people than the one behind the address read what is posted."""
        return self.kind == "channel"

    @property
    def thread(self) -> str:
        """Return the key under which the desk takes the events of this place in order."""
        if self.thread_ts:
            return f"slack:{self.team}:{self.channel}:{self.thread_ts}"
        return f"slack:{self.team}:{'home' if self.kind == 'home' else 'command'}:{self.user}"

    def to_json(self) -> Address:
        """Return the address as plain JSON, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, address: Address) -> Self:
        """Read an address that `to_json` made; raise ValueError when it is another platform's."""
        known = {field.name for field in fields(cls)}
        if not known.issuperset(address) or not {"user", "kind"}.issubset(address):
            raise ValueError(f"not an address of Slack: {', '.join(sorted(address))}")
        return cls(**{name: str(value) for name, value in address.items()})  # type: ignore[arg-type] # JSON has no Literal


def reference(channel: str, ts: str) -> str:
    """Return how a posted message is known outside the adapter; `place_of` reads it."""
    return f"{channel}:{ts}"


def place_of(reference: str) -> tuple[str, str]:
    """Return (channel, ts) of a reference; raise ValueError when it is another platform's."""
    channel, colon, ts = reference.partition(":")
    if not (channel and colon and ts):
        raise ValueError(f"not a message of Slack: {reference}")
    return channel, ts
