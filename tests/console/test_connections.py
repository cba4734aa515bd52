"""Of connections without a whole request the oldest gives way: of one network address, and of all."""

from dataclasses import dataclass, field
from typing import cast

from bot.console.access.connections import WAITING_PER_ADDRESS, Connections, LimitedConnection


@dataclass(eq=False)
class Line:
    """A connection, as far as it is counted."""

    aborted: bool = False
    transport: "Line" = field(init=False)

    def __post_init__(self) -> None:
        self.transport = self

    def abort(self) -> None:
        """Close it."""
        self.aborted = True


def admitted(connections: Connections, line: Line, address: str) -> bool:
    return connections.admit(cast(LimitedConnection, line), address)


def test_the_oldest_of_an_address_gives_way_to_its_next_and_nobody_else_does() -> None:
    connections = Connections(at_most=10_000, now=lambda: 0.0)
    other, lines = Line(), [Line() for _ in range(WAITING_PER_ADDRESS + 20)]
    assert admitted(connections, other, "192.0.2.1")
    assert [admitted(connections, each, "192.0.2.2") for each in lines].count(True) == len(lines)
    assert [each.aborted for each in lines] == [True] * 20 + [False] * WAITING_PER_ADDRESS
    assert not other.aborted


def test_of_all_the_oldest_that_waits_gives_way_and_where_none_waits_the_new_one_is_refused() -> None:
    connections = Connections(at_most=3, now=lambda: 0.0)
    lines = [Line() for _ in range(4)]
    assert [admitted(connections, each, f"192.0.2.{number}") for number, each in enumerate(lines)].count(True) == len(
        lines
    )
    assert [each.aborted for each in lines] == [True, False, False, False]
    connections.waiting.clear()
    assert not admitted(connections, Line(), "192.0.2.9")
    assert len(connections.open) == 3
