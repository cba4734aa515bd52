"""A site becomes a folder of Markdown in the site's own structure."""

import gzip

import pytest
import yaml

from search.errors import CrawlFolderUnusable, CrawlImpossible
from search.sources.folder import FolderSource
from search.sources.origins import Origins
from tests.fakes.website import Served, Website, links, page, redirect, text
from tests.search.crawling.crawling import Crawls, told
from tests.search.parsing.making import pdf

PDF = b"%PDF-1.4\nnot a real one"


@pytest.fixture
def handbook(website: Website) -> Website:
    """Return a small handbook."""
    website.served = {
        "/": page("<h1>Home</h1>" + links("/docs/", "/blog/"), title="Home"),
        "/docs/": page("<h1>Docs</h1>" + links("setup/", "faq.html", "plan.pdf"), title="Docs | Acme"),
        "/docs/setup/": page(
            "<main><h1>Set up</h1><p>Plug it in.</p></main><footer>Acme</footer>", title="Set up | Acme"
        ),
        "/docs/faq.html": page("<h1>FAQ</h1><p>Ask.</p>" + links("/docs/setup/#top", "../blog/"), title="FAQ"),
        "/docs/plan.pdf": Served(PDF, headers={"content-type": "application/pdf"}),
        "/blog/": page("<h1>Blog</h1><p>News.</p>", title="Blog"),
    }
    return website


@pytest.mark.usefixtures("handbook", "no_blocking")
async def test_pages_lie_where_they_lie_on_the_site(crawls: Crawls) -> None:
    report = await crawls("/docs/")
    assert set(crawls.files) == {"docs/index.md", "docs/setup/index.md", "docs/faq.md"}
    assert (report.added, report.problems, report.unfinished) == (3, (), "")
    assert report.left_out == {"file": 1}
    assert (crawls.steps[-1].done, crawls.steps[-1].total) == (3, 3)


async def test_a_page_says_where_it_came_from_and_is_indexed_as_any_file(crawls: Crawls, handbook: Website) -> None:
    await crawls("/docs/")
    front, _, body = crawls.read("docs/setup/index.md").removeprefix("---\n").partition("---\n")
    assert yaml.safe_load(front) == {
        "title": "Set up",
        "url": f"{handbook.url}/docs/setup/",
        "language": "en",
        "fetched": crawls.clock.now().replace(microsecond=0).isoformat(),
    }
    assert body.strip() == "# Set up\n\nPlug it in."
    assert f"[setup/]({handbook.url}/docs/setup/)" in crawls.read("docs/index.md")
    source = FolderSource("web", crawls.folder, default_allow=("staff",))
    loaded = await source.load(sorted((await source.listing()).hashes))
    assert {one.document.path: one.document.title for one in loaded.pages} == {
        "docs/faq.md": "FAQ",
        "docs/index.md": "Docs",
        "docs/setup/index.md": "Set up",
    }


@pytest.mark.usefixtures("handbook")
async def test_files_are_saved_as_they_are_where_that_is_wanted(crawls: Crawls) -> None:
    await crawls("/docs/", files=True)
    assert (crawls.folder / "docs/plan.pdf").read_bytes() == PDF
    again = await crawls("/docs/", files=True)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 4)


@pytest.mark.usefixtures("handbook")
async def test_patterns_widen_and_narrow(crawls: Crawls) -> None:
    await crawls("/docs/", include=("/docs/*", "/blog/*"), exclude=("*/setup/*",))
    assert set(crawls.files) == {"docs/index.md", "docs/faq.md", "blog/index.md"}
    await crawls("/docs/", exclude=("*/faq*",))
    assert set(crawls.files) == {"docs/index.md", "docs/setup/index.md"}


async def test_robots_are_heard(crawls: Crawls, handbook: Website) -> None:
    handbook.served["/robots.txt"] = text(
        "User-agent: *\nDisallow: /\n\nUser-agent: dutydesk\nDisallow: /docs/s*\nCrawl-delay: 7\n", "text/plain"
    )
    report = await crawls()
    assert set(crawls.files) == {"index.md", "docs/index.md", "docs/faq.md", "blog/index.md"}
    assert report.left_out["robots"] == 1
    assert not any(path.startswith("/docs/s") for path in handbook.asked)
    assert report.seconds >= 7 * (report.requests - 3)
    assert all(headers["user-agent"].startswith("dutydesk/") for headers in handbook.headers)


