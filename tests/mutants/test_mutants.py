"""The list of mutants is true of the source as it is, and some of them are tried each time."""

import ast
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.mutants.mutant import Mutant
from tests.mutants.mutants import MUTANTS

EVERY = [each for mutants in MUTANTS.values() for each in mutants]


@pytest.mark.parametrize("area", MUTANTS)
def test_each_check_stands_in_its_file_once_and_its_test_exists(area: str) -> None:
    assert MUTANTS[area]
    for mutant in MUTANTS[area]:
        for path, before, after in mutant.changes:
            assert (ROOT / path).read_text(encoding="utf-8").count(before) == 1, mutant.name
            assert before != after
        file, _, function = mutant.noticed_by.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert function in {
            each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        }


def test_a_mutant_is_the_source_with_one_check_less_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "gate.py").write_text("if wrong:\n    stop()\n", encoding="utf-8")
    mutant = Mutant("gate.py", "if wrong:", "if False:", "tests/x.py::test_x", also=(("gate.py", "stop()", "pass"),))
    with mutant.applied(tmp_path):
        assert (tmp_path / "gate.py").read_text(encoding="utf-8") == "if False:\n    pass\n"
    assert (tmp_path / "gate.py").read_text(encoding="utf-8") == "if wrong:\n    stop()\n"


def test_there_are_mutants_of_all_that_safety_rests_on() -> None:
    assert set(MUTANTS) >= {"permissions", "gate", "approvals", "signatures", "audit", "readers"}
    assert len(EVERY) >= 60
    assert len({each.name for each in EVERY}) == len(EVERY)
