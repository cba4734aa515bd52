"""How found passages stand before a brain with what is around them: every word once, in the page's own order."""

from agent.tools.layout import laid_out
from search.documents import Chunk, SearchResult, Stretch
from tests.search.making import hit_of


def chunk(number: int, text: str, *, gap: str = "\n\n", repeated: int = 0) -> Chunk:
    return Chunk("book:a.md", number, ("A",), "a", text, 9, gap=gap, repeated=repeated)


PARTS = (
    chunk(0, "Open the tray."),
    chunk(1, "Look inside. Pull."),
    chunk(2, "Pull. Close it.", gap=" ", repeated=6),
    chunk(3, "- one"),
    chunk(4, "- two", gap="\n"),
)
WHOLE = "Open the tray.\n\nLook inside. Pull. Close it.\n\n- one\n- two"


def found(*numbers: int, parts: tuple[Chunk, ...] = PARTS) -> SearchResult:
    hits = tuple(hit_of(PARTS[number]) for number in numbers)
    return SearchResult(hits=hits, legs=(), hidden=0, stretches=(Stretch(parts),) if parts else ())


def test_a_stretch_is_what_is_written() -> None:
    assert Stretch(PARTS).text == WHOLE


def test_a_passage_without_surroundings_is_itself() -> None:
    laid = laid_out(found(2, parts=()))["book:a.md#2"]
    assert (laid.before, laid.text, laid.after, laid.whole) == ("", "Pull. Close it.", "", "Pull. Close it.")


def test_a_passage_stands_between_what_is_before_and_after_it() -> None:
    laid = laid_out(found(2))["book:a.md#2"]
    assert (laid.before, laid.text) == ("Open the tray.\n\nLook inside. Pull. ", "Close it.")
    assert (laid.after, laid.goes_on_in) == ("\n\n- one\n- two", "")
    assert laid.before + laid.text + laid.after == laid.whole == WHOLE


def test_two_passages_of_one_stretch_share_it_without_a_word_twice() -> None:
    laid = laid_out(found(3, 1))
    first, second = laid["book:a.md#1"], laid["book:a.md#3"]
    assert (first.before, first.text, first.after) == ("Open the tray.\n\n", "Look inside. Pull.", " Close it.\n\n")
    assert (second.before, second.text, second.after) == ("", "- one", "\n- two")
    assert (first.goes_on_in, second.goes_on_in) == ("book:a.md#3", "")
    assert first.before + first.text + first.after + second.before + second.text + second.after == WHOLE
    assert first.whole == second.whole == WHOLE


def test_two_passages_side_by_side_are_joined_by_their_gap() -> None:
    laid = laid_out(found(0, 1, parts=PARTS[:2]))
    assert (laid["book:a.md#0"].after, laid["book:a.md#0"].goes_on_in) == ("\n\n", "book:a.md#1")
