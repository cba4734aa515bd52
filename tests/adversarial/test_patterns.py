"""No regular expression of the product takes more than linear time, whatever text it meets."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest

from features.alarms.alarms import shipped, shipped_groups
from features.anatomy.routing import routes_of
from tests.adversarial.patterns.collection import Expression, expressions, walked
from tests.adversarial.patterns.growth import readable, slow
from tests.adversarial.patterns.hostile import hostile
from tests.architecture.source import ROOT, product

#: The processes that share the work, and what they should have found together.
SHARES, AT_LEAST = 6, 380
#: Whose texts are our own: they meet no text of others.
_OURS = ("evals.", "migrations.")


@cache
def _all() -> Sequence[Expression]:
    return tuple(each for each in (*expressions(product()), *_routed()) if not each.place.startswith(_OURS))


def _routed() -> Iterator[Expression]:
    """Yield what the files of features say: of routing, with what reads their declared arguments, and of alarms."""
    for path in sorted((ROOT / "features").glob("*/routing.en.yaml")):
        yield from walked(f"features.{path.parent.name}", routes_of(f"features.{path.parent.name}"))
    yield from walked("features.alarms", shipped())
    yield from walked("features.alarms.groups", shipped_groups())


def test_all_expressions_are_found(record_property: Callable[[str, object], None]) -> None:
    found = _all()
    places = {each.place.partition(":")[0].rsplit(".", 1)[0].partition(".")[0] for each in found}
    assert len(found) >= AT_LEAST, f"{len(found)} expressions"
    assert {"adapters", "agent", "bot", "features", "language", "search", "storage", "tickets"} <= places
    strings = [text for each in found for text in hostile(each.pattern)]
    assert len(strings) >= 50 * AT_LEAST, f"{len(strings)} strings"
    record_property("expressions", len(found))
    record_property("hostile strings", len(strings))


@pytest.mark.parametrize("share", range(SHARES))
def test_their_time_grows_with_the_text_and_no_faster(share: int) -> None:
    assert [str(found) for each in _all()[share::SHARES] if (found := slow(each))] == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s*x",
        r"\[([^\]]*)\]\(",
        r"(?:a|aa)+b",
        r"(\w+\s?)*$",
        r"\bopen\b.*\bagain\b",
        r"\{\{\s*(.*?)\s*\}\}",
        r"[\w.]+@",
        r"^(?P<lead>.+?)\s*[,.]+(?=[^,.]*$)",
    ],
)
def test_slow_ones_are_noticed(pattern: str) -> None:
    assert slow(readable(pattern)) is not None


@pytest.mark.parametrize(
    "pattern", [r"(?<!\s)\s*+x", r"\[([^\[\]]*+)\]\(", r"(?<!a)(?>a|aa)++b", r"\bopen\b.{0,100}\bagain\b"]
)
def test_their_linear_forms_are_not(pattern: str) -> None:
    assert slow(readable(pattern)) is None


def test_expressions_are_found_wherever_they_are_held() -> None:
    held = {"a": (re.compile("one"), [re.compile("two")]), "b": lambda by=re.compile("three"): by}
    assert {each.pattern.pattern for each in walked("held", held)} == {"one", "two", "three"}
