"""Which addresses belong to a crawl."""

import pytest

from search.sources.crawling.scope import MOST_VARIANTS, CrawlScope, Traps, is_file, is_other


@pytest.mark.parametrize(
    ("start", "inside", "outside"),
    [
        ("/", ["/", "/a/b", "/a?x=1"], []),
        ("/docs/", ["/docs/", "/docs/a", "/docs"], ["/doc", "/docs2/", "/"]),
        ("/docs", ["/docs", "/docs/a"], ["/docs-old/a", "/"]),
        ("/docs/index.html", ["/docs/", "/docs/a/b.html"], ["/blog/"]),
    ],
)
def test_a_crawl_stays_at_and_below_its_start(start: str, inside: list[str], outside: list[str]) -> None:
    scope = CrawlScope(start=f"https://example.com{start}")
    assert all(scope.covers(f"https://example.com{path}") for path in inside)
    assert not any(scope.covers(f"https://example.com{path}") for path in outside)


@pytest.mark.parametrize(
    "address",
    ["https://www.example.com/a", "https://example.com.evil.org/a", "https://example.com:8443/a", "http://127.0.0.1/a"],
)
def test_and_on_its_host(address: str) -> None:
    assert not CrawlScope(start="https://example.com/").covers(address)


def test_http_and_https_are_one_site() -> None:
    assert CrawlScope(start="https://example.com/").covers("http://example.com/a")


def test_patterns_say_otherwise() -> None:
    scope = CrawlScope(start="https://example.com/docs/", include=("/docs/*", "/中*"), exclude=("*/print/*",))
    assert scope.covers("https://example.com/docs/")
    assert scope.covers("https://example.com/docs/a/b")
    assert scope.covers("https://example.com/%E4%B8%AD%E6%96%87")
    assert not scope.covers("https://example.com/docs/print/a")
    assert not scope.covers("https://example.com/blog")


def test_names_tell_what_holds_no_text() -> None:
    assert is_other("https://example.com/a/LOGO.PNG?v=2")
    assert not is_other("https://example.com/v1.2")
    assert is_file("https://example.com/a.PDF")
    assert is_file("https://example.com/a.doc")
    assert not is_file("https://example.com/a.html")


def test_a_calendar_ends() -> None:
    traps = Traps()
    months = [f"https://example.com/calendar?month={number}" for number in range(MOST_VARIANTS + 9)]
    assert [traps.catches(each) for each in months] == [False] * MOST_VARIANTS + [True] * 9
    assert traps.endless == {"/calendar"}
    assert not traps.catches("https://example.com/search?q=a")


@pytest.mark.parametrize(
    ("path", "caught"),
    [
        ("/a/a/a/x", True),
        ("/docs/en/docs/en/docs/en", True),
        ("/a/a/b", False),
        ("/1/1/1/x", False),
        ("/2026/11/11/11/x", False),
        ("/a/b/a/c/a", False),
    ],
)
def test_paths_that_go_round_in_circles(path: str, caught: bool) -> None:
    assert Traps().catches(f"https://example.com{path}") is caught
