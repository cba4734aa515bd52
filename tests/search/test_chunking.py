import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from language.analysis import terms
from search.documents import Chunk, Document, UnitKind
from search.parsing.markdown.sections import parse_markdown
from search.sync.chunking import ChunkSizes, chunk
from tests.search.making import EMBEDDER

SIZES = ChunkSizes()


def chunks_of(text: str, sizes: ChunkSizes = SIZES) -> tuple[Chunk, ...]:
    root = parse_markdown(text, path="x.md").root
    document = Document(source="book", path="x.md", title="X", root=root, content_hash="", allow=(), language="en")
    return chunk(document, EMBEDDER.count_all, sizes=sizes)


def words(count: int, name: str = "word") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentences(count: int) -> str:
    return " ".join(f"Sentence {number} says something about it." for number in range(count))


def test_short_neighbours_of_one_section_are_put_together_and_sections_are_not() -> None:
    found = chunks_of("# A\n\none\n\ntwo\n\n## B\n\nthree\n")
    assert [(one.section_path, one.text) for one in found] == [(("A",), "one\n\ntwo"), (("A", "B"), "three")]
    assert [one.number for one in found] == [0, 1]


def test_a_chunk_is_a_slice_of_the_page() -> None:
    page = "# A\n\nSteps:\n- first\n- second\n\nThen this.\n"
    assert [one.text for one in chunks_of(page)] == ["Steps:\n- first\n- second\n\nThen this."]


def test_a_long_paragraph_is_cut_at_sentences_with_an_overlap() -> None:
    text = sentences(80)
    found = chunks_of(text)
    assert len(found) > 2
    assert all(one.text in text and one.tokens <= SIZES.most for one in found)
    assert all(one.text.startswith("Sentence") and one.text.endswith(".") for one in found)
    for before, after in pairwise(found):
        assert before.text.rpartition(". ")[2] in after.text


def test_a_numbered_item_is_never_cut_after_its_number() -> None:
    steps = "\n".join(f"{number}. Do this, which is step {number}. Look around." for number in range(1, 80))
    found = chunks_of(steps)
    assert len(found) > 2
    assert not [one.text for one in found if re.search(r"(^|\n)\d+\.$", one.text)]
    assert {one.gap for one in found[1:]} <= {" ", "\n"}


def test_chinese_is_cut_at_its_own_full_stops() -> None:
    text = "".join(f"第{number}条规定了员工报销的时间和方式。" for number in range(40))
    found = chunks_of(text)
    assert len(found) > 1
    assert all(one.text.endswith("。") and one.text in text for one in found)


def test_an_over_long_sentence_is_cut_without_loss() -> None:
    text = words(900)
    found = chunks_of(text)
    assert {term for one in found for term in terms(one.text)} == set(terms(text))
    assert all(one.tokens <= SIZES.most for one in found)


def test_a_long_address_stays_whole_and_gets_windows_that_cover_it() -> None:
    address = "https://mermaid.live/edit#pako:" + "eNpVkU1rwzAMhv-K0Wk" * 80
    found = chunks_of(f"# Page\n\n{sentences(20)} Look at {address}, which shows it. {sentences(20)}\n")
    (linked,) = [one for one in found if address in one.text]
    assert address in "".join(linked.windows)


def test_code_and_tables_stay_whole_and_get_windows_that_cover_them() -> None:
    rows = "\n".join(f"| row{number} | {words(8, f'cell{number}x')} |" for number in range(60))
    table = f"| name | what |\n| ---- | ---- |\n{rows}"
    code = "```sh\n" + "\n".join(f"run step{number} --with option{number}" for number in range(120)) + "\n```"
    found = {one.kind: one for one in chunks_of(f"# T\n\n{table}\n\n{code}\n")}
    assert found[UnitKind.TABLE].text == table
    assert found[UnitKind.CODE].text == code
    for one in found.values():
        assert set(terms(one.text)) <= {term for window in one.windows for term in terms(window)}
        assert all(count <= SIZES.most for count in EMBEDDER.count_all(one.windows))
    assert all(window.startswith("| name | what |") for window in found[UnitKind.TABLE].windows)


