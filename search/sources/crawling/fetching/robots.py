"""robots.txt as RFC 9309 has it: what may be asked for, how often, and where the sitemaps are."""

from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from protego import Protego

from search.parsing.fetched import joined
from search.sources.crawling.addresses import canonical, shown
from search.sources.crawling.fetching.fetcher import NotFetched, SiteResponse
from search.sources.crawling.fetching.pacing import LONGEST_DELAY_S, Asker
from search.sources.crawling.plan import AGENT

_MOST_BYTES = 512_000
_MOST_HOPS = 5


@dataclass(frozen=True)
class Robots:
    """The wishes of a site."""

    rules: Protego = field(default_factory=lambda: Protego.parse(""))
    sitemaps: tuple[str, ...] = ()

    def allows(self, address: str) -> bool:
        """Say whether the address may be asked for."""
        return bool(self.rules.can_fetch(address, AGENT))

    @property
    def delay_s(self) -> float:
        """Return the seconds that are wanted between two requests, 0 when none are named."""
        delay = self.rules.crawl_delay(AGENT) or 0.0
        rate = self.rules.request_rate(AGENT)
        try:
            return max(delay, rate.seconds / rate.requests if rate is not None and rate.requests else 0.0)
        except OverflowError:  # more digits than a number has
            return delay

    @property
    def remark(self) -> str:
        """Return a line about a wish that is not met, or ""."""
        if self.delay_s <= LONGEST_DELAY_S:
            return ""
        return f"asks for {self.delay_s:.0f} seconds between two pages; {LONGEST_DELAY_S:.0f} are kept"


async def read_robots(asker: Asker, start: str) -> Robots:
    """Return the wishes of the site; without a file everything is allowed, without an answer nothing is known.

    Raises `NotFetched`: a site that cannot say what it allows is not crawled.
    """
    address = urljoin(start, "/robots.txt")
    for _ in range(_MOST_HOPS):
        answer = await asker.get(address, wanted=_wanted)
        target = canonical(joined(address, answer.headers["location"])) if answer.is_redirect else None
        if target is None:
            return _understood(answer, start)
        address = target
    raise NotFetched(f"redirects more than {_MOST_HOPS} times", later=False)


def _wanted(answer: SiteResponse) -> int:
    return 10 * _MOST_BYTES if answer.status == 200 else 0


def _understood(answer: SiteResponse, start: str) -> Robots:
    if answer.status != 200:
        return Robots()
    rules = Protego.parse(answer.content[:_MOST_BYTES].decode("utf-8-sig", "ignore"))
    host = urlsplit(start).hostname
    named = (canonical(joined(start, line)) for line in rules.sitemaps)
    return Robots(rules=rules, sitemaps=tuple(one for one in named if one and urlsplit(one).hostname == host))


def told(address: str) -> str:
    """Return how a page that may not be asked for is told."""
    return f"{shown(address)} may not be asked for, says robots.txt"
