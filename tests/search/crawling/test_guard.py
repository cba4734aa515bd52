"""A crawl never reaches into the own network by the back door."""

from collections.abc import Sequence

import pytest

from search.errors import CrawlFolderUnusable, CrawlImpossible
from search.sources.crawling.fetching.guard import ConnectionForbidden, ConnectionGuard, HostUnknown, is_public
from tests.fakes.website import Website, links, page, redirect
from tests.search.crawling.crawling import Crawls, told


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_the_internet(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "2002:7f00:1::1",
        "2002:c0a8:101::",
    ],
)
def test_the_own_network(address: str) -> None:
    assert not is_public(address)


class Names:
    """A name service that a test writes; each name answers its addresses in turn, the last one for ever."""

    def __init__(self, **names: list[list[str]]) -> None:
        self.names = {name.replace("_", "."): answers for name, answers in names.items()}

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        del port
        answers = self.names.get(host)
        if answers is None:
            raise OSError(host)
        return answers.pop(0) if len(answers) > 1 else answers[0]


async def test_all_addresses_of_a_name_count() -> None:
    guard = ConnectionGuard(resolve=Names(public_example=[["1.1.1.1"]], mixed_example=[["1.1.1.1", "10.0.0.1"]]))
    assert await guard.addresses("public.example", 443) == ("1.1.1.1",)
    with pytest.raises(ConnectionForbidden):
        await guard.addresses("mixed.example", 443)
    with pytest.raises(HostUnknown):
        await guard.addresses("nowhere.example", 443)


async def test_a_name_that_becomes_a_private_address_later_gains_nothing() -> None:
    guard = ConnectionGuard(resolve=Names(rebinding_example=[["1.1.1.1"], ["127.0.0.1"]]))
    await guard.trust("rebinding.example", 80)
    with pytest.raises(ConnectionForbidden):
        await guard.addresses("rebinding.example", 80)


async def test_what_was_asked_for_by_name_may_be_private_and_nothing_else() -> None:
    names = Names(wiki_example=[["10.0.0.1"]], other_example=[["10.0.0.2"]])
    guard = ConnectionGuard(resolve=names)
    await guard.trust("wiki.example", 80)
    assert await guard.addresses("wiki.example", 80) == ("10.0.0.1",)
    with pytest.raises(ConnectionForbidden):
        await guard.addresses("other.example", 80)
    assert await ConnectionGuard(private=True, resolve=names).addresses("other.example", 80) == ("10.0.0.2",)


async def test_the_connection_goes_to_the_address_that_was_judged(crawls: Crawls, website: Website) -> None:
    website.served = {"/": page("<p>Home.</p>")}
    port = website.url.rpartition(":")[2]
    crawls.guard = ConnectionGuard(resolve=Names(handbook_example=[["127.0.0.1"]]))
    await crawls(f"http://handbook.example:{port}/")
    assert {headers["host"] for headers in website.headers} == {f"handbook.example:{port}"}
    assert f"url: http://handbook.example:{port}/" in crawls.read("index.md")


@pytest.mark.parametrize("path", ["/", "/robots.txt"])
async def test_no_redirect_leads_into_the_own_network(crawls: Crawls, website: Website, path: str) -> None:
    port = website.url.rpartition(":")[2]
    inside = f"http://inside.example:{port}/secret"
    website.served = {"/": page("<p>Home.</p>"), path: redirect(inside), "/secret": page("<p>Secret.</p>")}
    names = Names(handbook_example=[["127.0.0.1"]], inside_example=[["127.0.0.1"]])
    crawls.guard = ConnectionGuard(resolve=names)
    with pytest.raises(CrawlImpossible, match="--private"):
        await crawls(f"http://handbook.example:{port}/")
    assert "/secret" not in website.asked


async def test_no_link_and_no_sitemap_does_either(crawls: Crawls, website: Website) -> None:
    inside = website.url.replace("127.0.0.1", "localhost")
    website.served = {
        "/": page("<p>Home.</p>" + links(f"{inside}/secret", "file:///etc/passwd", "http://169.254.169.254/")),
        "/robots.txt": redirect("/rules"),
        "/rules": page(f"Sitemap: {inside}/sitemap.xml"),
        "/secret": page("<p>Secret.</p>"),
    }
    report = await crawls()
    assert set(crawls.files) == {"index.md"}
    assert "/secret" not in website.asked
    assert told(report) == {}


async def test_nothing_is_carried_along(crawls: Crawls, website: Website) -> None:
    website.served = {"/": page("<p>Home.</p>" + links("/a", website.url.replace("//", "//user:secret@") + "/b"))}
    website.served["/a"] = redirect("/c")
    await crawls()
    assert all(not {"cookie", "authorization", "referer"} & set(headers) for headers in website.headers)
    assert "/b" not in website.asked


async def test_no_link_on_disk_leads_a_page_out_of_the_folder(crawls: Crawls, website: Website) -> None:
    outside = crawls.folder.parent / "outside"
    outside.mkdir()
    website.served = {"/": page("<p>Home.</p>")}
    await crawls()
    (crawls.folder / "docs").symlink_to(outside, target_is_directory=True)
    website.served = {"/": page("<p>Home.</p>" + links("/docs/page")), "/docs/page": page("<p>Page.</p>")}
    with pytest.raises(CrawlFolderUnusable, match="leads out of the folder"):
        await crawls()
    assert list(outside.iterdir()) == []
