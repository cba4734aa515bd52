"""Crawls a site as fast as it can, until somebody kills it."""

import asyncio
import sys
from pathlib import Path

from search.parsing.apart.readers import FileReaders, ReaderLimits
from search.sources.crawling.crawl import crawl
from search.sources.crawling.plan import CrawlLimits, Plan
from storage.clock import SystemClock


async def main(url: str, folder: Path) -> None:
    with FileReaders(ReaderLimits(processes=1)) as readers:
        plan = Plan(start=f"{url}/", limits=CrawlLimits(requests_per_second=1_000, at_once=2))
        await crawl(plan, folder, clock=SystemClock(), readers=readers)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
