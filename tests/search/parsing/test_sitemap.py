"""A sitemap: addresses, days, further sitemaps; packed, damaged, hostile."""

import gzip

import pytest

from search.errors import FileUnreadable
from search.parsing.apart.exchange import Unreadable
from search.parsing.apart.readers import FileReaders, ReaderLimits
from search.parsing.converted import Converted, Kind, PageLink
from search.parsing.fetched import Fetched
from search.parsing.html.sitemap import convert

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
URLS = f"""<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}>
<url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-03-01T08:00:00+00:00</lastmod></url>
<url><loc>/b</loc><lastmod>soon</lastmod></url><url><lastmod>2026-01-01</lastmod></url><url><loc>http://[bad</loc></url>
</urlset>""".encode()
LINKS = (PageLink("https://example.com/a?x=1&y=2", updated="2026-03-01"), PageLink("https://example.com/b"))


def read(content: bytes) -> Converted:
    return convert(Fetched("https://example.com/sitemap.xml", content).packed())


@pytest.mark.parametrize("content", [URLS, gzip.compress(URLS), b"\xef\xbb\xbf" + URLS])
def test_addresses_and_their_days(content: bytes) -> None:
    found = read(content)
    assert (found.links, dict(found.about), found.remark) == (LINKS, {}, "")


def test_an_index_names_sitemaps() -> None:
    found = read(f"<sitemapindex {SPACE}><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>".encode())
    assert (found.links, found.about) == ((PageLink("https://example.com/one.xml.gz"),), {"index": "yes"})


def test_a_list_of_lines() -> None:
    found = read(b"https://example.com/a\n\n # note\nhttps://example.com/b\n")
    assert found.links == (PageLink("https://example.com/a"), PageLink("https://example.com/b"))


def test_what_stood_before_the_damage_counts() -> None:
    found = read(URLS[:-40])
    assert found.links == LINKS
    assert found.remark.startswith("is no valid XML")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<urlset><url>", "no valid XML"),
        (gzip.compress(URLS)[:40], "cannot be unpacked"),
        (gzip.compress(b"<" + b" " * 61_000_000), "unpacks to more than 60 MB"),
    ],
)
def test_what_is_none_is_told(content: bytes, why: str) -> None:
    with pytest.raises(FileUnreadable, match=why):
        read(content)


def test_entities_neither_grow_nor_read_files() -> None:
    laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    hostile = [
        f'<!DOCTYPE u [<!ENTITY a0 "ha">{laughs}]><urlset><url><loc>/&a12;</loc></url></urlset>',
        '<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/hostname">]><urlset><url><loc>/&f;</loc></url></urlset>',
    ]
    packed = [(Kind.SITEMAP, Fetched("https://example.com/s.xml", text.encode()).packed()) for text in hostile]
    with FileReaders(ReaderLimits(processes=1, seconds=20, memory_mb=500)) as readers:
        said = [found.why for found in readers.read(packed) if isinstance(found, Unreadable)]
    assert len(said) == len(packed)
    assert all("no valid XML" in why for why in said)
