"""What a block of Slack's weighs, and how much a message holds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from slack_sdk.models.blocks import Block

from adapters.markdown.text import size
from adapters.outbound.packing import Keep, Room


@dataclass(frozen=True)
class SlackPart:
    """One block of Slack's (`adapters.outbound.packing.Part`)."""

    block: Block
    keep: Keep = Keep.FACT
    leads: bool = False

    @property
    def kind(self) -> str:
        """Return the type of the block."""
        return str(self.block.type)

    @cached_property
    def weight(self) -> int:
        """Return the characters of the block."""
        return weight(self.block)


#: Slack takes 50 blocks, and refuses somewhere above 11,000 characters over all of them; it does not say where.
#: It takes one table and two charts.
MESSAGE = Room(blocks=50, weight=10_000, at_most={"table": 1, "data_visualization": 2})


def weight(block: Block) -> int:
    """Return the characters of a block: its texts, ids, values and addresses."""
    return sum(map(size, _strings(block.to_dict())))


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for each in value.values():
                yield from _strings(each)
        case list() | tuple():
            for each in value:
                yield from _strings(each)
        case _:
            return
