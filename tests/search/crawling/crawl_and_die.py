"""Crawls a site as fast as it can, until somebody kills it."""

import asyncio
import sys
from pathlib import Path

from search.parsing.apart.readers import Limits as ReaderLimits
from search.parsing.apart.readers import Readers
from search.sources.crawling.crawl import crawl
from search.sources.crawling.plan import Limits, Plan
from storage.clock import SystemClock


async def main(url: str, folder: Path) -> None:
    with Readers(ReaderLimits(processes=1)) as readers:
        plan = Plan(start=f"{url}/", limits=Limits(requests_per_second=1_000, at_once=2))
        await crawl(plan, folder, clock=SystemClock(), readers=readers)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
