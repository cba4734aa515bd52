"""Untrusted text in Teams: no tag, no picture, no link that says another place; data is seen as it is."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given, settings

from adapters.markdown.text import WORD_JOINER, cleaned
from adapters.teams.drawing.text import exact, harmless, line, link, plain, unruled, verbatim
from tests.adapters.teams.commonmark import TAG, any_text, links, shown, tokens


@settings(max_examples=400)
@given(any_text)
def test_no_tag_no_picture_and_only_links_to_the_web_come_out(text: str) -> None:
    safe = harmless(text)
    assert not TAG.search(safe)
    assert not TAG.search(unescape(safe))
    kinds = {each.type for each in tokens(safe)}
    assert not kinds & {"html_inline", "html_block", "image"}
    for address, words in links(safe):
        assert address.startswith(("http://", "https://"))
        named = re.search(r"https?://[^\s/]+", words)
        assert named is None or urlsplit(named[0]).hostname == urlsplit(address).hostname


@settings(max_examples=400)
@given(any_text)
def test_nothing_is_added_to_a_text_but_what_is_invisible(text: str) -> None:
    for safe in (harmless(text), plain(text), verbatim(text)):
        assert safe.replace(WORD_JOINER, "") == cleaned(text).replace(WORD_JOINER, "")


@settings(max_examples=400)
@given(any_text)
@example("_db_main_ *01* <b> & `x` ~~y~~ &amp; \\* C:\\Users\\ada")
@example("# title")
@example("1. item")
@example("[x](https://evil.example)")
def test_data_is_seen_as_it_is(text: str) -> None:
    said = " ".join(cleaned(text).split())
    written = exact(said)
    assert shown(written).replace(WORD_JOINER, "") == said.replace(WORD_JOINER, "")
    kinds = {each.type for each in tokens(written)}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


@settings(max_examples=400)
@given(any_text)
@example("a\n---\n- b\n\n    *c*\n|x|\n|-|\n1. d\n> e")
def test_lines_of_data_are_seen_as_they_are(text: str) -> None:
    written = exact(text)
    kinds = {each.type for each in tokens(written)}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "hardbreak"}
    assert re.sub(rf"[\s{WORD_JOINER}]", "", shown(written)) == re.sub(rf"[\s{WORD_JOINER}]", "", cleaned(text))


def test_ordinary_names_and_numbers_are_not_escaped() -> None:
    for said in (
        "TCK-2026-000123",
        "db_main_01",
        "C:\\Users\\ada",
        "ada@desk.example",
        "5 < 6",
        "~5 min",
        "工单_一",
    ):
        assert exact(said) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<at>Ada</at>", f"<{WORD_JOINER}at>Ada<{WORD_JOINER}/at>"),
        ("&lt;at&gt;", f"&lt;{WORD_JOINER}at&gt;"),
        ("a < b and 1<2", "a < b and 1<2"),
        ("{{DATE(2026)}}", f"{{{WORD_JOINER}{{DATE(2026)}}}}"),
        ("https://bank.example@evil.example", f"https:{WORD_JOINER}//bank.example@evil.example"),
    ],
)
def test_what_clients_read_as_more_than_words_is_parted(text: str, said: str) -> None:
    assert plain(text) == said
    assert plain(said) == said


def test_a_link_to_the_web_stays_and_others_are_words() -> None:
    assert links(harmless("[VPN](https://desk.example/vpn_(a)#b) [1]")) == [("https://desk.example/vpn_(a)#b", "VPN")]
    for text in (
        "[x](javascript:alert(1))",
        "[x](/page)",
        "[x](msteams:/l/call)",
        "![x](https://a.example/p.png)",
        "[1]: https://a.example\n\n[1]",
        "[https://bank.example/in](https://evil.example)",
        "[https&#58;//bank.example](https://evil.example)",
        "[www.bank.example](https://evil.example)",
        "[a](https://bank.example@evil.example)",
    ):
        assert links(harmless(text)) == []


def test_words_of_a_link_are_data_and_its_address_is_the_web() -> None:
    assert link("A *b* [c]", "https://desk.example/x_(y)") == "[A \\*b\\* [c]](https://desk.example/x_%28y%29)"
    assert links(link("A *b*", "https://desk.example/x_(y)"))[0][0] == "https://desk.example/x_%28y%29"
    assert link("x", "javascript:alert(1)") == "x"
    assert link(" ", "https://desk.example") == ""


def test_a_line_of_marks_makes_no_title_of_the_line_above() -> None:
    assert unruled("---") == unruled(" * * *") == "———"
    assert unruled("=") == f"{WORD_JOINER}="
    assert unruled("- item") == "- item"
    assert unruled("**bold**") == "**bold**"


def test_a_title_is_one_line() -> None:
    assert line(" a\n b\t<at> ") == f"a b <{WORD_JOINER}at>"
