"""Blocks into as few messages as hold them, and what is left out when even those are too small."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

from slack_sdk.models.blocks import Block

from adapters.slack.text import size


class Keep(IntEnum):
    """How much a part is missed; what is missed least is left out first."""

    FLOW = 0
    FACT = 1
    ACTION = 2


@dataclass(frozen=True)
class Part:
    """One block of Slack's."""

    block: Block
    keep: Keep = Keep.FACT
    leads: bool = False  # belongs to what follows: never the last one of a message

    @cached_property
    def weight(self) -> int:
        """Return the characters of the block."""
        return weight(self.block)


@dataclass(frozen=True)
class Room:
    """What one message or view may hold; characters are counted over everything that is written in its blocks."""

    blocks: int
    characters: int


#: Slack takes 50 blocks, and refuses somewhere above 11,000 characters over all of them; it does not say where.
MESSAGE = Room(blocks=50, characters=10_000)


def weight(block: Block) -> int:
    """Return the characters of a block: its texts, ids, values and addresses."""
    return sum(map(size, _strings(block.to_dict())))


def pack(parts: Sequence[Part], room: Room) -> list[list[Part]]:
    """Return the parts in messages; each part must fit into one."""
    messages: list[list[Part]] = []
    blocks = characters = 0
    for unit in _units(parts, room):
        heavy = sum(part.weight for part in unit)
        if not messages or blocks + len(unit) > room.blocks or characters + heavy > room.characters:
            messages.append([])
            blocks = characters = 0
        messages[-1] += unit
        blocks += len(unit)
        characters += heavy
    return messages


def shortened(parts: Sequence[Part], room: Room, *, messages: int, notice: Sequence[Part]) -> list[list[Part]]:
    """Leave out from the end what is missed least until the rest fits, and say so where the first gap is."""
    left = list(parts)
    for keep in Keep:
        for index in [at for at, part in enumerate(parts) if part.keep is keep][::-1]:
            at = next(at for at, part in enumerate(left) if part is parts[index])
            left[at : at + 1] = []
            packed = pack([*left[:at], *notice, *left[at:]], room)
            if len(packed) <= messages:
                return packed
    return pack(notice, room)


def _units(parts: Sequence[Part], room: Room) -> Iterator[list[Part]]:
    unit: list[Part] = []
    for part in parts:
        unit.append(part)
        if not part.leads:
            yield from _bearable(unit, room)
            unit = []
    yield from _bearable(unit, room)


def _bearable(unit: list[Part], room: Room) -> Iterator[list[Part]]:
    if len(unit) > room.blocks or sum(part.weight for part in unit) > room.characters:
        yield from ([part] for part in unit)
    elif unit:
        yield unit


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
