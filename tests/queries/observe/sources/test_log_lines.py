"""Whatever a log holds, little of it is kept, and what is kept draws nothing but its letters."""

import tracemalloc
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from queries.observe.sources.log_lines import LONGEST_LINE, MOST_KEPT, LinesRead, last_lines, plain
from tests.scale import scaled

MEGABYTE = 1_000_000


async def read(*chunks: bytes, lines: int = 500) -> LinesRead:
    async def coming() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return await last_lines(coming(), lines=lines)


@given(st.lists(st.text("ab \n", max_size=12).map(str.encode), max_size=20), st.integers(1, 6))
async def test_the_lines_are_those_of_the_whole_text(chunks: list[bytes], lines: int) -> None:
    text = b"".join(chunks).decode()
    whole = text.removesuffix("\n").split("\n") if text else []
    found = await read(*chunks, lines=lines)

    assert found.lines == tuple(whole[-lines:])
    assert found.cut is (len(whole) > lines)


async def test_ten_megabytes_without_a_newline_are_a_short_line() -> None:
    found = await read(b"2026-11-18T10:00:00Z ", *[b"x" * MEGABYTE] * 10, b"\nnext\n")

    assert [len(line) for line in found.lines] == [LONGEST_LINE, 4]
    assert found.cut


async def test_fifty_megabytes_take_the_memory_of_what_is_kept() -> None:
    megabytes = scaled(50)
    piece = b"2026-11-18T10:00:00Z " + b"y" * 4_000 + b"\n"

    async def coming() -> AsyncIterator[bytes]:
        for _ in range(megabytes * MEGABYTE // (16 * len(piece))):
            yield piece * 16

    tracemalloc.start()
    try:
        found = await last_lines(coming(), lines=2_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert found.cut
    assert sum(map(len, found.lines)) <= MOST_KEPT
    assert peak < 5 * MOST_KEPT


async def test_what_moves_a_terminal_is_taken_out() -> None:
    found = await read(b"\x1b[2J\x1b[31mERROR\x1b[0m \x1b]0;owned\x07gone\r\x08\x00 tab\there \xff\xc2\x9b31m\n")

    assert found.lines == ("ERROR gone tab\there \ufffd31m",)


@given(st.binary(max_size=200))
def test_no_control_character_is_left(line: bytes) -> None:
    assert not [letter for letter in plain(line) if (ord(letter) < 32 and letter != "\t") or 127 <= ord(letter) < 160]
