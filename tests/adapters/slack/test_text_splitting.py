"""Long text in pieces: each within the limit, each standing alone, and nothing lost."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.dialect import mrkdwn, mrkdwn_pieces, words
from adapters.slack.splitting import SMALLEST, cut_line, split_markdown, split_words
from adapters.slack.text import cleaned, markdown, size
from tests.adapters.slack.hostile import MENTION, assert_harmless, hostile, long_hostile

FENCE = re.compile(r"(?m)^[ \t>]*(`{3,}|~{3,})[^\n]*$")
TABLE_HEAD = re.compile(r"(?m)^[^\n]*\|[^\n]*\n[|\-: >\t]+$")


def bare(text: str) -> str:
    """Return the characters that matter: without space, fences, table heads and marks of quotes."""
    return re.sub(r"[\s>|]|`{3,}|~{3,}", "", TABLE_HEAD.sub("", FENCE.sub("", text)))


@settings(max_examples=300, deadline=None)
@given(long_hostile, st.integers(SMALLEST, 600))
def test_every_piece_keeps_the_limit(text: str, limit: int) -> None:
    for piece in split_markdown(markdown(text), limit):
        assert 0 < size(piece) <= limit
        assert piece.strip()
        assert not MENTION.search(piece)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["word ", "中文句子。", "A sentence. ", "**bold** ", "\n", "\n\n", "👩‍👩‍👧‍👦"])),
    st.integers(1, 30),
)
def test_prose_is_not_changed_but_for_the_space_at_a_cut(parts: list[str], times: int) -> None:
    text = "".join(parts) * times
    assert "".join("".join(split_markdown(text, SMALLEST)).split()) == "".join(text.split())


@settings(max_examples=300, deadline=None)
@given(long_hostile)
def test_nothing_of_the_text_is_lost(text: str) -> None:
    text = markdown(text)
    found = iter("".join(map(bare, split_markdown(text, SMALLEST))))
    assert all(character in found for character in bare(text))  # in this order; what is repeated comes on top


@given(st.lists(st.text(alphabet="abc 中\n", max_size=30), max_size=60), st.integers(1, 5))
def test_words_are_split_without_a_loss(parts: list[str], times: int) -> None:
    text = "\n".join(parts) * times
    pieces = split_words(text, 50)
    assert all(size(piece) <= 50 for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_code_is_closed_and_opened_again_where_it_is_cut() -> None:
    lines = [f"line {number} of the script" for number in range(60)]
    text = "Run this:\n\n```python\n" + "\n".join(lines) + "\n```\n\nThen wait."
    pieces = split_markdown(text, 300)
    assert len(pieces) > 3
    for piece in pieces[:-1]:
        assert len(FENCE.findall(piece)) % 2 == 0
    for piece in pieces[1:-1]:
        assert piece.startswith("```python\n")
        assert piece.endswith("\n```")
    inside = [line for piece in pieces for line in piece.splitlines() if line.startswith("line ")]
    assert inside == lines


def test_a_fence_within_a_longer_fence_does_not_end_it() -> None:
    text = "````md\n" + "```\nexample text\n```\n" * 40 + "````\nafter"
    pieces = split_markdown(text, 250)
    assert all(piece.startswith("````md\n") for piece in pieces[:-1])
    assert all(piece.rstrip().endswith("````") for piece in pieces[:-1])
    assert pieces[-1].endswith("after")


def test_a_table_is_cut_between_rows_and_its_head_is_repeated() -> None:
    rows = [f"| host-{number} | {number} GB | a remark of some words |" for number in range(40)]
    pieces = split_markdown("| Host | Disk | Remark |\n|---|---|---|\n" + "\n".join(rows), 400)
    assert len(pieces) > 3
    for piece in pieces:
        assert piece.startswith("| Host | Disk | Remark |\n|---|---|---|\n| host-")
        assert piece.endswith(" |")
    assert [line for piece in pieces for line in piece.splitlines() if "host-" in line] == rows


def test_a_quote_goes_on_as_a_quote() -> None:
    pieces = split_markdown("> " + "A long sentence of somebody. " * 40, 300)
    assert len(pieces) > 3
    assert all(piece.startswith("> ") for piece in pieces)


def test_a_paragraph_that_just_begins_moves_to_the_next_piece() -> None:
    first, second = "First paragraph. " * 12, "Second paragraph. " * 10
    assert split_markdown(f"{first}\n\n{second}", 260) == [first, second]


@pytest.mark.parametrize(
    "whole", ["[the guide](https://desk.example/guide)", "`kubectl get pods`", "&lt;", "**very bold**"]
)
def test_a_line_is_not_cut_inside_of_what_belongs_together(whole: str) -> None:
    for before in range(40, 100):
        parts = cut_line("x" * before + whole + "y" * 300, 100)
        assert any(whole in part for part in parts)
        assert "".join(parts) == "x" * before + whole + "y" * 300


def test_too_small_a_limit_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least"):
        split_markdown("text", SMALLEST - 1)


@given(hostile)
def test_mrkdwn_mentions_nobody_and_links_to_the_web_alone(text: str) -> None:
    assert_harmless({"type": "mrkdwn", "text": mrkdwn(text)})
    assert_harmless({"type": "mrkdwn", "text": words(text)})
    assert "<" not in words(text)


@given(long_hostile)
@settings(max_examples=50, deadline=None)
def test_mrkdwn_is_cut_into_pieces_that_stand_alone(text: str) -> None:
    for piece in mrkdwn_pieces(text, 1_000):
        assert 0 < size(piece) <= 1_000
        assert_harmless({"type": "mrkdwn", "text": piece})


@given(long_hostile)
@settings(max_examples=50, deadline=None)
def test_mrkdwn_keeps_every_word(text: str) -> None:
    said, found = ("".join(each.split()) for each in (words(text), "".join(mrkdwn_pieces(text, 1_000))))
    for word in ("word", "sentence", "中文句子", "item", "title", "quoted", "bold", "👩‍👩‍👧‍👦"):
        assert found.count(word) >= said.count(word)


def test_mrkdwn_of_our_subset() -> None:
    markdown_text = (
        "# Title\n\nPress **Confirm** and *wait*: [VPN](https://a.example/?b=1&c=2) [x](/own) 点击**确认**按钮\n\n"
        "- one\n  - two\n\n3. three\n4. four\n\n> quoted\n> more\n\n```py\na < b\n```\n\n"
        "| A | B |\n|---|---|\n| 1 | `2` |"
    )
    assert mrkdwn(markdown_text) == (
        "*Title*\n\nPress *Confirm* and _wait_: <https://a.example/?b=1&amp;c=2|VPN> [x]\u2060(/own) "
        "点击\u200b*确认*\u200b按钮\n\n"
        "• one\n    • two\n\n3. three\n4. four\n\n> quoted\n> more\n\n```\na &lt; b\n```\n\n*A* · *B*\n1 · `2`"
    )


def test_cleaning_comes_before_reading() -> None:
    assert mrkdwn(cleaned("a\u202eb")) == mrkdwn("a\u202eb") == "ab"


def test_neighbouring_pieces_share_no_line_of_prose() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 30 for number in range(20))
    for first, second in pairwise(split_markdown(text, 400)):
        assert first.splitlines()[-1] != second.splitlines()[0]