async def test_a_site_that_forbids_it_is_not_crawled(crawls: Crawls, handbook: Website) -> None:
    handbook.served["/robots.txt"] = text("User-agent: *\nDisallow: /\n", "text/plain")
    with pytest.raises(CrawlImpossible, match="does not allow"):
        await crawls()
    handbook.served["/robots.txt"] = Served(status=503)
    with pytest.raises(CrawlImpossible, match="nobody knows what the site allows"):
        await crawls()


async def test_sitemaps_lead_to_what_nothing_links_to(crawls: Crawls, handbook: Website) -> None:
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    urls = f"<url><loc>{handbook.url}/docs/alone</loc><lastmod>2026-02-03</lastmod></url><url><loc>/other</loc></url>"
    packed = gzip.compress(f"<urlset {space}>{urls}</urlset>".encode())
    handbook.served |= {
        "/robots.txt": text("Sitemap: /index.xml\nSitemap: http://elsewhere.example/s.xml\n", "text/plain"),
        "/index.xml": text(
            f"<sitemapindex {space}><sitemap><loc>/a.xml.gz</loc></sitemap><sitemap><loc>/gone.xml</loc></sitemap>"
            "</sitemapindex>",
            "application/xml",
        ),
        "/a.xml.gz": Served(packed, headers={"content-type": "application/x-gzip"}),
        "/docs/alone": page("<p>Alone.</p>", title="Alone"),
        "/other": page("<p>Other.</p>"),
    }
    report = await crawls("/docs/")
    assert yaml.safe_load(crawls.read("docs/alone.md").split("---")[1])["updated"] == "2026-02-03"
    assert "other.md" not in crawls.files
    assert told(report) == {f"{handbook.url}/gone.xml": "sitemap answers 404 (Not Found)"}


async def test_one_page_under_several_names_is_one_file(crawls: Crawls, website: Website) -> None:
    names = ("/a", "/a/", "/a?utm_source=x", "/a#part", "/print?id=a", "/canonical", "/moved", "/b", "/lost")
    body = "<h1>A</h1><p>Text.</p>"
    website.served = {
        "/": page("<h1>Home</h1>" + links(*names)),
        "/a": page(body),
        "/a/": redirect("/a"),
        "/print": page(body),
        "/canonical": page("<p>Nearly the same.</p>", head="<link rel=canonical href='/a?utm_medium=y'>"),
        "/moved": redirect("/b", status=302),
        "/b": page("<p>B says that it is the home page.</p>", head="<link rel=canonical href='/'>"),
        "/lost": page("<p>Names what is not there.</p>", head="<link rel=canonical href='/nowhere'>"),
    }
    report = await crawls()
    assert set(crawls.files) == {"index.md", "a.md", "b.md", "lost.md"}
    assert report.duplicates == 1
    assert website.counts["/a"] == 1


async def test_redirects_in_circles_and_out_of_the_site_end(crawls: Crawls, website: Website) -> None:
    website.served = {
        "/": page("<p>Home.</p>" + links("/round", "/out", "/long/0")),
        "/round": redirect("/about"),
        "/about": redirect("/round"),
        "/out": redirect("http://elsewhere.example/"),
        **{f"/long/{number}": redirect(f"/long/{number + 1}") for number in range(200)},
    }
    report = await crawls()
    assert set(crawls.files) == {"index.md"}
    assert report.left_out == {"elsewhere": 1, "depth": 1}
    assert len(website.asked) < 40


async def test_wishes_of_a_page_are_met(crawls: Crawls, website: Website) -> None:
    website.served = {
        "/": page("<p>Home.</p>" + links("/hidden", "/headed", "/dead-end")),
        "/hidden": page("<p>Secret.</p>" + links("/below"), head="<meta name=robots content=noindex>"),
        "/below": page("<p>Below.</p>"),
        "/headed": Served(b"<p>x</p>", headers={"content-type": "text/html", "x-robots-tag": "noindex"}),
        "/dead-end": page("<p>End.</p>" + links("/never"), head="<meta name=robots content=nofollow>"),
        "/never": page("<p>Never.</p>"),
    }
    report = await crawls()
    assert set(crawls.files) == {"index.md", "below.md", "dead-end.md"}
    assert report.left_out == {"noindex": 2}


