"""The site as it is met: where the start leads, what robots.txt says, which addresses a sitemap lists."""

from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from search.errors import CrawlImpossible
from search.parsing.fetched import joined
from search.sources.crawling.addresses import canonical, host_of, shown
from search.sources.crawling.fetching.fetcher import NotFetched, SiteResponse
from search.sources.crawling.fetching.pacing import Asker
from search.sources.crawling.fetching.robots import Robots, read_robots
from search.sources.crawling.plan import Plan
from search.sources.crawling.report import Tally
from search.sources.crawling.scope import CrawlScope, below
from search.sources.port import SourceProblem

_MOST_HOPS = 10


@dataclass(frozen=True)
class Site:
    """What is known before the first page is read."""

    first: str  # where the start leads
    scope: CrawlScope
    robots: Robots


async def meet(plan: Plan, start: str, asker: Asker, tally: Tally) -> Site:
    """Return the site that the start leads to; raise `CrawlImpossible` where it is away or does not want a crawl."""
    first = await _first(start, asker)
    scope = CrawlScope(start=_scope_start(start, first), include=plan.include, exclude=plan.exclude)
    try:
        robots = await read_robots(asker, first)
    except NotFetched as error:
        raise CrawlImpossible(
            f"{shown(urljoin(first, '/robots.txt'))} {error}, so nobody knows what the site allows; nothing was changed"
        ) from error
    if not robots.allows(first):
        raise CrawlImpossible(f"{shown(first)} may not be crawled: robots.txt of the site does not allow it")
    asker.pace.slow_down(robots.delay_s)
    if robots.remark:
        tally.problems.append(SourceProblem(path="robots.txt", what=robots.remark))
    return Site(first=first, scope=scope, robots=robots)


async def _first(start: str, asker: Asker) -> str:
    """Return where the start leads at last."""
    address = start
    for _ in range(_MOST_HOPS):
        try:
            answer = await asker.get(address, wanted=_nothing)
        except NotFetched as error:
            raise CrawlImpossible(f"{shown(address)} {error}; nothing was changed") from error
        target = canonical(joined(address, answer.headers["location"])) if answer.is_redirect else None
        if target is None:
            if answer.status != 200:
                raise CrawlImpossible(f"{shown(address)} {answer.said}; nothing was changed")
            return address
        address = target
    raise CrawlImpossible(f"{shown(start)} redirects in a circle")


def _scope_start(start: str, first: str) -> str:
    """Return what bounds the crawl: the start as it was given, on the host where it leads.

    A home page that leads to `/en/home` is still the whole site's; one that leads out of the part that was asked for
    stands for the part that it leads to.
    """
    asked = urlsplit(start)
    if not below(unquote(urlsplit(first).path), unquote(asked.path)):
        return first
    if host_of(start) == host_of(first):
        return start
    return urlunsplit(urlsplit(first)._replace(path=asked.path, query=""))


def _nothing(_: SiteResponse) -> int:
    return 0
