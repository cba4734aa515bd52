"""Long text in pieces: each within the limit, each standing alone, and nothing lost."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.markdown.splitting import SMALLEST, cut_line, split_markdown, split_words
from adapters.markdown.text import cleaned, size
from tests.adapters.hostile import long_hostile

FENCE = re.compile(r"(?m)^[ \t>]*(`{3,}|~{3,})[^\n]*$")
TABLE_HEAD = re.compile(r"(?m)^[^\n]*\|[^\n]*\n[|\-: >\t]+$")


def bare(text: str) -> str:
    """Return the characters that matter: without space, fences, table heads and marks of quotes."""
    return re.sub(r"[\s>|]|`{3,}|~{3,}", "", TABLE_HEAD.sub("", FENCE.sub("", text)))


@settings(max_examples=300)
@given(long_hostile, st.integers(SMALLEST, 600))
def test_every_piece_keeps_the_limit(text: str, limit: int) -> None:
    pieces = split_markdown(cleaned(text), limit)
    assert [piece for piece in pieces if not 0 < size(piece) <= limit or not piece.strip()] == []


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(["word ", "中文句子。", "A sentence. ", "**bold** ", "\n", "\n\n", "👩‍👩‍👧‍👦"])),
    st.integers(1, 30),
)
def test_prose_is_not_changed_but_for_the_space_at_a_cut(parts: list[str], times: int) -> None:
    text = "".join(parts) * times
    assert "".join("".join(split_markdown(text, SMALLEST)).split()) == "".join(text.split())


@settings(max_examples=300)
@given(long_hostile)
def test_nothing_of_the_text_is_lost(text: str) -> None:
    text = cleaned(text)
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


def test_neighbouring_pieces_share_no_line_of_prose() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 30 for number in range(20))
    pieces = split_markdown(text, 400)
    assert len(pieces) > 5
    for first, second in pairwise(pieces):
        assert first.splitlines()[-1] != second.splitlines()[0]
