"""A page of the knowledge as HTML."""

import httpx
import pytest

from features.knowledge.pages.html import to_html
from search.documents import Document, IndexedPage
from search.parsing.markdown.sections import parse_markdown
from tests.console.site import Seen, look


def page(text: str, *, path: str = "it/vpn.md") -> IndexedPage:
    parsed = parse_markdown(text, path=path)
    document = Document("hand book", path, parsed.title, parsed.root, content_hash="", allow=("staff",), language="en")
    return IndexedPage(document=document, markdown=parsed.text)


def seen(text: str, *, path: str = "it/vpn.md") -> Seen:

    return look(httpx.Response(200, text=to_html(page(text, path=path))))


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\ntext\n\n## B\n\n### C\n\n## B\n\nmore",
        "before\n\n# A\n\n> # quoted\n\n- # listed\n\n## B",
        "# A\n\n<div>\n# not a heading\n</div>\n\n## B\n\nText\n====\n\n## C {#own}",
        "# A\n\n```\n# code\n```\n\n<!-- # gone -->\n\n## 会话时长\n\n文字",
        "no heading at all",
        "",
    ],
)
def test_every_section_has_the_anchor_that_citations_use(text: str) -> None:
    anchors = [section.anchor for section in page(text).sections][1:]
    drawn = [section["id"] for section in seen(text).all("section") if "id" in section]

    assert drawn == anchors


@pytest.mark.parametrize(
    ("written", "leads_to"),
    [
        ("wifi.md", "/knowledge/page/hand%20book/it/wifi.md"),
        ("../hr/leave.md#carry-over", "/knowledge/page/hand%20book/hr/leave.md#carry-over"),
        ("/hr/leave.md", "/knowledge/page/hand%20book/hr/leave.md"),
        ("#install", "#install"),
        ("../zh/vpn.md#会话", "/knowledge/page/hand%20book/zh/vpn.md#%E4%BC%9A%E8%AF%9D"),
        ("https://example.com/x?a=1&b=2", "https://example.com/x?a=1&b=2"),
        ("mailto:it@example.com", "mailto:it@example.com"),
    ],
)
def test_links_lead_to_pages_of_the_same_source_or_away(written: str, leads_to: str) -> None:
    assert seen(f"[there]({written})").links == [leads_to]


@pytest.mark.parametrize(
    "written",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "../../../etc/passwd",
        "..%2f..%2f..%2fetc",
        "vbscript:x",
    ],
)
def test_a_link_that_leads_astray_is_none(written: str) -> None:
    assert seen(f"[there]({written})").links == []


def test_raw_html_and_pictures_are_shown_as_text() -> None:
    drawn = seen("# A\n\n<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> ![a photo](photo.png)")

    assert not drawn.all("script")
    assert not drawn.all("img")
    assert "alert(1)" in drawn.text
    assert "[a photo]" in drawn.text


def test_a_link_away_tells_nothing_about_where_it_came_from() -> None:
    [link] = seen("[there](https://example.com)").all("a")

    assert link["rel"] == "noopener noreferrer"
