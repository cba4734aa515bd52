"""Sites that are busy, slow, broken, huge or endless: one clear line each, and the rest goes on."""

import gzip

import pytest

from search.sources.crawling.fetching.fetcher import SiteResponse
from search.sources.crawling.scope import MOST_VARIANTS
from storage.clock import ManualClock, SystemClock
from tests.fakes.website import Served, Website, dribble, links, page, text
from tests.search.crawling.crawling import Crawls, told


class Busy:
    """Answers 429 or 503 so many times, then its page."""

    def __init__(self, times: int, *, status: int = 429, retry_after: str = "") -> None:
        self.times = times
        self.status = status
        self.headers = {"retry-after": retry_after} if retry_after else {}

    def now(self) -> Served:
        self.times -= 1
        return Served(status=self.status, headers=self.headers) if self.times >= 0 else page("<p>At last.</p>")


async def crawl_past(crawls: Crawls, website: Website, busy: Busy) -> float:
    """Crawl a site with one busy page; return the virtual seconds that it took."""
    website.served = {"/": page("<p>Home.</p>" + links("/busy"))}

    async def become(_: object) -> None:
        if website.asked[-1] == "/busy":
            website.served["/busy"] = busy.now()

    website.before = become
    return (await crawls()).seconds


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_busy_page_is_asked_again_later(crawls: Crawls, website: Website, status: int) -> None:
    await crawl_past(crawls, website, Busy(2, status=status))
    assert "At last." in crawls.read("busy.md")


async def test_a_site_is_left_alone_for_as_long_as_it_asks(crawls: Crawls, website: Website) -> None:
    assert await crawl_past(crawls, website, Busy(1, retry_after="120")) >= 120
    assert "At last." in crawls.read("busy.md")


async def test_a_site_that_wants_to_be_left_alone_for_a_day_is_told(crawls: Crawls, website: Website) -> None:
    assert await crawl_past(crawls, website, Busy(9, retry_after="86400")) < 3_600
    report = await crawls()
    what = "answers 429 (Too Many Requests) and asks to come back in 86400 seconds"
    assert told(report) == {f"{website.url}/busy": what}


def test_a_moment_is_a_retry_after_too() -> None:
    clock = ManualClock()
    answer = SiteResponse("http://a/", 429, {"retry-after": "Thu, 01 Jan 2026 09:00:30 GMT"})
    assert answer.retry_after_s(clock.now()) == 30
    assert SiteResponse("http://a/", 429, {"retry-after": "soon"}).retry_after_s(clock.now()) is None


async def test_the_pace_is_kept_whatever_runs_at_once(crawls: Crawls, website: Website) -> None:
    website.served = {"/": page("<p>Home.</p>" + links(*(f"/{number}" for number in range(30))))}
    website.served |= {f"/{number}": page(f"<p>{number}</p>") for number in range(30)}
    report = await crawls(limits={"requests_per_second": 4.0, "at_once": 8})
    assert report.requests == 34
    assert report.seconds >= (34 - 1) / 4


async def test_a_page_that_never_ends_is_given_up(crawls: Crawls, website: Website) -> None:
    website.served = {"/": page("<p>Home.</p>" + links("/endless", "/next")), "/endless": dribble}
    website.served["/next"] = page("<p>Next.</p>")
    crawls.clock = SystemClock()
    report = await crawls(limits={"page_seconds": 0.3, "tries": 1, "requests_per_second": 50.0})
    assert told(report) == {f"{website.url}/endless": "takes longer than 0 seconds"}
    assert set(crawls.files) == {"index.md", "next.md"}


async def test_huge_pages_are_left_out_whether_they_say_so_or_not(crawls: Crawls, website: Website) -> None:
    bomb = gzip.compress(b"<p>" + b"x" * 30_000_000)
    html = {"content-type": "text/html"}
    website.served = {
        "/": page("<p>Home.</p>" + links("/huge", "/bomb")),
        "/huge": Served(b"x" * 300_000, headers=html),
        "/bomb": Served(bomb, headers={**html, "content-encoding": "gzip"}),
    }
    report = await crawls(limits={"page_bytes": 200_000})
    assert told(report) == {f"{website.url}/{name}": "is larger than 0.2 MB" for name in ("huge", "bomb")}


