"""A site is crawled again and again: what changed, what is gone, what was interrupted."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import pytest

from search.errors import CrawlFolderUnusable, CrawlImpossible
from search.sources.crawling.kept.journal import LOCK, NAME
from tests.fakes.website import Answering, Served, Website, links, page, redirect
from tests.processes import ROOT
from tests.scale import scaled
from tests.search.crawling.crawling import Crawls, told


def numbered(count: int) -> dict[str, Served | Answering]:
    """Return a home page that links to so many pages."""
    pages = {f"/p/{number}": page(f"<p>Page {number}.</p>" + links("/")) for number in range(count)}
    return {"/": page("<p>Home.</p>" + links(*pages)), **pages}


async def test_what_did_not_change_is_not_sent_again(crawls: Crawls, website: Website) -> None:
    website.served = numbered(6)
    first = await crawls()
    before = {path: (crawls.folder / path).stat().st_mtime_ns for path in crawls.files}
    website.forget()
    again = await crawls()
    assert (first.added, again.added, again.changed, again.unchanged) == (7, 0, 0, 7)
    assert website.not_modified == 7
    assert before == {path: (crawls.folder / path).stat().st_mtime_ns for path in crawls.files}


async def test_what_changed_is_written_anew_and_its_new_links_are_followed(crawls: Crawls, website: Website) -> None:
    website.served = numbered(2)
    await crawls()
    website.served["/p/1"] = page("<p>Page 1, second edition.</p>" + links("/new"))
    website.served["/new"] = page("<p>New.</p>")
    website.served["/p/0"] = Served(b"<p>Page 0.</p><a href=/>/</a>", headers={"content-type": "text/html"})
    report = await crawls()
    assert (report.added, report.changed, report.unchanged) == (1, 2, 1)
    assert "second edition" in crawls.read("p/1.md")


async def test_a_file_that_somebody_removed_comes_back(crawls: Crawls, website: Website) -> None:
    website.served = numbered(2)
    await crawls()
    (crawls.folder / "p/0.md").unlink()
    await crawls()
    assert "Page 0." in crawls.read("p/0.md")


@pytest.mark.parametrize("instead", [None, Served(status=410), redirect("/p/0"), redirect("http://other.example/")])
async def test_what_is_gone_is_removed_with_its_empty_folders(
    crawls: Crawls, website: Website, instead: Served | None
) -> None:
    website.served = numbered(2) | {"/deep/down/": page("<p>Deep.</p>")}
    website.served["/p/1"] = page("<p>Page 1.</p>" + links("/deep/down/"))
    await crawls()
    assert "deep/down/index.md" in crawls.files
    website.served.pop("/deep/down/")
    if instead is not None:
        website.served["/deep/down/"] = instead
    report = await crawls()
    assert report.removed == 1
    assert not (crawls.folder / "deep").exists()
    website.served["/deep/down/"] = page("<p>Deep again.</p>")
    assert (await crawls()).added == 1


async def test_a_page_that_nothing_links_to_any_more_stays_while_it_is_there(crawls: Crawls, website: Website) -> None:
    website.served = numbered(2)
    await crawls()
    website.served["/"] = page("<p>Leads nowhere.</p>")
    report = await crawls()
    assert report.removed == 0
    assert "p/1.md" in crawls.files


async def test_nothing_is_removed_while_the_site_is_away(crawls: Crawls, website: Website) -> None:
    website.served = numbered(3)
    await crawls()
    before = crawls.files
    website.away = True
    with pytest.raises(CrawlImpossible, match="nothing was changed"):
        await crawls()
    website.away = False
    start = website.served.pop("/")
    with pytest.raises(CrawlImpossible, match="404"):
        await crawls()
    website.served = {"/": start}
    assert crawls.files == before
    assert (await crawls()).removed == 3


async def test_an_address_that_was_wrong_leaves_the_folder_free(crawls: Crawls, website: Website) -> None:
    website.served = numbered(1)
    with pytest.raises(CrawlImpossible, match="404"):
        await crawls("/wrong")
    assert (await crawls()).added == 2


async def test_a_site_that_loses_most_of_its_pages_at_once_is_not_believed(crawls: Crawls, website: Website) -> None:
    website.served = numbered(40)
    await crawls()
    website.served = {"/": website.served["/"]}
    report = await crawls()
    assert report.removed == 0
    assert len(crawls.files) == 41
    assert "40 of 41 pages are not there any more" in told(report)[f"{website.url}/"]


async def test_a_page_that_fails_is_kept_as_it_was(crawls: Crawls, website: Website) -> None:
    website.served = numbered(2)
    await crawls()
    website.served["/p/0"] = Served(status=500)
    report = await crawls()
    assert "Page 0." in crawls.read("p/0.md")
    expected = "answers 500 (Internal Server Error); what was fetched before is kept"
    assert told(report) == {f"{website.url}/p/0": expected}
    website.served = numbered(2)
    assert (await crawls()).unchanged == 3


async def test_a_duplicate_takes_over_when_the_first_one_goes(crawls: Crawls, website: Website) -> None:
    website.served = {
        "/": page("<p>Home.</p>" + links("/one", "/two", "/three")),
        "/one": page("<p>The same.</p>"),
        "/two": page("<p>The same.</p>"),
        "/three": page("<p>Other.</p>", head="<link rel=canonical href='/one'>"),
    }
    await crawls(limits={"at_once": 1})
    assert set(crawls.files) == {"index.md", "one.md"}
    website.served.pop("/one")
    await crawls()
    assert {"index.md", "three.md"} < set(crawls.files)
    assert "The same." in crawls.read("two.md")


async def test_a_run_that_met_a_limit_goes_on_there(crawls: Crawls, website: Website) -> None:
    website.served = numbered(20)
    first = await crawls(limits={"pages": 8, "at_once": 1})
    assert first.unfinished == "the limit of 8 pages is reached (--pages)"
    website.forget()
    second = await crawls()
    assert (second.added, second.unfinished, len(crawls.files)) == (13, "", 21)
    assert "/p/3" not in website.asked


async def test_an_end_in_the_middle_of_a_line_loses_that_line_only(crawls: Crawls, website: Website) -> None:
    website.served = numbered(3)
    await crawls(limits={"pages": 3, "at_once": 1})
    journal = crawls.folder / NAME
    journal.write_bytes(journal.read_bytes()[:-25])
    await crawls()
    assert len(crawls.files) == 4
    assert all(json.loads(line) for line in journal.read_text().splitlines())


async def test_a_folder_is_filled_by_one_crawl_at_a_time(crawls: Crawls, website: Website) -> None:
    website.served = numbered(1)
    entered, leave = asyncio.Event(), asyncio.Event()

    async def slow(_: object) -> None:
        entered.set()
        await leave.wait()

    website.before = slow
    first = asyncio.create_task(crawls())
    await entered.wait()
    with pytest.raises(CrawlFolderUnusable, match="being filled"):
        await crawls()
    leave.set()
    assert (await first).added == 2
    assert (crawls.folder / LOCK).exists()


async def run_and_kill(url: str, folder: Path, *, after: int, website: Website) -> int:
    """Run a crawl in a process of its own and kill it after so many requests; return its exit code."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.search.crawling.crawl_and_die", url, str(folder), cwd=ROOT
    )
    async with asyncio.timeout(60):
        while len(website.asked) < after and process.returncode is None:  # noqa: ASYNC110 - the site tells nobody
            await asyncio.sleep(0.002)
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        return await process.wait()


async def test_kill_9_leaves_whole_files_and_the_next_run_finishes(crawls: Crawls, website: Website) -> None:
    website.served = numbered(60)
    codes = []
    for kill in range(scaled(20, least=4)):
        asked = len(website.asked)
        codes.append(await run_and_kill(website.url, crawls.folder, after=asked + 4 + 3 * kill, website=website))
        assert all(text.endswith(")\n") for text in crawls.files.values())
    assert -signal.SIGKILL in codes
    report = await crawls()
    assert report.unfinished == ""
    assert len(crawls.files) == 61
    pages = [path for path in website.asked if path.startswith("/p/")]
    assert len(pages) < 61 + 6 * len(codes)
