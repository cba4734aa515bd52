"""The mutation check: `python -m tests.mutants.run [WORDS …]` takes out one check after the other, in a copy.

With words only those whose area or path holds one of them. It ends with 1 when a check is missed by the test that is to
notice, and says which.
"""

import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.mutants.mutant import Mutant
from tests.mutants.mutants import MUTANTS

#: What is loaded once, so that each run of a test begins soon; nothing of the product, which differs each time.
_LIBRARIES = (
    "hypothesis.strategies", "sqlalchemy.ext.asyncio", "aiosqlite", "pydantic_settings", "pydantic_ai", "httpx",
    "starlette.applications", "uvicorn", "jinja2", "numpy", "yaml", "rich.console", "sqlglot", "markdown_it",
    "slack_bolt.async_app", "jwt", "reportlab.pdfgen.canvas", "docx", "openpyxl", "blockbuster", "psycopg",
)  # fmt: skip
_LEFT_OUT = (".venv", ".git", ".mypy_cache", ".ruff_cache", ".hypothesis", ".demo", "images", "__pycache__")
#: One test of many parameters is enough on one database.
_CHOSEN = "not postgresql and not elasticsearch"


def copied(folder: Path) -> Path:
    """Return a copy of the source in a folder."""
    return Path(shutil.copytree(ROOT, folder / "source", ignore=shutil.ignore_patterns(*_LEFT_OUT)))


def noticed(mutant: Mutant, root: Path, *, report: Path) -> bool:
    """Return whether its test fails on a copy of the source without the check."""
    with mutant.applied(root):
        child = os.fork()
        if child == 0:
            _test(mutant.noticed_by, root, report)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == pytest.ExitCode.TESTS_FAILED


def _test(test: str, root: Path, report: Path) -> None:
    """Run a test in this process, which is a child of its own, and end it with pytest's code."""
    code = 70
    with suppress(BaseException), report.open("w") as out, redirect_stdout(out), redirect_stderr(out):
        os.chdir(root)
        sys.path[:] = [str(root), *(each for each in sys.path if Path(each or ".").resolve() != ROOT)]
        for name in [name for name in sys.modules if name == "tests" or name.startswith("tests.")]:
            del sys.modules[name]
        os.environ["PYTHONPATH"] = str(root)  # noqa: TID251 - for the processes that a test starts
        quiet = [
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
        ]
        code = int(pytest.main([*quiet, "-k", _CHOSEN, test]))
    os._exit(code)


def chosen(words: Iterable[str]) -> Iterator[Mutant]:
    """Yield the mutants whose area or path holds one of the words; all of them for no words."""
    wanted = tuple(words)
    for area, mutants in MUTANTS.items():
        yield from (each for each in mutants if not wanted or any(word in f"{area} {each.path}" for word in wanted))


def main(words: Iterable[str]) -> int:
    """Take out one check after the other, say what was noticed, and return the exit code."""
    for name in _LIBRARIES:
        importlib.import_module(name)
    missed = []
    with tempfile.TemporaryDirectory(prefix="dutydesk-mutants-") as folder:
        root = copied(Path(folder))
        for mutant in chosen(words):
            seen = noticed(mutant, root, report=Path(folder) / "report.txt")
            missed += [] if seen else [mutant]
            print(f"{'noticed' if seen else 'MISSED '}  {mutant.name}  {mutant.noticed_by}", flush=True)  # noqa: T201
    print(f"{len(missed)} were missed.")  # noqa: T201
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
