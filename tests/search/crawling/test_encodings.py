"""An answer that is packed comes out piece by piece, and no further than it is wanted."""

import gzip
import random
import tracemalloc
import zlib
from datetime import UTC, datetime

import pytest

from search.sources.crawling.fetching.encodings import STEP, MoreThanWanted, Undecodable, Unpacking
from search.sources.crawling.fetching.fetcher import SiteResponse

TEXT = random.Random(5).randbytes(3_000) * 50
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
PACKED = {
    "": TEXT,
    "identity": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "GZip , identity": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "deflate ": RAW.compress(TEXT) + RAW.flush(),
    "gzip, gzip": gzip.compress(gzip.compress(TEXT)),
    "deflate, gzip": gzip.compress(zlib.compress(TEXT)),
}


def unpacked(named: str, packed: bytes, *, most: int, piece: int = 1_000) -> bytes:
    unpacking = Unpacking(named, most=most)
    made = [out for at in range(0, len(packed), piece) for out in unpacking.take(packed[at : at + piece])]
    unpacking.end()
    assert all(len(out) <= max(STEP, piece) for out in made)
    return b"".join(made)


@pytest.mark.parametrize("named", sorted(PACKED))
@pytest.mark.parametrize("piece", [7, 1_000, 1_000_000])
def test_what_was_packed_comes_out(named: str, piece: int) -> None:
    assert unpacked(named, PACKED[named], most=len(TEXT), piece=piece) == TEXT


@pytest.mark.parametrize("named", sorted(PACKED))
def test_a_byte_more_than_wanted_is_not_taken(named: str) -> None:
    with pytest.raises(MoreThanWanted):
        unpacked(named, PACKED[named], most=len(TEXT) - 1)


@pytest.mark.parametrize("layers", [1, 2])
def test_a_bomb_costs_no_more_than_its_limit(layers: int) -> None:
    bomb = bytes(200_000_000)
    for _ in range(layers):
        bomb = gzip.compress(bomb, compresslevel=1 if len(bomb) > 10_000_000 else 9)
    tracemalloc.start()
    with pytest.raises(MoreThanWanted):
        unpacked(", ".join(["gzip"] * layers), bomb, most=1_000_000, piece=10_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6_000_000


def test_a_layer_that_holds_nothing_for_the_next_one_ends_at_the_limit() -> None:
    named = gzip.compress(b"x")
    endless = named[:3] + b"\x08" + named[4:10] + b"n" * 5_000_000  # a file name without end
    with pytest.raises(MoreThanWanted):
        unpacked("gzip, gzip", gzip.compress(endless), most=1_000_000)


@pytest.mark.parametrize(
    ("named", "packed"),
    [
        ("br", b"x"),
        ("gzip, gzip, gzip", b"x"),
        ("gzip", b"no such thing"),
        ("deflate", b"\xff\xff\xff"),
        ("gzip", gzip.compress(TEXT)[:-20]),
    ],
)
def test_what_cannot_be_unpacked_is_said(named: str, packed: bytes) -> None:
    with pytest.raises(Undecodable):
        unpacked(named, packed, most=1_000_000)


@pytest.mark.parametrize(
    "value",
    [
        "Mon, 01 Jan 2024 00:00:00 +9999999999",
        "Mon, 01 Jan 0001 00:00:00 -2359",
        "Mon, 99 Jan 99999 00:00:00 GMT",
        "9" * 5_000,
        "-1",
        "\u0663 soon",
        "",
    ],
)
def test_an_absurd_wish_to_be_left_alone_is_none(value: str) -> None:
    answer = SiteResponse("https://a.example/", 429, headers={"retry-after": value})
    assert (answer.retry_after_s(datetime(2026, 1, 1, tzinfo=UTC)) or 0.0) == 0.0
