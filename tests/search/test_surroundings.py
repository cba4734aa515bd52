"""Neighbour expansion: inside the section, within the budget, in reading order."""

from hypothesis import given
from hypothesis import strategies as some

from search.documents import Chunk
from search.surroundings import within


def passages(*sections: tuple[str, int]) -> tuple[Chunk, ...]:
    """Return the passages of one page, each given by its section and its tokens."""
    return tuple(
        Chunk(document_id="book:a.md", number=number, section_path=(name,), anchor="", text=name, tokens=tokens)
        for number, (name, tokens) in enumerate(sections)
    )


PAGE = passages(("A", 50), ("B", 100), ("B", 60), ("B", 100), ("B", 40), ("C", 10))


def numbers(chunk_id: str, *, tokens: int) -> list[int]:
    return [chunk.number for chunk in within(PAGE, chunk_id, tokens=tokens)]


def test_the_nearest_neighbours_come_in_until_the_budget_is_spent() -> None:
    assert numbers("book:a.md#2", tokens=60) == [2]
    assert numbers("book:a.md#2", tokens=160) == [2, 3]
    assert numbers("book:a.md#2", tokens=260) == [1, 2, 3]
    assert numbers("book:a.md#2", tokens=300) == [1, 2, 3, 4]


def test_another_section_never_comes_in() -> None:
    assert numbers("book:a.md#2", tokens=10_000) == [1, 2, 3, 4]
    assert numbers("book:a.md#5", tokens=10_000) == [5]


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
