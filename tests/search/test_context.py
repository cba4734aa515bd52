"""Neighbour expansion: inside the section, within the budget, in reading order, every word once."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from search.documents import Chunk, Document, Stretch, UnitKind
from search.parsing.markdown.sections import parse_body
from search.ranking.context import stretch, within, worth_more
from search.sync.chunking import ChunkSizes, chunk
from tests.search.making import EMBEDDER, hit_of

SMALL = ChunkSizes(least=4, core=12, most=16, overlap=4, context=2)


def passages(*sections: tuple[str, int], page: str = "book:a.md") -> tuple[Chunk, ...]:
    """Return the passages of one page, each given by its section and its tokens."""
    return tuple(
        Chunk(document_id=page, number=number, section_path=(name,), anchor="", text=name, tokens=tokens)
        for number, (name, tokens) in enumerate(sections)
    )


PAGE = passages(("A", 50), ("B", 100), ("B", 60), ("B", 100), ("B", 40), ("C", 10))


def numbers(chunk_id: str, *, tokens: int) -> list[int]:
    return [chunk.number for chunk in within(PAGE, chunk_id, tokens=tokens)]


def stretched(*found: Chunk, tokens: int = 200) -> list[int]:
    """Return the numbers of the stretch around the first of what was found."""
    hits = [hit_of(chunk) for chunk in found]
    made = stretch(hits[0], PAGE, hits, tokens=tokens)
    return [] if made is None else [chunk.number for chunk in made.chunks]


def test_the_nearest_neighbours_come_in_until_the_budget_is_spent() -> None:
    assert numbers("book:a.md#2", tokens=60) == [2]
    assert numbers("book:a.md#2", tokens=160) == [2, 3]
    assert numbers("book:a.md#2", tokens=260) == [1, 2, 3]
    assert numbers("book:a.md#2", tokens=300) == [1, 2, 3, 4]


def test_another_section_never_comes_in() -> None:
    assert numbers("book:a.md#2", tokens=10_000) == [1, 2, 3, 4]
    assert numbers("book:a.md#5", tokens=10_000) == [5]


def test_another_section_with_the_same_headings_never_comes_in() -> None:
    page = tuple(replace(chunk, anchor=f"b-{number > 2}") for number, chunk in enumerate(PAGE))
    assert [chunk.number for chunk in within(page, "book:a.md#2", tokens=10_000)] == [1, 2]


def test_a_passage_longer_than_the_budget_stands_alone_and_one_that_is_gone_brings_nothing() -> None:
    assert numbers("book:a.md#1", tokens=10) == [1]
    assert numbers("book:a.md#9", tokens=10_000) == []


def test_a_gap_ends_the_expansion() -> None:
    assert [chunk.number for chunk in within(PAGE[:2] + PAGE[3:], "book:a.md#3", tokens=10_000)] == [3, 4]


@given(
    sections=some.lists(some.tuples(some.sampled_from("AB"), some.integers(1, 300)), min_size=1, max_size=12),
    place=some.integers(0, 11),
    budget=some.integers(1, 1_000),
)
def test_it_is_one_run_of_one_section_within_the_budget(
    sections: list[tuple[str, int]], place: int, budget: int
) -> None:
    page = passages(*sections)
    middle = page[place % len(page)]

    found = within(page, middle.id, tokens=budget)

    assert middle in found
    assert {chunk.section_path for chunk in found} == {middle.section_path}
    assert [chunk.number for chunk in found] == list(range(found[0].number, found[-1].number + 1))
    assert len(found) == 1 or sum(chunk.tokens for chunk in found) <= budget


def test_other_hits_beside_a_stretch_belong_to_it_and_those_further_off_do_not() -> None:
    assert stretched(PAGE[2], tokens=160) == [2, 3]
    assert stretched(PAGE[2], PAGE[4], tokens=160) == [2, 3, 4]
    assert stretched(PAGE[4], PAGE[1], tokens=140) == [3, 4]
    assert stretched(PAGE[4], PAGE[1], PAGE[5], PAGE[2], tokens=140) == [1, 2, 3, 4]


def test_a_hit_alone_in_its_section_or_without_room_has_no_stretch() -> None:
    assert stretched(PAGE[5]) == []
    assert stretched(PAGE[2], tokens=100) == []


def test_a_page_that_changed_since_it_was_searched_brings_nothing() -> None:
    assert stretched(replace(PAGE[2], text="as it was")) == []
    assert stretched(PAGE[2], replace(PAGE[3], text="as it was")) == []


def test_the_best_hits_of_three_sections_are_worth_it_and_what_leads_elsewhere_is_not() -> None:
    leads = [replace(chunk, kind=UnitKind.NAVIGATION) for chunk in passages(("N", 9), page="book:n.md")]
    other = passages(("A", 9), ("D", 9), page="book:b.md")
    found = [hit_of(chunk) for chunk in (*leads, PAGE[2], PAGE[1], other[0], PAGE[0], other[1])]
    assert [each.chunk.id for each in worth_more(found)] == ["book:a.md#2", "book:b.md#0", "book:a.md#0"]


LINES = some.lists(some.text(alphabet="ab cd.!?，。 ", min_size=1, max_size=90).map(str.strip), min_size=1, max_size=9)


@pytest.mark.parametrize("form", ["{}", "- {}", "{number}. {}\n", "{number}. {}", "- {}\n\n  and more\n"])
@given(lines=LINES)
def test_joined_again_the_passages_of_a_section_are_what_is_written(form: str, lines: list[str]) -> None:
    written = "\n".join(form.format(line or "x", number=number) for number, line in enumerate(lines, start=1))
    page = f"Before it, word.\n\n## Part\n\nA first word.\n\n{written}\n\nA last word."
    document = Document(
        source="book", path="a.md", title="A", root=parse_body(page), content_hash="", allow=(), language="en"
    )
    cut = [one for one in chunk(document, EMBEDDER.count_all, sizes=SMALL) if one.section_path == ("Part",)]
    assert "".join(Stretch(tuple(cut)).text.split()) == "".join(page.partition("## Part")[2].split())
    assert Stretch(tuple(cut)).text in page