async def test_a_damaged_answer_is_one_line(crawls: Crawls, website: Website) -> None:
    html = {"content-type": "text/html"}
    website.served = {
        "/": page("<p>Home.</p>" + links("/packed", "/login", "/bytes")),
        "/packed": Served(b"no gzip", headers={**html, "content-encoding": "gzip"}),
        "/login": Served(status=401),
        "/bytes": Served(bytes(range(256)) * 20, headers=html),
    }
    assert told(await crawls()) == {
        f"{website.url}/packed": "is packed in a way that cannot be unpacked",
        f"{website.url}/login": "answers 401 (Unauthorized)",
        f"{website.url}/bytes": "is no text",
    }


async def test_an_endless_calendar_ends(crawls: Crawls, website: Website) -> None:
    async def month(_: object) -> None:
        path, _, query = website.asked[-1].partition("?month=")
        if path == "/calendar":
            following = f"/calendar?month={int(query or 0) + 1}"
            website.served[website.asked[-1]] = page(f"<p>Month {query}.</p>" + links(following))

    website.served = {"/": page("<p>Home.</p>" + links("/calendar"))}
    website.before = month
    report = await crawls(limits={"depth": 10_000})
    assert len(crawls.files) == MOST_VARIANTS + 2
    assert report.left_out == {"trap": 1}
    assert told(report)["/calendar"].startswith("has ever new parameters")


async def test_links_that_go_wrong_with_each_step_end(crawls: Crawls, website: Website) -> None:
    async def deeper(_: object) -> None:
        website.served[website.asked[-1]] = page(f"<p>{len(website.asked)}</p>" + links("more/", "other/"))

    website.served = {"/robots.txt": text("", "text/plain"), "/sitemap.xml": Served(status=404)}
    website.before = deeper
    report = await crawls(limits={"depth": 6})
    assert report.unfinished == ""
    assert report.left_out["trap"] > 0
    assert len(crawls.files) < 128


async def test_a_site_that_stops_answering_ends_the_run_and_nothing_is_lost(crawls: Crawls, website: Website) -> None:
    paths = [f"/{number}" for number in range(40)]
    website.served = {"/": page("<p>Home.</p>" + links(*paths)), **{path: page(f"<p>{path}</p>") for path in paths}}

    async def leave(_: object) -> None:
        website.away = len(website.asked) > 12

    website.before = leave
    report = await crawls(limits={"tries": 1})
    assert "stopped answering" in report.unfinished
    website.before, website.away = None, False
    again = await crawls()
    assert (again.unfinished, len(crawls.files)) == ("", 41)


async def test_a_broken_part_of_a_site_does_not_end_the_run(crawls: Crawls, website: Website) -> None:
    broken = {f"/broken/{number}": Served(status=500) for number in range(25)}
    website.served = {"/": page("<p>Home.</p>" + links(*broken, "/well")), "/well": page("<p>Well.</p>"), **broken}
    report = await crawls(limits={"tries": 1})
    assert report.unfinished == ""
    assert set(crawls.files) == {"index.md", "well.md"}
    assert len(report.problems) == 25


async def test_marks_that_cannot_be_sent_back_are_not(crawls: Crawls, website: Website) -> None:
    home, notes = b"<p>Home.</p><a href=/notes.txt>Notes</a>", "Notes, ähnlich.".encode("latin-1")
    website.served = {
        "/": Served(home, headers={"content-type": "text/html; charset=idna", "etag": '"ä"'}),
        "/notes.txt": Served(notes, headers={"content-type": "text/plain; charset=idna", "etag": '"ä"'}),
    }
    await crawls()
    assert (await crawls()).unchanged == 2


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"pages": 3}, "the limit of 3 pages is reached"),
        ({"total_bytes": 500}, "the limit of 0.0005 MB is reached"),
        ({"seconds": 6.0}, "the limit of 0.1 minutes is reached"),
    ],
)
async def test_a_limit_ends_a_run_and_is_told(
    crawls: Crawls, website: Website, limits: dict[str, float], why: str
) -> None:
    paths = [f"/{number}" for number in range(40)]
    website.served = {"/": page("<p>Home.</p>" + links(*paths)), **{path: page(f"<p>{path}</p>") for path in paths}}
    report = await crawls(limits={**limits, "at_once": 1})
    assert report.unfinished.startswith(why)
    assert 0 < len(crawls.files) < 20
