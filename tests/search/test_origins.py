"""A page leads only to the site that it was crawled from, or to hosts that an operator named."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.sources.crawling.addresses import canonical
from search.sources.origins import LONGEST, NOWHERE, Origins, site_of

SITE = Origins(site="https://docs.example.org/")
INTRANET = Origins(site="http://wiki.example.org:8080/")
NAMED = Origins(hosts=("Example.com", "handbook.example.net"))


@pytest.mark.parametrize(
    ("origins", "named", "address"),
    [
        (SITE, "https://docs.example.org/help/vpn", "https://docs.example.org/help/vpn"),
        (SITE, "https://docs.example.org:443/a", "https://docs.example.org/a"),
        (SITE, "http://docs.example.org/a", "http://docs.example.org/a"),
        (SITE, "HTTPS://Docs.Example.org./a?b=1&c=2#d", "https://docs.example.org/a?b=1&c=2#d"),
        (SITE, "https://docs.example.org/中文", "https://docs.example.org/%E4%B8%AD%E6%96%87"),
        (SITE, "https://docs.example.org/%E4%B8%AD?q=100%", "https://docs.example.org/%E4%B8%AD?q=100%25"),
        (SITE, "https://docs.example.org/a_(b)>|'\"", "https://docs.example.org/a_%28b%29%3E%7C%27%22"),
        (INTRANET, "http://wiki.example.org:8080/x", "http://wiki.example.org:8080/x"),
        (Origins(site="http://[::1]:8080/"), "http://[::1]:8080/x", "http://[::1]:8080/x"),
        (NAMED, "https://example.com/x", "https://example.com/x"),
        (NAMED, "https://a.b.example.com:8443/x", "https://a.b.example.com:8443/x"),
    ],
)
def test_an_address_of_a_place_that_is_known_may_be_linked_to(origins: Origins, named: str, address: str) -> None:
    assert origins.original(named) == address


@pytest.mark.parametrize(
    "named",
    [
        None,
        7,
        ["https://docs.example.org/"],
        "",
        "/help/vpn",
        "docs.example.org/help",
        "//docs.example.org/help",
        "https://evil.example/docs.example.org",
        "https://docs.example.org.evil.example/",
        "https://evil-docs.example.org/",
        "https://sub.docs.example.org/",
        "https://docs.example.org:8443/",
        "https://docs.example.org@evil.example/",
        "https://user:secret@docs.example.org/",
        "https://@docs.example.org/",
        "https://evil.example\\@docs.example.org/",
        "https://evil.example#@docs.example.org/",
        "https://docs.example.org/a b",
        "https://docs.example.org/a\nb",
        " https://docs.example.org/",
        "https://docs.example.org/%0d%0aSet-Cookie:a",
        "https://docs.example.org/%00",
        "https://docs.example.org/\ud800",
        "https://docs.example.org:99999/",
        "https://docs.ex%61mple.org/",
        "https://dоcs.example.org/",
        "javascript:alert(1)//docs.example.org/",
        "ftp://docs.example.org/",
        "data:text/html,https://docs.example.org/",
        "https://[docs.example.org/",
        "https://docs.example.org/" + "x" * LONGEST,
        "https://docs.example.org/" + "中" * 60,
    ],
)
def test_any_other_address_is_none(named: object) -> None:
    assert SITE.original(named) == ""


def test_where_no_place_is_known_nothing_is_linked_to() -> None:
    assert NOWHERE.original("https://docs.example.org/") == ""
    assert NOWHERE.original("http://127.0.0.1/") == ""
    assert Origins(hosts=("",)).original("https://docs.example.org/") == ""


def test_a_name_that_only_ends_alike_is_another_host() -> None:
    assert NAMED.original("https://evilexample.com/") == ""
    assert NAMED.original("https://example.net/") == ""


def test_the_fingerprint_changes_with_what_counts() -> None:
    assert NOWHERE.fingerprint == ""
    assert len({each.fingerprint for each in (NOWHERE, SITE, INTRANET, NAMED)}) == 4
    assert Origins(hosts=("a", "b")).fingerprint == Origins(hosts=("b", "a")).fingerprint


ANYTHING = st.text(max_size=40)


@given(
    st.one_of(
        ANYTHING,
        st.builds("https://{}{}".format, ANYTHING, ANYTHING),
        st.builds("https://docs.example.org{}{}".format, st.sampled_from(["", "/", "@", ":", ".", "?", "#"]), ANYTHING),
        st.builds("https://{}docs.example.org/".format, ANYTHING),
    )
)
def test_whatever_is_named_leads_to_the_site_or_nowhere(named: str) -> None:
    address = SITE.original(named)
    if address:
        parts = urlsplit(address)
        assert (parts.scheme in {"http", "https"}, parts.netloc) == (True, "docs.example.org")
        assert address.isascii()
        assert not set(address) & set("<>()[]\"'`|\\ ")
        assert len(address) <= LONGEST
        assert SITE.original(address) == address


@given(st.text(max_size=30), st.text(max_size=20))
def test_what_a_crawl_keeps_of_its_own_site_leads_there(path: str, query: str) -> None:
    address = canonical(f"http://wiki.example.org:8080/{path}?{query}")
    if address is not None and (given_back := INTRANET.original(address)):
        assert site_of(given_back) == "http://wiki.example.org:8080/"
        assert unquote(given_back) == unquote(address)