async def test_what_is_sent_decides_not_what_it_is_called(crawls: Crawls, website: Website) -> None:
    website.served = {
        "/": page("<p>Home.</p>" + links("/gb", "/notes.txt", "/README.md", "/image", "/liar", "/empty", "/data.json")),
        "/gb": Served("<h1>重置密码</h1>".encode("gb18030"), headers={"content-type": "text/html; charset=gb2312"}),
        "/notes.txt": text("Plain # words\n", "text/plain"),
        "/README.md": text("---\naccess: {allow: [public]}\n---\n# Read me\n\nWell.\n", "text/markdown"),
        "/image": Served(b"\x89PNG", headers={"content-type": "image/png"}),
        "/liar": Served(PDF, headers={"content-type": "text/html"}),
        "/empty": page("<script>draw()</script>"),
    }
    report = await crawls()
    assert set(crawls.files) == {"index.md", "gb.md", "notes.md", "README.md"}
    assert "重置密码" in crawls.read("gb.md")
    assert "access" not in crawls.read("README.md")
    assert report.left_out == {"type": 2, "file": 1, "empty": 1}


async def test_no_page_decides_who_may_read_it(crawls: Crawls, website: Website) -> None:
    website.served = {
        "/": page("<p>Home.</p>" + links("/.access.yaml", "/x/.access.yaml", "/front")),
        "/.access.yaml": text("allow: [public]\n", "text/plain"),
        "/x/.access.yaml": text("allow: [staff]\n", "text/plain"),
        "/front": page("<p>---\naccess: {allow: [public]}\n---</p>", title="a\naccess: {allow: [public]}"),
    }
    await crawls()
    source = FolderSource("web", crawls.folder, default_allow=("group:it",))
    loaded = await source.load(sorted((await source.listing()).hashes))
    assert len(loaded.pages) == 4
    assert {one.document.allow for one in loaded.pages} == {("group:it",)}


@pytest.mark.parametrize(
    "start", ["ftp://example.com/", "example.com", "file:///etc/passwd", "http://a:b@example.com/"]
)
async def test_an_address_that_is_none_is_told(crawls: Crawls, start: str) -> None:
    with pytest.raises(CrawlImpossible):
        await crawls(start if "://" in start else f"://{start}")


async def test_a_folder_of_somebody_else_is_left_alone(crawls: Crawls, handbook: Website) -> None:
    crawls.folder.mkdir()
    (crawls.folder / "mine.md").write_text("Mine.")
    with pytest.raises(CrawlFolderUnusable, match="other files"):
        await crawls()
    (crawls.folder / "mine.md").unlink()
    await crawls("/docs/")
    with pytest.raises(CrawlFolderUnusable, match=f"the crawl of {handbook.url}/docs/"):
        await crawls("/blog/")


async def test_every_page_and_file_leads_to_where_it_was_fetched(handbook: Website, crawls: Crawls) -> None:
    handbook.served["/docs/plan.pdf"] = Served(
        pdf([["The plan is to lift."]], title="Plan"), headers={"content-type": "application/pdf"}
    )
    report = await crawls("/docs/", files=True)
    source = FolderSource("docs", crawls.folder, origins=Origins(site=report.site))
    first = await source.listing()
    loaded = await source.load(sorted(first.hashes))

    assert {page.document.path: page.document.url for page in loaded.pages} == {
        "docs/faq.md": f"{handbook.url}/docs/faq.html",
        "docs/index.md": f"{handbook.url}/docs/",
        "docs/plan.pdf": f"{handbook.url}/docs/plan.pdf",
        "docs/setup/index.md": f"{handbook.url}/docs/setup/",
    }
    assert {page.document.path: page.document.content_hash for page in loaded.pages} == first.hashes

    elsewhere = FolderSource("docs", crawls.folder, origins=Origins(site="https://docs.example.org/"))
    unknown = FolderSource("docs", crawls.folder)
    for other in (elsewhere, unknown):
        listed = await other.listing()
        assert {page.document.url for page in (await other.load(sorted(listed.hashes))).pages} == {""}


@pytest.mark.usefixtures("handbook")
async def test_a_journal_that_cannot_be_read_takes_no_page_away(crawls: Crawls) -> None:
    report = await crawls("/docs/")
    (crawls.folder / ".crawl.jsonl").write_bytes(b'{"address": 7, "path": []}\n[]\n\xff\n{"address": "x"}\n{"pa')
    source = FolderSource("docs", crawls.folder, origins=Origins(site=report.site))
    assert len((await source.listing()).hashes) == 3