@pytest.mark.parametrize("word", ["a", "中"])
def test_a_long_header_row_is_not_repeated_with_each_window(word: str) -> None:
    rows = "| some words | and more words |\n" * 800
    text = f"| {word * 20_000} | b |\n| --- | --- |\n{rows}"
    root = parse_markdown(text, path="x.md").root
    document = Document(source="book", path="x.md", title="X", root=root, content_hash="", allow=(), language="en")
    found = chunk(document, lambda texts: [len(each.split()) for each in texts])  # a word of any length is one token
    assert sum(len(one.windows) for one in found) > 10
    assert sum(len(window) for one in found for window in one.windows) < 4 * len(text)


def test_a_fence_inside_a_long_list_is_not_cut() -> None:
    fence = "   ```sh\n" + "\n".join(f"   step {number} of it" for number in range(50)) + "\n   ```"
    found = chunks_of(f"1. Do this. {sentences(30)}\n{fence}\n2. Then that. {sentences(30)}")
    assert sum(fence.strip() in one.text for one in found) == 1


def test_navigation_is_never_mixed_with_text() -> None:
    found = chunks_of("# A\n\nText.\n\nSee also: [B](b.md)\n\nMore text.")
    assert [one.kind for one in found] == [UnitKind.PARAGRAPH, UnitKind.NAVIGATION, UnitKind.PARAGRAPH]


PIECES = st.lists(
    st.one_of(
        st.integers(1, 400).map(words),
        st.integers(1, 60).map(sentences),
        st.integers(1, 40).map(lambda count: "\n".join(f"- point {n}: {words(n)}" for n in range(count))),
        st.integers(1, 90).map(lambda count: "```\n" + "\n".join(f"line {n} end" for n in range(count)) + "\n```"),
        st.integers(1, 60).map(lambda count: "第一步打开设置，然后点击网络；" * count + "完成。"),
        st.integers(1, 40).map(
            lambda n: "| k | v |\n| - | - |\n" + "\n".join(f"| {i} | {words(i)} |" for i in range(n))
        ),
        st.integers(1, 600).map(lambda count: "x" * count),
    ),
    min_size=1,
    max_size=6,
)


@given(PIECES)
@example(["- point 0: ", "word0"])
@example(["text   \n\n  \n", "more"])
def test_no_word_is_lost_and_every_chunk_is_verbatim(pieces: list[str]) -> None:
    page = "# Page\n\n" + "\n\n".join(pieces)
    found = chunks_of(page)
    assert all(one.text in page for one in found)
    assert [one.number for one in found] == list(range(len(found)))
    in_chunks = "".join(one.text for one in found)
    assert set(terms(page)) - set(terms("Page")) <= set(terms(" ".join(one.text for one in found)))
    assert in_chunks.count("x") >= page.count("x")
    assert all(one.windows or one.tokens <= SIZES.most for one in found)


def test_a_small_window_gets_small_passages_and_a_large_one_no_larger_ones() -> None:
    assert ChunkSizes.of_window(254) == ChunkSizes.of_window(508) == ChunkSizes()
    small = ChunkSizes.of_window(126)
    assert (small.least, small.core, small.most, small.overlap, small.context) == (31, 95, 126, 15, 23)
    text = "# Long\n\n" + " ".join(f"Sentence number {number} says a little." for number in range(120))
    assert max(each.tokens for each in chunks_of(text, small)) <= 126


def test_rows_items_and_paragraphs_are_embedded_by_themselves_too() -> None:
    page = (
        "# A\n\nSpecial days.\n\n| Occasion | Days |\n| --- | --- |\n| Wedding | 2 |\n| Moving house | 1 |\n\n"
        "- a dog\n- a cat\n\nBring the paper. Within a month.\n"
    )
    (found,) = chunks_of(page)
    assert found.windows[0] == found.text
    assert found.windows[1:] == (
        "Special days.",
        "| Wedding | 2 |",
        "| Moving house | 1 |",
        "- a dog",
        "- a cat",
        "Bring the paper. Within a month.",
    )


def test_one_paragraph_and_a_table_of_many_rows_are_embedded_as_a_whole() -> None:
    rows = "\n".join(f"| {number} | x |" for number in range(30))
    one, many = chunks_of("# A\n\nOne. Two.\n\n## B\n\n| n | x |\n| --- | --- |\n" + rows)
    assert one.windows == ()
    assert not [window for window in many.windows if window.startswith("| 7 |")]
