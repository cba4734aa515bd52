"""What an element of a card weighs, and how much a message holds."""

import json
from dataclasses import dataclass
from functools import cached_property

from microsoft_teams.cards.core import CardElement

from adapters.outbound.packing import Keep, Room


@dataclass(frozen=True)
class TeamsPart:
    """An element of a card, or Markdown of the message's own text (`adapters.outbound.packing.Part`)."""

    shown: CardElement | str
    keep: Keep = Keep.FACT
    leads: bool = False

    @property
    def kind(self) -> str:
        """Return the name of the builder's class."""
        return type(self.shown).__name__

    @cached_property
    def weight(self) -> int:
        """Return the bytes that it takes, with what parts it from the next one."""
        return weight(self.shown)


#: A card stays below 25,000 bytes, of which its frame takes some; Teams draws many elements slowly.
MESSAGE = Room(blocks=150, weight=22_000)


def weight(shown: CardElement | str) -> int:
    """Return the bytes of an element's JSON, or of a text in JSON."""
    written = (
        json.dumps(shown, ensure_ascii=False) if isinstance(shown, str) else shown.model_dump_json(exclude_none=True)
    )
    return len(written.encode()) + 2
