from datetime import date

import pytest

from search.documents import UnitKind
from search.errors import FileUnreadable
from search.parsing.converted import Kind, ParsedPage
from search.parsing.html import reader
from tests.search.parsing.making import page, sections, texts

GUIDE = """<!doctype html><html><head><title>VPN guide</title><style>p { color: red }</style>
<meta property="article:modified_time" content="2024-05-06T10:00:00Z"><script>tracked()</script></head><body>
<header>The intranet</header><nav><a href="/">Start</a></nav>
<main><h1>VPN <a class="headerlink" href="#vpn">¶</a></h1>
<p>Install the <b>client</b> from <a href="../files/client.html">here</a>.<br>Then restart.</p>
<ul><li>one<ul><li>inner</li></ul></li><li><p>two</p><pre>run
  it</pre></li></ul>
<ol start="3"><li>third</li></ol>
<div style="color: red; display: none">secret one</div><p hidden>secret two</p>
<template>secret three</template><noscript>secret four</noscript>
<table><caption>Codes</caption><tr><th>Code<th colspan=2>Meaning</tr>
<tr><td>7|a<td>asleep<td><p>now</p><p>later</p></table>
<h2>Next steps</h2><a href="more.html">More</a></main>
<footer>Imprint</footer></body></html>"""


def read(html: str | bytes) -> ParsedPage:
    content = html.encode() if isinstance(html, str) else html
    return page(reader.convert(content), Kind.HTML, "it/vpn.html")


def test_headings_make_the_sections_and_the_head_the_title() -> None:
    found = read(GUIDE)
    assert set(sections(found)) == {(), ("VPN",), ("VPN", "Next steps")}
    assert (found.title, found.updated) == ("VPN guide", date(2024, 5, 6))


def test_blocks_become_the_same_units_as_in_markdown() -> None:
    found = sections(read(GUIDE))
    assert texts(found["VPN",]) == [
        "Install the client from [here](../files/client.html).  \nThen restart.",
        "- one\n    - inner\n- two",
        "```\nrun\n  it\n```",
        "3. third",
        "Codes",
        "| Code | Meaning |  |\n| --- | --- | --- |\n| 7\\|a | asleep | now later |",
    ]
    assert [unit.kind for unit in found["VPN", "Next steps"].units] == [UnitKind.NAVIGATION]


@pytest.mark.parametrize("unseen", ["secret", "tracked", "color", "Start", "intranet", "Imprint", "¶"])
def test_what_is_not_shown_or_stands_around_the_page_is_left_out(unseen: str) -> None:
    assert unseen not in read(GUIDE).text


def test_without_a_main_part_header_and_footer_are_read() -> None:
    found = read("<body><header><h1>Rules</h1></header><p>Text.</p><footer>Valid from May.</footer></body>")
    assert found.text == "# Rules\n\nText.\n\nValid from May."


def test_words_outside_any_block_and_inside_unknown_elements_are_kept() -> None:
    found = read("loose <x-card>in a card<div>and inside</div>after</x-card> end")
    assert " ".join(found.text.split()) == "loose in a card and inside after end"


def test_a_heading_that_ends_in_a_mark_of_its_own_keeps_it() -> None:
    assert list(sections(read("<h2>Using C#</h2>text"))) == [(), ("Using C#",)]


def test_blocks_inside_a_heading_are_words_of_their_own() -> None:
    assert list(sections(read("<h4>fn get<div>where</div>T</h4>text"))) == [(), ("fn get where T",)]


def test_what_stands_around_a_main_that_holds_most_of_the_words_is_left_out() -> None:
    around = "<div id=menu><a href=/>Home</a></div><div>Home &gt; IT</div>"
    text = "The monitor is ordered in the hardware shop and comes within five days."
    found = read(f"<body><h1>Monitors</h1>{around}<main><p>{text}</p></main><p>Imprint</p></body>")
    assert found.text == f"# Monitors\n\n{text}"
    found = read(f"<body>{around}<main><p>{text}</p></main><p>{text} {text}</p></body>")
    assert found.text.count(text) == 3
    assert "Home" in found.text


def test_line_ends_inside_chinese_are_no_spaces() -> None:
    assert read("<p>每年\n  十天</p>").text == "每年十天"


def test_addresses_that_run_code_or_hold_data_are_dropped() -> None:
    found = read(
        '<p><a href="javascript:x()">a</a> <a href="#top">b</a> <img alt="cat" src="data:image/png;base64,AA"></p>'
    )
    assert found.text == "a b ![cat]()"


def test_numbered_clauses_are_headings_where_a_page_has_none() -> None:
    found = read("<title>手册</title><p><b>第一章</b> 总则</p><p>甲。</p><p>第二章 附则</p><p>乙。</p>")
    assert set(sections(found)) == {(), ("第一章 总则",), ("第二章 附则",)}


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ('<meta charset="gb2312"><p>年假十天</p>'.encode("gb18030"), "年假十天"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><p>Grüße “x”</p>'.encode("cp1252"), "Grüße “x”"),
        ("<p>naïve</p>".encode("utf-16"), "naïve"),
    ],
)
def test_the_encoding_is_the_one_that_the_page_names(html: bytes, words: str) -> None:
    assert read(html).text == words


def test_deep_nesting_is_read_to_its_end() -> None:
    assert read("<p>start</p>" + "<div>" * 600 + "deep" + "</div>" * 600 + "<p>end</p>").text.split() == [
        "start",
        "deep",
        "end",
    ]
    assert read("<b>" * 600 + "deep").text == "deep"


@pytest.mark.parametrize("html", ["<html></html>", "<p hidden>x</p>", "<script>x</script>"])
def test_a_page_that_shows_nothing_is_told(html: str) -> None:
    with pytest.raises(FileUnreadable, match="no text"):
        read(html)
