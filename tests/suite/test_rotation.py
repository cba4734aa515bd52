"""`make test` meets every platform, language and database, and its last lines say what it left out."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest

from tests.fixtures.database import DIALECTS
from tests.fixtures.left_out import not_run
from tests.fixtures.rotation import is_among
from tests.processes import ROOT
from tests.scenarios.everywhere import PLATFORMS

FOLDERS = ("agent", "identity", "search", "tickets")


def collected(*paths: str, scale: str = "0.1") -> list[str]:
    """Return the names of the items that a run of these paths would play."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *paths]
    environment = {**os.environ, "DUTYDESK_TEST_SCALE": scale, "PYTEST_ADDOPTS": ""}  # noqa: TID251 - handed on
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "::" in line]


def combination(name: str) -> set[str]:
    """Return the parts of what stands in brackets after a test's name."""
    return set(name.partition("[")[2].rstrip("]").split("-"))


@pytest.fixture(scope="module")
def played() -> list[str]:
    """Return what is played of the packages that rotate."""
    return collected("tests/scenarios", *(f"tests/{folder}" for folder in FOLDERS))


def test_every_scenario_is_played_once(played: list[str]) -> None:
    scenarios = [name for name in played if "/test_everywhere_" in name and combination(name) & PLATFORMS.keys()]
    assert len({name.partition("[")[0] for name in scenarios}) >= 60
    assert len(scenarios) < 4 * len({name.partition("[")[0] for name in scenarios})


def test_every_platform_is_met_in_both_languages(played: list[str]) -> None:
    wanted = {(platform, language) for platform in PLATFORMS for language in ("en", "zh")}
    assert {each for each in wanted for name in played if set(each) <= combination(name)} == wanted


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_package_meets_both_databases(played: list[str], folder: str) -> None:
    met = Counter(
        dialect for name in played if f"/{folder}/" in name for dialect in combination(name) if dialect in DIALECTS
    )
    assert min(met[dialect] for dialect in DIALECTS) >= 5


def test_a_test_rotates_whatever_else_it_is_given(played: list[str]) -> None:
    path, test = "tests/scenarios/test_everywhere_channels.py", "::test_a_visitor_narrows_a_channel_to_what_is_public["
    where = {*PLATFORMS, *DIALECTS, "en", "zh"}
    every = [frozenset(combination(name) - where) for name in collected(path, scale="1") if test in name]
    kept = [frozenset(combination(name) - where) for name in played if test in name]
    assert len(kept) == len(set(kept)) < len(every)
    assert set(kept) == set(every)


def test_of_long_cases_so_many_are_played_as_is_said_spread_over_all_of_them() -> None:
    for cases, most in ((19, 5), (11, 4), (5, 5), (7, 3)):
        played = [number for number in range(cases) if is_among(number, "tests/a.py::test_b", of=cases, most=most)]
        assert len(played) == most
        assert max(later - earlier for earlier, later in pairwise(played)) <= -(-cases // most)


def test_at_full_scale_nothing_is_left_out_and_a_combination_can_be_asked_for(played: list[str]) -> None:
    path = "tests/scenarios/test_everywhere_asking.py"
    every = collected(path, scale="1")
    assert len(every) > 4 * sum(name.startswith(path) for name in played)
    left_out = next(name for name in every if name not in played)
    assert collected(left_out) == [left_out]


def test_the_last_lines_say_how_to_get_what_was_not_run() -> None:
    lines = not_run(
        ["no Chromium was found on the PATH, so nothing was tested in a real browser"] * 2
        + ["web, files: It has none."],
        left_out=7,
        scale=0.1,
    )
    assert lines == [
        "2 tests: no Chromium was found on the PATH, so nothing was tested in a real browser -> make setup-browser",
        "1 tests: a platform is not able to -> nothing: the platform cannot do it (docs/reference/platforms.md)",
        "7 further combinations of platform, language and database, and long cases -> make test-full",
        "sizes are 0.1 of full scale -> make test-full",
    ]


def test_nothing_is_said_when_everything_ran() -> None:
    assert not_run([], left_out=0, scale=1.0) == []
