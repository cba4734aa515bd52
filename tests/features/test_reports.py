"""Reports of staff, and the tickets that are made of them: what stands in a report, and nothing that does not."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

from features.tickets.understanding.extract import Extractor
from tickets.config import TicketsConfig


class Report(BaseModel):
    """A report, and what a ticket may hold of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    category: str
    priority: str = "normal"
    title: str
    fields: dict[str, str]


REPORTS = [Report(**each) for each in yaml.safe_load((Path(__file__).parent / "reports.yaml").read_text("utf-8"))]
#: Every other report was used for tuning; the rest was held back.
TUNED, HELD = REPORTS[0::2], REPORTS[1::2]


def shares(reports: Sequence[Report]) -> dict[str, float]:
    """Return the shares of fields, titles, categories and priorities that are exact, and of values made up."""
    extractor = Extractor(TicketsConfig())
    made = [(report, extractor.draft(report.text)) for report in reports]
    found = [(report, name, value) for report, draft in made for name, value in draft.fields.items()]
    wanted = [(draft, name, value) for report, draft in made for name, value in report.fields.items()]
    return {
        "exact": sum(draft.fields.get(name) == value for draft, name, value in wanted) / len(wanted),
        "made_up": sum(name not in report.fields for report, name, _ in found) / len(found),
        "title": sum(draft.title == report.title for report, draft in made) / len(made),
        "category": sum(draft.category == report.category for report, draft in made) / len(made),
        "priority": sum(draft.priority == report.priority for report, draft in made) / len(made),
    }


@pytest.mark.parametrize(
    ("reports", "least"),
    [
        (TUNED, {"exact": 0.97, "title": 0.97, "category": 0.95, "priority": 0.97}),
        (HELD, {"exact": 0.85, "title": 0.9, "category": 0.84, "priority": 0.96}),
    ],
    ids=["tuned", "held"],
)
def test_a_ticket_holds_what_the_report_says(reports: list[Report], least: dict[str, float]) -> None:
    found = shares(reports)

    assert len(reports) >= 30
    assert found["made_up"] <= 0.01, found
    assert all(found[name] >= share for name, share in least.items()), found
