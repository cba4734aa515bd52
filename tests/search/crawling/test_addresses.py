"""One page has one address."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.sources.crawling.addresses import LONGEST, canonical, host_of, shown


@pytest.mark.parametrize(
    ("given_address", "expected"),
    [
        ("HTTP://Example.COM:80/a/../b/./c#part", "http://example.com/b/c"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com./a", "https://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://münchen.de/a b", "http://xn--mnchen-3ya.de/a%20b"),
        ("http://a.de/中文?q=中", "http://a.de/%E4%B8%AD%E6%96%87?q=%E4%B8%AD"),
        ("http://a.de/%7euser/%e4%b8", "http://a.de/~user/%E4%B8"),
        ("http://a.de/x?b=2&a=1", "http://a.de/x?a=1&b=2"),
        ("http://a.de/x?utm_source=m&id=3&gclid=9&PHPSESSID=a", "http://a.de/x?id=3"),
        ("http://a.de/x;jsessionid=5A?utm_medium=m", "http://a.de/x"),
        (" http://a.de/x\n", "http://a.de/x"),
        ("http://a.de/x\ny", "http://a.de/xy"),
        ("http://a.de/%2e%2e/%2E%2e/etc/passwd", "http://a.de/etc/passwd"),
    ],
)
def test_different_ways_to_write_it_are_one(given_address: str, expected: str) -> None:
    assert canonical(given_address) == expected


@pytest.mark.parametrize(
    "address",
    [
        "",
        "mailto:a@example.com",
        "file:///etc/passwd",
        "ftp://example.com/",
        "//example.com/a",
        "http://",
        "http://user:secret@example.com/",
        "http://user@example.com/",
        "http://example.com\\@other.example/",
        "http://[bad",
        "http://a.de:99999/",
        "http://a.de/" + "x" * LONGEST,
    ],
)
def test_what_may_not_be_asked_for_has_none(address: str) -> None:
    assert canonical(address) is None


@given(st.text(max_size=60), st.text(max_size=40), st.sampled_from(["http", "https"]))
def test_the_one_form_is_its_own_and_plain_ascii(path: str, query: str, scheme: str) -> None:
    once = canonical(f"{scheme}://example.com/{path}?{query}")
    if once is not None:
        assert canonical(once) == once
        assert once.isascii()
        assert once.isprintable()
        assert " " not in once
        assert urlsplit(once).fragment == ""
        assert host_of(once) == ("example.com", 0)


@given(st.text(max_size=80))
def test_no_host_is_too_strange(host: str) -> None:
    once = canonical(f"http://{host}/")
    assert once is None or (canonical(once) == once and urlsplit(once).hostname)


@given(st.text(max_size=60))
def test_whatever_is_handed_in_is_an_address_or_none(text: str) -> None:
    found = canonical(text)
    assert found is None or urlsplit(found).scheme in {"http", "https"}


def test_what_is_told_of_an_address_leaves_its_query_out() -> None:
    assert shown("https://example.com/a%20b?token=secret#x") == "https://example.com/a b?…"
