"""Markdown in sections: what a message says, what a card draws, and what a stream may show so far."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.markdown.text import WORD_JOINER, cleaned
from adapters.teams.drawing.messages import growing
from adapters.teams.drawing.sections import (
    CodeSection,
    Prose,
    Quote,
    Section,
    TableSection,
    Title,
    message_text,
    sections,
)
from tests.adapters.teams.commonmark import READER, TAG, any_text, links, tokens

WHOLE = """# VPN

Sessions end after **8 hours** [1].
Then log in again.
---
- one
- two

> quoted
> more

```sh
cat <file | head
```

| Host | Disk |
|:--|--:|
| db1 | 5 \\| 6 |
| db2 |

After it."""


def words(section: Section) -> str:
    """Return all that a section says."""
    match section:
        case TableSection(head=head, rows=rows):
            return " ".join(cell for row in (head, *rows) for cell in row)
        case CodeSection(text=text):
            return text
        case Prose(markdown=said) | Title(markdown=said) | Quote(markdown=said):
            return said


def test_each_kind_is_found_where_it_stands() -> None:
    assert sections(WHOLE) == [
        Title("VPN"),
        Prose("Sessions end after **8 hours** [1].  \nThen log in again.  \n———  \n- one  \n- two"),
        Quote("quoted  \nmore"),
        CodeSection("cat <file | head"),
        TableSection(("Host", "Disk"), (("db1", "5 | 6"), ("db2", ""))),
        Prose("After it."),
    ]


def test_a_message_says_all_up_to_its_first_table() -> None:
    said, rest = message_text(WHOLE)
    assert said == (
        "**VPN**\n\nSessions end after **8 hours** [1].  \nThen log in again.  \n———  \n- one  \n- two\n\n"
        "> quoted  \n> more\n\n```\ncat <file | head\n```"
    )
    assert rest.startswith("| Host | Disk |\n")
    assert message_text("| a |\n|---|\n| 1 |") == ("", "| a |\n|---|\n| 1 |")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("> ```\n> a\n>  b\n> ```\nafter", "a\n b"),
        ("  1. step\n     ```\n     a\n     ```", "     a"),
        ("~~~\n```\nx\n~~~", f"{WORD_JOINER}```\nx"),
        ("````\n```\n````", "```"),
        ("```\nnever closed", "never closed"),
    ],
)
def test_code_stands_alone_wherever_it_was_written(text: str, code: str) -> None:
    found = [each for each in sections(text) if isinstance(each, CodeSection)]
    assert [each.text for each in found] == [code]
    fences = [token for token in READER.parse(message_text(text)[0]) if token.type == "fence"]
    assert [token.content for token in fences] == [f"{code}\n"]


@settings(max_examples=400)
@given(any_text)
@example("`a\n- b` [https://bank.example](https://evil.example) `")
@example("\\`<img src=x>\\`")
def test_no_reader_finds_a_tag_a_picture_or_a_lying_link_outside_of_code(text: str) -> None:
    said = message_text(text)[0]
    kinds = {each.type for each in tokens(said)}
    assert not kinds & {"html_inline", "html_block", "image", "code_block", "table_open"} - {"code_block"}
    assert all(address.startswith(("http://", "https://")) for address, _words in links(said))
    assert not any(TAG.search(words(each)) for each in sections(text) if not isinstance(each, CodeSection))


@settings(max_examples=400)
@given(any_text)
def test_nothing_is_lost(text: str) -> None:
    said = iter(re.sub(r"\s", "", " ".join(map(words, sections(text)))))
    bare = re.sub(r"[\s|>#`~:=*_\\-]", "", cleaned(re.sub(r"(?m)^[ \t>]*(?:```|~~~).*$", "", text)))
    assert all(character in said for character in bare)


@settings(max_examples=500)
@given(any_text, st.integers(0, 300))
@example("|a | b|\n|---|---|\n1 | 2", 5)
@example("# title\nx", 4)
@example("x\n---\ny", 3)
@example("https://bank.example@evil.example", 20)
def test_what_a_stream_shows_is_the_beginning_of_the_whole(text: str, at: int) -> None:
    assert message_text(text)[0].startswith(growing(text[:at]))


@settings(max_examples=500)
@given(any_text, st.integers(0, 300), st.integers(0, 300))
def test_a_stream_only_grows(text: str, first: int, second: int) -> None:
    before, after = sorted((first, second))
    assert growing(text[:after]).startswith(growing(text[:before]))


def test_a_line_that_does_not_begin_as_a_table_is_none() -> None:
    assert sections("a | b\n---|---") == [Prose("a | b  \n---|---")]


def test_a_stream_is_not_held_back_for_long() -> None:
    assert growing("Sessions end after **8 hours** [1]. Then") == "Sessions end after **8 hours** [1]."
    assert growing("会话在八小时后结束。然后") == "会话在八小时后结束。然后"
    assert growing("First.\n\n| Host | Disk |\n") == "First."
    assert growing("First.\n\n```\ncode\n") == "First.\n\n```\ncode"
    assert growing("word " * 2_000) == ("word " * 800).rstrip()
