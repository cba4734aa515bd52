"""Untrusted text becomes safe HTML: what is not in our subset is shown as it was written."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.markdown.parsing import InlineMark, Links, to_html, to_words
from tests.scale import scaled

MARKS = {
    1: InlineMark(url="/knowledge/page/hb/it/vpn.md#connect", label="Source 1: VPN"),
    2: InlineMark("/x", "Source 2: X"),
}
TAGS = {
    "p",
    "strong",
    "em",
    "code",
    "pre",
    "a",
    "span",
    "ul",
    "ol",
    "li",
    "blockquote",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "div",
    "br",
    "hr",
}
ATTRIBUTES = {"href", "class", "aria-label", "rel", "target", "tabindex", "start"}


class Seen(HTMLParser):
    """Collects what a browser would make of the HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str | None]:
        return [attributes.get("href") for tag, attributes in self.tags if tag == "a"]


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("**bold** and *italic*", "<p><strong>bold</strong> and <em>italic</em></p>\n"),
        ("`a < b`", "<p><code>a &lt; b</code></p>\n"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"),
        ("```sh\nls <dir>\n```", '<pre tabindex="0"><code>ls &lt;dir&gt;\n</code></pre>\n'),
        ("# Heading", '<p class="strong">Heading</p>\n'),
        ("one\ntwo", "<p>one<br />\ntwo</p>\n"),
        ("按 **确认** 键", "<p>按 <strong>确认</strong> 键</p>\n"),
    ],
)
def test_the_subset_is_drawn(written: str, drawn: str) -> None:
    assert to_html(written) == drawn


def test_a_table_scrolls_by_itself_and_keeps_its_alignment_without_inline_style() -> None:
    html = to_html("| a | b |\n|---|--:|\n| 1 | <2> |")

    assert '<div class="scroll" tabindex="0"><table>' in html
    assert '<td class="right">&lt;2&gt;</td>' in html
    assert "style=" not in html


def test_a_citation_mark_leads_to_its_source() -> None:
    seen = Seen(to_html("Open the client [1][2].", marks=MARKS))

    assert seen.links == ["/knowledge/page/hb/it/vpn.md#connect", "/x"]
    assert seen.tags[1][1]["aria-label"] == "Source 1: VPN"
    assert "[1][2]" in seen.text


@pytest.mark.parametrize("written", ["see [7]", "`[1]`", "[1](/elsewhere)", "```\n[1]\n```"])
def test_a_mark_without_a_source_or_inside_something_else_is_no_citation(written: str) -> None:
    assert "cite" not in to_html(written, marks=MARKS)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "//evil.example/x",
        "https://evil.example/?q=secret",
        "http:evil.example",
        "https://docs.example@evil.example/",
        "https://docs.example\\@evil.example/",
        "mailto:eve@evil.example",
        "file:///etc/passwd",
        "relative/path",
        "https://[broken",
    ],
)
def test_a_link_that_may_not_be_followed_is_shown_as_it_was_written(url: str) -> None:
    html = to_html(f"[click]({url}) <{url}>", links=Links(hosts=frozenset({"docs.example"})))

    assert Seen(html).links == []


@pytest.mark.parametrize("url", ["/\\evil.example", "\t/x", "/x\n", " javascript:x", "\x00/x"])
def test_an_address_that_parsers_read_differently_is_refused(url: str) -> None:
    assert not Links().allows(url)


def test_our_own_pages_and_listed_hosts_are_linked() -> None:
    html = to_html("[a](/tickets/TCK-1) [b](https://docs.example/x)", links=Links(hosts=frozenset({"docs.example"})))

    assert Seen(html).links == ["/tickets/TCK-1", "https://docs.example/x"]
    assert html.count('rel="noopener noreferrer nofollow"') == 1


def test_pictures_and_raw_html_stay_text() -> None:
    html = to_html('![x](/pixel.png) <img src=x onerror="alert(1)"><script>alert(1)</script>\n\n<b>block</b>')

    assert {tag for tag, _ in Seen(html).tags} <= {"p", "a"}
    assert "&lt;script&gt;" in html


def test_a_reference_definition_cannot_hide_a_target() -> None:
    assert Seen(to_html("[text][1]\n\n[1]: /steal", marks={})).links == []


@settings(max_examples=scaled(2_000, least=100))
@given(
    st.lists(
        st.sampled_from(
            [
                "<",
                ">",
                '"',
                "'",
                "&",
                "[",
                "]",
                "(",
                ")",
                "!",
                "`",
                "*",
                "_",
                "\n",
                "\n\n",
                "|",
                "-",
                "1",
                "[1]",
                "/a",
                "javascript:",
                "https://evil.example",
                "<script>",
                "onload=",
                "&#60;",
                "\x00",
                "\\",
                " ",
                "x",
                "中",
                "#",
            ]
        ),
        max_size=40,
    )
)
def test_no_text_makes_markup_outside_of_the_subset(parts: list[str]) -> None:
    seen = Seen(to_html("".join(parts), marks=MARKS))

    assert {tag for tag, _ in seen.tags} <= TAGS
    assert {name for _, attributes in seen.tags for name in attributes} <= ATTRIBUTES
    addresses = [attributes["href"] or "" for _, attributes in seen.tags if "href" in attributes]
    assert [each for each in addresses if not each.startswith(("/", "#")) or each.startswith("//")] == []


@pytest.mark.parametrize("piece", ["[", "**", "`", "> ", "- ", "|a", "<", "![", "[1]", "_a_ ", "\\", "1. ", "&amp"])
def test_hostile_text_is_drawn_in_reasonable_time(piece: str) -> None:
    started = time.process_time()
    to_html((piece * 8_000)[:8_000], marks=MARKS)

    assert time.process_time() - started < 2


def test_fence_names_are_not_drawn() -> None:
    assert not re.search("onclick", to_html('```py" onclick="alert(1)\nx\n```'))


def test_words_are_what_a_reader_reads() -> None:
    text = (
        "# Title\n\n> **Bold** *it* [VPN](https://a.example) `x<y>` <b>\nnext [1]\n\n- one\n\n```\na\nb\n```\n\n"
        "|A|B|\n|-|-|\n|1|2|"
    )
    assert to_words(text) == "Title\nBold it VPN x<y> <b>\nnext [1]\none\na\nb\nA\nB\n1\n2"
    assert to_words(" ") == ""
