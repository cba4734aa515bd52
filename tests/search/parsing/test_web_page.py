"""A page of a web site: its own text, its links, its address, the wishes of its owner."""

import pytest

from search.errors import FileUnreadable
from search.parsing.apart.readers import FileReaders, ReaderLimits
from search.parsing.converted import Converted, Kind, PageLink
from search.parsing.fetched import Fetched, joined, unpacked
from search.parsing.html.web_page import convert

ADDRESS = "https://example.com/docs/setup/"


def read(html: str, *, charset: str = "", encoding: str = "utf-8") -> Converted:
    return convert(Fetched(ADDRESS, html.encode(encoding), charset).packed())


def test_a_response_survives_its_way_to_the_other_process() -> None:
    fetched = Fetched("https://example.com/ä", b"\n{}\n\0\xff", "gbk")
    assert unpacked(fetched.packed()) == fetched


def test_what_stands_around_the_text_is_left_out() -> None:
    page = read(
        "<body><a class='skip-link' href='#main'>Skip to content</a><header>Acme Home</header>"
        "<div id='onetrust-banner-sdk'>We value your privacy</div><div class='cookie-banner'>We use cookies</div>"
        "<div><h1>Set up</h1><p>Plug it in.</p><p class='cookies'>Eat cookies.</p>"
        "<article><header>By Ada</header><p>Inside.</p><footer>Last words</footer></article></div>"
        "<aside>Related</aside><footer>© Acme</footer></body>"
    )
    assert page.markdown == "# Set up\n\nPlug it in.\n\nEat cookies.\n\nBy Ada\n\nInside.\n\nLast words"


@pytest.mark.parametrize(
    "html",
    [
        "<body><div role=banner><main><p>The text.</p></main></div></body>",
        "<body class='cookie-consent'><div class='no-cookie-banner'><article><p>The text.</p></article></div></body>",
        "<body class='cookie-banner'><p>The text.</p></body>",
        "<body><article class='post tag-cookie-consent'><p>The text.</p></article></body>",
        "<body><div><aside>The text.</aside></div></body>",
    ],
)
def test_the_text_is_never_left_out_with_its_surroundings(html: str) -> None:
    assert read(html).markdown == "The text."


def test_the_heading_stays_wherever_it_stands() -> None:
    page = read("<div><header><h1>Set up</h1><p>In short.</p></header><p>Text.</p></div><footer>Acme</footer>")
    assert page.markdown == "# Set up\n\nIn short.\n\nText."


def test_the_name_of_the_site_is_no_heading_of_each_page() -> None:
    page = read(
        "<title>Variables - The Book</title><div class=menu><h1>The Book</h1></div>"
        "<main><h2>Variables</h2><p>They vary, as their name says.</p></main>"
    )
    assert (page.title, page.markdown) == ("Variables", "## Variables\n\nThey vary, as their name says.")


def test_the_heading_of_the_page_stays_where_it_stands_before_its_text() -> None:
    page = read("<title>Set up | Acme</title><div><h1>Set up</h1></div><main><p>Plug it in.</p></main>")
    assert (page.title, page.markdown) == ("Set up", "# Set up\n\nPlug it in.")


def test_links_lead_to_the_site_and_are_listed_once_each() -> None:
    page = read(
        "<head><base href='/base/'><link rel=next href='/two'>"
        "<meta http-equiv=Refresh content=\"5; url='later'\"></head>"
        "<p><a href='a b'>One</a> <a href='/x#part'>Two</a> <a href='/x'>Again</a> <a href='#top'>Top</a>"
        "<a href='mailto:a@b.c'>Mail</a><a href='javascript:void(0)'>No</a><a rel='nofollow ugc' href='/trap'>Trap</a>"
        "<a href='http://[bad'>Bad</a> <img alt='Map' src='m.png'></p>"
    )
    assert page.links == tuple(
        PageLink(f"https://example.com{path}") for path in ("/base/later", "/two", "/base/a b", "/x", "/base/")
    )
    assert "[One](https://example.com/base/a%20b)" in page.markdown
    assert "![Map](https://example.com/base/m.png)" in page.markdown


def test_a_page_without_text_still_leads_somewhere() -> None:
    page = read("<title>Hub</title><nav><a href='/a'>A</a></nav>")
    assert (page.markdown, page.title, page.links) == ("", "Hub", (PageLink("https://example.com/a"),))
    assert page.remark == "holds no text that is shown"


def test_the_head_tells_language_address_and_wishes() -> None:
    page = read(
        "<html lang='zh-CN'><head><link rel=canonical href='../setup'><meta name=ROBOTS content='NoIndex'>"
        "<meta property='article:modified_time' content='2026-03-01T10:00:00Z'></head><p>文字</p>"
    )
    assert page.about == {"language": "zh-CN", "canonical": "https://example.com/docs/setup", "robots": "noindex"}
    assert page.updated is not None
    assert page.updated.isoformat() == "2026-03-01"


def test_a_page_that_asks_for_it_leads_nowhere() -> None:
    page = read("<meta name=robots content=none><p>Text <a href='/a'>A</a></p>")
    assert (page.links, page.about["robots"]) == ((), "noindex,nofollow")


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Set up | Acme</title><h1>Set up</h1>", "Set up"),
        ("<title>Acme – Set up</title><meta property='og:site_name' content='Acme'><h1>a</h1><h1>b</h1>", "Set up"),
        ("<title>Set up | Acme</title><h1>Other words</h1>", "Set up | Acme"),
        ("<title>Set Up: Acme</title><h1>Set up</h1><h1>More</h1>", "Set up"),
        ("<title>Set up-to-date</title><h1>Set up</h1><h1>More</h1>", "Set up-to-date"),
        ("<title>Set upon us</title><h1>Set up</h1><h1>More</h1>", "Set upon us"),
        ("<title>Acme</title><meta property='og:site_name' content='Acme'><p>x</p>", "Acme"),
        ("<h1>Only a heading ¶</h1><p>x</p>", "Only a heading ¶"),
    ],
)
def test_the_title_is_the_pages_own(html: str, title: str) -> None:
    assert read(html).title == title


def test_the_encoding_that_the_server_names_holds() -> None:
    assert read("<p>重置密码</p>", charset="GB2312", encoding="gb18030").markdown == "重置密码"
    assert read("<meta charset=gbk><p>重置密码</p>", encoding="gb18030").markdown == "重置密码"


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(FileUnreadable):
        convert(Fetched(ADDRESS, bytes(range(256)) * 20).packed())


def test_it_is_read_in_a_process_of_its_own() -> None:
    packed = Fetched(ADDRESS, b"<html lang=en><p>Hello <a href=/a>A</a></p>").packed()
    with FileReaders(ReaderLimits(processes=1)) as readers:
        [found] = readers.read([(Kind.WEB_PAGE, packed)])
    assert isinstance(found, Converted)
    assert (found.markdown, found.links) == ("Hello [A](https://example.com/a)", (PageLink("https://example.com/a"),))
    assert found.about == {"language": "en"}


@pytest.mark.parametrize("target", ["", "  ", "mailto:a@b.c", "ftp://a/b", "http://[bad", "javascript:1"])
def test_what_is_no_web_address_leads_nowhere(target: str) -> None:
    assert joined(ADDRESS, target) == ""
