"""Asking politely: one host's pace, its wish to be left alone, and trying again later."""

import random
from collections.abc import Mapping

from search.sources.crawling.fetching.fetcher import Fetcher, NotFetched, SiteResponse, Wanted
from search.sources.crawling.plan import CrawlLimits
from storage.clock import Clock

_FIRST_PAUSE_S = 1.0
#: A delay that robots.txt asks for beyond this is told, not obeyed: nobody means one page an hour.
LONGEST_DELAY_S = 60.0


class Pace:
    """Turns of one host: so many a second, none while it wants to be left alone."""

    def __init__(self, clock: Clock, *, requests_per_second: float) -> None:
        self._clock = clock
        self.interval_s = 1 / requests_per_second
        self._next = clock.monotonic()

    def slow_down(self, interval_s: float) -> None:
        """Leave at least so many seconds between two requests."""
        self.interval_s = max(self.interval_s, min(interval_s, LONGEST_DELAY_S))

    def pause(self, seconds: float) -> None:
        """Give nobody a turn for so long."""
        self._next = max(self._next, self._clock.monotonic() + seconds)

    async def turn(self) -> None:
        """Wait for a turn; turns come in the order in which they were asked for."""
        now = self._clock.monotonic()
        mine = max(self._next, now)
        self._next = mine + self.interval_s
        while (wait := mine - now) > 0:
            await self._clock.sleep(wait)
            now = self._clock.monotonic()


class Asker:
    """Asks for addresses at the host's pace, again where that may help."""

    def __init__(self, fetcher: Fetcher, clock: Clock, limits: CrawlLimits) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._limits = limits
        self.pace = Pace(clock, requests_per_second=limits.requests_per_second)
        self.asked = 0

    async def get(self, address: str, *, wanted: Wanted, headers: Mapping[str, str] | None = None) -> SiteResponse:
        """Return an answer that stands; raise `NotFetched` when there is none after every try."""
        for attempt in range(1, self._limits.tries + 1):
            await self.pace.turn()
            self.asked += 1
            last = attempt == self._limits.tries
            try:
                answer = await self._fetcher.get(address, wanted=wanted, headers=headers)
            except NotFetched as error:
                if last or not error.later:
                    raise
                await self._clock.sleep(_pause(attempt))
                continue
            if not answer.is_for_later:
                return answer
            await self._leave_alone(answer, attempt, last=last)
        raise RuntimeError("tries is less than one")

    async def _leave_alone(self, answer: SiteResponse, attempt: int, *, last: bool) -> None:
        """Wait as long as the server asks, or longer with each time; raise `NotFetched` where that is too long."""
        asked = answer.retry_after_s(self._clock.now())
        seconds = max(asked or 0.0, _pause(attempt))
        if answer.status in {429, 503}:
            self.pace.pause(min(seconds, self._limits.longest_pause_s))
        if asked is not None and asked > self._limits.longest_pause_s:
            raise NotFetched(f"{answer.said} and asks to come back in {asked:.0f} seconds", later=True)
        if last:
            raise NotFetched(answer.said, later=True)
        await self._clock.sleep(seconds)


def _pause(attempt: int) -> float:
    """Return seconds that double with each attempt, each a little different so that not all come back at once."""
    return float(_FIRST_PAUSE_S * 2 ** (attempt - 1) * random.uniform(0.8, 1.2))  # noqa: S311 - no secret
