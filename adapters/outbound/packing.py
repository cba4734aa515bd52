"""Parts of a card into as few messages as hold them, and what is left out when even those are too small."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

from adapters.cards import Link


class Keep(IntEnum):
    """How much a part is missed; what is missed least is left out first."""

    FLOW = 0
    FACT = 1
    ACTION = 2


class DrawnPart(Protocol):
    """One block as a platform draws it."""

    @property
    def weight(self) -> int:
        """Return what it takes of a message's room."""
        ...

    @property
    def kind(self) -> str:
        """Return the name under which `Room.at_most` counts it."""
        ...

    @property
    def keep(self) -> Keep:
        """Return how much it is missed."""
        ...

    @property
    def leads(self) -> bool:
        """Return True when it belongs to what follows: never the last one of a message."""
        ...


P = TypeVar("P", bound=DrawnPart)


@dataclass(frozen=True)
class Room:
    """What one message or view may hold: blocks, their weight in all, and of some kinds only a few."""

    blocks: int
    weight: int
    at_most: Mapping[str, int] = field(default_factory=dict)

    def crowded(self, parts: Sequence[DrawnPart]) -> bool:
        """Return True when there are too many parts of one kind."""
        kinds = Counter(part.kind for part in parts)
        return any(kinds[kind] > most for kind, most in self.at_most.items())


@dataclass(frozen=True)
class Shortening:
    """What is said in place of what had to be left out, and where all of it can be read."""

    words: str
    link: Link | None = None


def pack(parts: Sequence[P], room: Room) -> list[list[P]]:
    """Return the parts in messages; each part must fit into one."""
    messages: list[list[P]] = []
    blocks = weight = 0
    for unit in _units(parts, room):
        heavy = sum(part.weight for part in unit)
        if (
            not messages
            or blocks + len(unit) > room.blocks
            or weight + heavy > room.weight
            or room.crowded([*messages[-1], *unit])
        ):
            messages.append([])
            blocks = weight = 0
        messages[-1] += unit
        blocks += len(unit)
        weight += heavy
    return messages


def shortened(parts: Sequence[P], room: Room, *, messages: int, notice: Sequence[P]) -> list[list[P]]:
    """Leave out from the end what is missed least until the rest fits, and say so where the last gap is made."""
    order = [at for keep in Keep for at in reversed(range(len(parts))) if parts[at].keep is keep]
    fewest, most = 1, len(order)
    while fewest < most:
        count = (fewest + most) // 2
        if len(pack(_without(parts, order[:count], notice), room)) <= messages:
            most = count
        else:
            fewest = count + 1
    return pack(_without(parts, order[:fewest], notice), room)


def _without(parts: Sequence[P], gone: Sequence[int], notice: Sequence[P]) -> list[P]:
    left = set(range(len(parts))) - set(gone)
    return [
        each for at, part in enumerate(parts) for each in ([part] if at in left else notice if at == gone[-1] else ())
    ]


def _units(parts: Sequence[P], room: Room) -> Iterator[list[P]]:
    unit: list[P] = []
    for part in parts:
        unit.append(part)
        if not part.leads:
            yield from _bearable(unit, room)
            unit = []
    yield from _bearable(unit, room)


def _bearable(unit: list[P], room: Room) -> Iterator[list[P]]:
    if len(unit) > room.blocks or sum(part.weight for part in unit) > room.weight or room.crowded(unit):
        yield from ([part] for part in unit)
    elif unit:
        yield unit
