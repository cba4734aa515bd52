"""`docs/how-to/add-a-platform.md` carried out: its steps and nothing else make a platform that holds the promises."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.docs.steps import Change, Create, DoesNotFit, Run, Step, steps
from tests.scale import SCALE

PAGE = (ROOT / "docs" / "how-to" / "add-a-platform.md").read_text(encoding="utf-8")
STEPS = tuple(steps(PAGE))
pytestmark = pytest.mark.timeout(900)  # other tests may keep the machine busy meanwhile
#: The platform of the how-to.
NAME = "mailbox"
#: Seconds that one check may take on a busy machine.
PATIENCE_S = 240
#: What of the scenarios is played: everything at full scale, else in English whatever an adapter can get wrong.
QUICK = f"{NAME} and not zh and (asking or deliveries or feedback or home or limits or form)"
SCENARIOS = NAME if SCALE >= 1 else QUICK


class Incomplete(Exception):
    """A check fails after the steps."""


def name_of(step: Step) -> str:
    """Return how a step is called in a test's name."""
    match step:
        case Create(path=path) | Change(path=path):
            return path
        case Run(line=line):
            return line


def test_the_steps_make_a_platform(tmp_path: Path) -> None:
    prove(tmp_path, STEPS, scenarios=("-k", SCENARIOS))


@pytest.mark.parametrize("missing", STEPS if SCALE >= 1 else STEPS[::18], ids=name_of)
def test_every_step_is_needed(tmp_path: Path, missing: Step) -> None:
    with pytest.raises(Incomplete):
        prove(tmp_path, [step for step in STEPS if step is not missing], scenarios=("-k", f"{NAME} and en", "-x"))


def carry_out(these: Sequence[Step], root: Path) -> None:
    """Copy the project and carry the steps out on the copy."""
    shutil.copytree(ROOT, root, ignore=_left_behind, dirs_exist_ok=True)
    for step in these:
        match step:
            case Create() | Change():
                step.apply(root)
            case Run(line=line):
                _check(root, *_recipe(root, line))


def prove(root: Path, these: Sequence[Step], *, scenarios: Sequence[str]) -> None:
    """Hold the outcome to what the project holds every platform to; raise Incomplete with what a failed check says."""
    carry_out(these, root)
    tool = Path(sys.executable).parent
    written = [step.path for step in these if isinstance(step, Create | Change) and step.path.endswith(".py")]
    _check(root, str(tool / "lint-imports"), "--no-cache")
    _check(root, str(tool / "ruff"), "check", "--no-cache", *written)
    _check(root, str(tool / "ruff"), "format", "--check", "--no-cache", *written)
    _check(root, sys.executable, "-m", "mypy", "--no-incremental", "-p", f"adapters.{NAME}")
    _pytest(root, "tests/docs/test_docs.py")
    table = (root / "docs" / "reference" / "platforms.md").read_text(encoding="utf-8")
    if not re.search(rf"^\|.* {NAME} .*\|$", table, re.MULTILINE):
        raise Incomplete(f"the difference table has no column for {NAME}")
    _pytest(root, "tests/contracts/test_chat.py", "-k", NAME)
    _pytest(root, "tests/scenarios", *scenarios)


def _pytest(root: Path, *arguments: str) -> None:
    """Run tests of the copy; that none is selected is a failure, too."""
    _check(root, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)


def _check(root: Path, *command: str) -> None:
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if ran.returncode != 0:
        raise Incomplete(f"{' '.join(command)}\n{ran.stdout}\n{ran.stderr}")


def _recipe(root: Path, line: str) -> Sequence[str]:
    """Return the one command of a `make` target, with this Python instead of the one that make would set up."""
    target = line.removeprefix("make ")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(target)}:.*\n\t@\$\(BIN\)/python (.+)$", makefile, re.MULTILINE)
    if found is None:
        raise DoesNotFit(f"{line} is not one command of Python")
    return (sys.executable, *found[1].split())


def _left_behind(folder: str, names: Sequence[str]) -> frozenset[str]:
    """Return what is no part of the project: what tools left."""
    top = Path(folder) == ROOT
    left = (name for name in names if (top and name.startswith(".")) or name.endswith(".egg-info"))
    return frozenset(left)
