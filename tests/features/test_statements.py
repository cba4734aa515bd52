"""Reports that use no word for a fault are told by their form from words to search for and from stories of people."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from agent.brains.rules.understanding.message import read
from features.tickets.understanding.reporting import is_report

SAID: Mapping[str, Mapping[str, Sequence[str]]] = yaml.safe_load(
    (Path(__file__).parent / "statements.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("part", "known", "left"), [("tuned", 0.97, 0.97), ("second", 0.95, 0.95), ("held", 0.8, 0.93)]
)
def test_statements_about_things_are_reports_and_nothing_else_is(part: str, known: float, left: float) -> None:
    reports, others = SAID[part]["reports"], SAID[part]["others"]
    missed = [text for text in reports if not is_report(read(text))]
    taken = [text for text in others if is_report(read(text))]

    assert min(len(reports), len(others)) >= 20
    assert len(missed) <= (1 - known) * len(reports), missed
    assert len(taken) <= (1 - left) * len(others), taken


@pytest.mark.parametrize(
    "said",
    [
        "old lady wants a paracetamol",
        "woman at the desk wants her money back, the show was too loud",
        "supplier asking when his invoice gets paid",
        "one of the parents is asking to see the photos",
        "有个客人非要退票，说座位太偏",
        "家属问能不能进来看排练",
    ],
)
def test_what_somebody_else_wants_is_asked_of_the_pages(said: str) -> None:
    assert read(said).question
    assert not is_report(read(said))


@pytest.mark.parametrize("said", ["tv in the bar wants a pin", "the guest wifi is down", "客人的空调不制冷"])
def test_what_a_thing_wants_or_lacks_is_reported(said: str) -> None:
    assert is_report(read(said))
