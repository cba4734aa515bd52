"""Where to post in Teams: what travels through `bot` as an opaque address."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, Self

from adapters.events import Address

Kind = Literal["personal", "group", "channel"]


@dataclass(frozen=True)
class TeamsAddress:
    """A conversation, and the person behind the event that named it. All ids are Teams' own."""

    service_url: str  # where the connector of this conversation is reached; checked before anything is sent there
    tenant: str  # of the conversation
    user: str  # "29:…": the person as this bot knows them
    person: str  # their Entra object id, in lower case; "": they have none
    bot: str = ""  # "28:…": the desk itself
    conversation: str = ""  # with `;messageid=` in a channel's thread; "": the person's own chat, to be opened first
    activity: str = ""  # the message that asks, or holds what was pressed
    kind: Kind = "personal"
    team: str = ""  # of a channel
    channel_type: str = ""  # of a channel: "private" is for those who were invited
    name: str = ""  # the person's

    @property
    def others_read(self) -> bool:
        """Return True where more people than the one behind the address read what is posted."""
        return self.kind != "personal"

    @property
    def thread(self) -> str:
        """Return the key under which the desk takes the events of this place in order."""
        return f"teams:{self.conversation}"

    def alone(self) -> "TeamsAddress":
        """Return the address of the person's own chat with the desk."""
        return replace(self, conversation="", activity="", kind="personal", team="")

    def to_json(self) -> Address:
        """Return the address as plain JSON, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, address: Address) -> Self:
        """Read an address that `to_json` made; raise ValueError when it is another platform's."""
        known = {field.name for field in fields(cls)}
        if not known.issuperset(address) or not {"service_url", "user", "kind"}.issubset(address):
            raise ValueError(f"not an address of Teams: {', '.join(sorted(address))}")
        values = {"person": "", "tenant": ""} | {name: str(value) for name, value in address.items()}
        return cls(**values)  # type: ignore[arg-type] # JSON has no Literal


def reference(conversation: str, activity: str) -> str:
    """Return how a posted message is known outside the adapter; `place_of` reads it."""
    return f"{conversation}|{activity}"


def place_of(reference: str) -> tuple[str, str]:
    """Return (conversation, activity) of a reference; raise ValueError when it is another platform's."""
    conversation, bar, activity = reference.rpartition("|")
    if not (conversation and bar and activity):
        raise ValueError(f"not a message of Teams: {reference}")
    return conversation, activity
