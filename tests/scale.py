"""How much of a full-scale test runs: `make test-full` sets DUTYDESK_TEST_SCALE=1, `make test` a tenth."""

import os

import pytest

SCALE = float(os.environ.get("DUTYDESK_TEST_SCALE", "0.1"))  # noqa: TID251 - the one switch of the tests themselves

#: How many combinations of platform, language and database, and long cases, the run left out.
LEFT_OUT = pytest.StashKey[int]()


def scaled(full: int, *, least: int = 1) -> int:
    """Return the issue's number at the current scale, never below `least`."""
    return max(least, round(full * SCALE))


def in_parts(full: int, *, least: int = 1, parts: int) -> pytest.MarkDecorator:
    """Share out what `scaled` returns: the test runs once for each part, with a `seed` of its own, for so many `turns`.

    A part of the full scale has its own time limit; at a tenth there is one.
    """
    turns = scaled(full, least=least)
    shares = parts if SCALE >= 1 else 1
    shared = [pytest.param(seed, -(-turns // shares), id=f"part{seed}") for seed in range(shares)]
    return pytest.mark.parametrize(("seed", "turns"), shared)
