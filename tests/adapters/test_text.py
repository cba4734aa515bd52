"""Text is measured and cut as its reader counts, and made harmless."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.markdown.text import cleaned, fit, shorten, size, web_address
from tests.adapters.hostile import TOKENS, hostile

ONE_CHARACTER = (
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "👍🏽",
    "e\u0301\u0302",
    "\u1100\u1161\u11a8",
    "क्षि",
    "1️⃣",
    "🏴\U000e0067\U000e007f",
)


def test_direction_and_control_characters_go_and_line_ends_are_one() -> None:
    assert cleaned("a\u202eb\x07c\r\nd\u2028e\u2066f\tg") == "abc\nd\ne" + "f\tg"
    assert cleaned("half \ud83d") == "half \ufffd"


@given(hostile, st.integers(2, 120))
def test_a_shortened_text_fits_and_is_a_beginning(text: str, limit: int) -> None:
    text = cleaned(text)
    short = shorten(text, limit)
    assert size(short) <= limit
    assert text.startswith(short.removesuffix("…"))


@pytest.mark.parametrize("before", ["", "a", "🇨🇳"])
@pytest.mark.parametrize("character", ONE_CHARACTER)
def test_what_reads_as_one_character_is_not_cut(character: str, before: str) -> None:
    whole = before + character
    text = whole * 3
    uncut = {text[:end] for n in range(4) for end in (len(whole) * n, len(whole) * n + len(before))}
    for limit in range(size(whole), size(text) + 1):
        assert text[: fit(text, limit)] in uncut


def test_a_character_that_is_too_large_is_cut_all_the_same() -> None:
    assert fit("e" + "\u0301" * 50, 10) == 10


def test_addresses_for_links() -> None:
    assert web_address("https://desk.example/a?b=1&c=<|>") == "https://desk.example/a?b=1&c=%3C%7C%3E"
    for bad in ("javascript:alert(1)", "/tickets/T-1", "https://", "https://a@b.example", "https://a.example/ b", ""):
        assert web_address(bad) is None
    assert web_address("https://a.example/" + "x" * 3_000) is None


def test_every_token_of_the_generator_is_used() -> None:
    assert len(set(TOKENS)) == len(TOKENS)


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_no_flag_of_a_long_row_is_cut_in_two(before: str) -> None:
    row = before + "🇨🇳" * 2_000
    at = len(before.encode("utf-16-le")) // 2
    assert [fit(row, limit) for limit in (at + 4_000, at + 4_002, at + 6_003)] == [
        len(before) + letters for letters in (2_000, 2_000, 3_000)
    ]
