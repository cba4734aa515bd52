"""Memory that is free goes back to the machine, and only when there is something to give."""

import sys
import threading
from collections.abc import Callable

import pytest

from bot.compose.memory import GROWN, FreedMemory, resident

MB = 1_000_000


def _noted(trimmed: list[int]) -> Callable[[int], int]:
    def trim(pad: int) -> int:
        trimmed.append(pad)
        return 1

    return trim


def test_it_is_given_back_when_the_process_has_grown_and_not_before() -> None:
    held, trimmed = [500 * MB], list[int]()
    memory = FreedMemory(_noted(trimmed), held=lambda: held[0])
    assert not memory.give_back()
    held[0] += GROWN - 1
    assert not memory.give_back()
    held[0] += 1
    assert memory.give_back()
    assert not memory.give_back()  # what is left is used
    held[0] += GROWN
    assert memory.give_back()
    assert trimmed == [0, 0]


def test_what_became_smaller_by_itself_is_the_measure_from_then_on() -> None:
    held = [900 * MB]
    memory = FreedMemory(_noted([]), held=lambda: held[0])
    memory.give_back()
    held[0] = 300 * MB
    assert not memory.give_back()
    held[0] = 300 * MB + GROWN
    assert memory.give_back()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc alone gives memory back when it is asked to")
def test_holes_between_what_is_kept_are_given_back() -> None:
    memory, kept = FreedMemory(), list[bytes]()
    memory.give_back()
    before = resident()

    def work() -> None:
        pieces = [bytes(60_000) for _ in range(5_000)]  # too small to be given back one by one
        kept.extend(pieces[::100])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert memory.give_back() or resident() - before < GROWN
    assert resident() - before < 150 * MB
