"""Every test can fail: it asserts something, and not only in a loop that may not run."""

from functools import cache
from pathlib import Path

from tests.architecture.assertions import Judged, judged
from tests.architecture.source import made_up, suite

#: Tests that only have to come to their end, and why nothing is left to look at.
COMES_TO_ITS_END = {
    "test_the_same_call_in_a_thread_does_not": "the detector would raise where the call stands",
    "test_it_can_be_closed": "nothing can be asked of what is closed",
    "test_the_steps_make_a_platform": "each step of `prove` raises for what is incomplete",
}


@cache
def _suite() -> Judged:
    return judged(suite())


def test_every_test_asserts_something() -> None:
    assert {each.partition(" ")[2] for each in _suite().without} == COMES_TO_ITS_END.keys()


def test_no_test_asserts_only_in_a_loop_that_may_not_run() -> None:
    assert _suite().only_in_loops == []


def test_a_test_without_an_assertion_is_found(tmp_path: Path) -> None:
    helpers = "def sure(x):\n    assert x\n\ndef unsure(x):\n    for y in x:\n        assert y\n"
    tests = (
        "import pytest\n"
        "from tests.helpers import sure, unsure\n"
        "def test_calls(): run()\n"
        "def test_helper(): sure(1)\n"
        "def test_other_helper(): unsure([])\n"
        "def test_raises():\n    with pytest.raises(ValueError): run()\n"
        'def test_page(page): expect(page).to_have_text("a")\n'
    )
    modules = made_up(tmp_path, {"tests/helpers.py": helpers, "tests/test_a.py": tests})

    assert [each.partition(" ")[2] for each in judged(modules).without] == ["test_calls", "test_other_helper"]


def test_assertions_in_a_loop_that_may_not_run_are_found(tmp_path: Path) -> None:
    loops = {
        "found": "for x in find(): assert x",
        "filtered": "for x in [y for y in (1, 2) if y > 2]: assert x",
        "of_the_shortest": "for x, y in zip((1, 2), find()): assert x",
        "literal": "for x in (1, 2): assert x",
        "constant": "for x in sorted(NAMES): assert x",
        "counted": "for x in range(3): assert x < 3",
        "asserted": "found = find()\n    assert found\n    for x in found: assert x",
        "strictly_paired": "for x, y in zip(NAMES, find(), strict=True): assert x",
    }
    text = "NAMES = (1, 2)\n" + "".join(f"def test_{name}():\n    {loop}\n" for name, loop in loops.items())
    modules = made_up(tmp_path, {"tests/test_a.py": text})

    assert [each.partition(" ")[2] for each in judged(modules).only_in_loops] == [
        "test_found",
        "test_filtered",
        "test_of_the_shortest",
    ]
