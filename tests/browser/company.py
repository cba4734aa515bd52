"""The demo company's database in a home, small, and the five questions that each client is asked."""

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sample.company import make_company
from tests.fixtures.sample_home import SAMPLE

#: Orders that are made, and rows that a statement may read without a button.
ORDERS, MOST = 8_000, 8_600


@dataclass(frozen=True)
class AskedNumbers:
    """What is asked, and what is looked for in the answer."""

    number: str = "Revenue by product kind this year?"
    chart: str = "Orders by month this year"
    refusal: str = "Average salary by department?"
    refused: str = "You may not read the column"
    ask_back: str = "top 3 products this year"
    asked_back: str = "Did you mean"
    approval: str = "SELECT count(*) AS lines FROM orders, people, customers WHERE orders.id = people.id"
    waits: re.Pattern[str] = re.compile("which reads about|that reads about")


ASKED = AskedNumbers()


def write_company(home: Path) -> None:
    """Put the sample's database and its catalogue into a home."""
    (home / "catalog").mkdir(exist_ok=True)
    shutil.copy(SAMPLE / "catalog" / "company.yaml", home / "catalog" / "company.yaml")
    named = (SAMPLE / "datasources.yaml").read_text(encoding="utf-8")
    (home / "datasources.yaml").write_text(f"{named}    most_cost: {MOST}\n", encoding="utf-8")
    make_company(home / "company.db", today=datetime.now(UTC).date(), orders=ORDERS)
