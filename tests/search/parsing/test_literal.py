"""Whatever somebody wrote as plain words is shown as it was written."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from search.parsing.blocks import ListItem, Paragraph, inline, to_markdown

READER = MarkdownIt("commonmark").enable("table")


def shown(markdown: str) -> str:
    """Return what a reader sees, line by line."""
    lines = []
    for token in READER.parse(markdown):
        assert token.type not in {
            "fence",
            "code_block",
            "hr",
            "heading_open",
            "blockquote_open",
            "table_open",
            "html_block",
        }
        if token.type == "inline":
            lines.append("".join("\n" if "break" in each.type else each.content for each in token.children or ()))
            assert not {each.type for each in token.children or ()} & {
                "em_open",
                "strong_open",
                "link_open",
                "code_inline",
                "image",
            }
    return "\n".join(lines)


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    "text",
    [
        "# no heading",
        "> no quote",
        "***",
        "===",
        "a\n===",
        "a\n---",
        "```",
        "~~~ sh",
        "| a | b |\n| - | - |",
        "a | b\n--- | ---",
        "<script>alert(1)</script>",
        "<!-- no comment -->",
        "[x]: https://example.org",
        "[text](https://example.org) and ![alt](x.png)",
        "*.txt and *.md, **bold**, _also_ __init__ snake_case_name",
        "`code` and ``more``",
        r"\\server\share C:\new\*.txt \# ends with \ ",
        "&amp; &#39; &copy; & a&b;",
        "    indented",
        "a  \nb\\\nc",
        "2 * 3 * 4",
    ],
)
def test_markup_is_shown_as_it_was_written(text: str) -> None:
    assert words(shown(to_markdown([Paragraph(inline(text))]))) == words(text)


def test_what_means_nothing_to_markdown_is_left_alone() -> None:
    plain = "Run kube-proxy, set MAX_SIZE = 2 * 3 and mail ada@example.org (see page 3)."
    assert inline(plain) == plain


PIECE = st.one_of(
    st.sampled_from(list("#>*_`~|-+=<>[]()!&;\\:.1a \n中")),
    st.sampled_from(
        ["```", "---", "===", "](", "&amp;", "<b>", "<!--", "http://x", "1. ", "- ", "[a]: ", "word", "中文"]
    ),
)


@given(st.lists(PIECE, max_size=14).map("".join))
@example("- - -")
@example("<a\n_b_>")
@example("*a*b_")
def test_any_text_is_shown_as_it_was_written(text: str) -> None:
    lines = [line for line in text.split("\n") if line.strip()]
    kept = words(shown(to_markdown([Paragraph(inline(text))])))
    marks = [word for line in lines for word in _marks(line)]
    assert sorted([*kept, *marks]) == sorted(words(text))


def _marks(line: str) -> list[str]:
    """Return the marks of lists at the start of a line: they are drawn, though not among the words."""
    found = []
    while (token := line.split(None, 1)) and len(token) == 2 and re.fullmatch(r"[-+]|\d{1,9}[.)]", token[0]):
        found.append(token[0])
        line = token[1]
    return found


def test_an_item_keeps_its_lines_and_its_depth() -> None:
    text = to_markdown([ListItem("one\n# two", 0, "1."), ListItem("inner", 2), ListItem("next", 0, "(b)")])
    assert text == "1. one  \n   \\# two\n    - inner\n- (b) next"
