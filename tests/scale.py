"""How much of a full-scale test runs: `make test-full` sets DUTYDESK_TEST_SCALE=1, `make test` a tenth."""

import os

import pytest

SCALE = float(os.environ.get("DUTYDESK_TEST_SCALE", "0.1"))  # noqa: TID251 - the one switch of the tests themselves

#: How many combinations of platform, language and database, and long cases, the run left out.
LEFT_OUT = pytest.StashKey[int]()


def scaled(full: int, *, least: int = 1) -> int:
    """Return the issue's number at the current scale, never below `least`."""
    return max(least, round(full * SCALE))
