"""The base starts alone, and `--help` does not wait for libraries that it never uses."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source import ROOT

#: What `--help` must not load: each costs more than the rest of the command line together.
HEAVY = (
    "alembic",
    "apscheduler",
    "language.planning.reading",
    "numpy",
    "onnxruntime",
    "pydantic_ai",
    "sqlalchemy",
    "starlette",
    "tokenizers",
    "torch",
)
#: Extras for operators; the base must start without what they bring.
EXTRAS = ("anthropic", "openai", "postgresql", "redis", "sentence-transformers")

BLOCKER = """
import sys
from importlib.abc import MetaPathFinder

class Refuse(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in REFUSED or name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"refused: {name}", name=name)

REFUSED = frozenset(sys.argv[1].split(","))
sys.meta_path.insert(0, Refuse())
"""
HELP = """
import contextlib
from bot.cli.main import main
with contextlib.suppress(SystemExit):
    main(["--help"])
"""
COMPOSE = """
import asyncio
from pathlib import Path
from bot.compose.compose import compose
from bot.settings import load

async def start():
    async with await compose(load(home=Path(sys.argv[2]))) as desk, desk.running():
        print("started")

asyncio.run(start())
"""


def closure(distribution: str, extras: Iterable[str]) -> set[str]:
    """Return every installed distribution that this one with these extras needs."""
    found: set[str] = set()
    queue: list[tuple[str, frozenset[str]]] = [(canonicalize_name(distribution), frozenset(extras))]
    seen: set[tuple[str, frozenset[str]]] = set()
    while queue:
        asked = queue.pop()
        if asked not in seen:
            seen.add(asked)
            found.add(asked[0])
            queue += list(_needs(*asked))
    return found


def _needs(distribution: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    try:
        lines = requires(distribution) or []
    except PackageNotFoundError:
        return
    for line in lines:
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
            yield canonicalize_name(need.name), frozenset(need.extras)


def only_in_extras() -> set[str]:
    """Return the top-level modules that the base does not bring."""
    base = closure("dutydesk", [])
    more = closure("dutydesk", EXTRAS) - base
    return {
        module
        for module, owners in packages_distributions().items()
        if {canonicalize_name(owner) for owner in owners} <= more
    }


def without(modules: Iterable[str], script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKER + script, ",".join(modules), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def test_the_extras_bring_something() -> None:
    assert {"openai", "psycopg", "redis", "torch"} <= only_in_extras()


def test_the_command_line_starts_without_any_extra() -> None:
    done = without(only_in_extras(), HELP)

    assert done.returncode == 0, done.stderr
    assert "dutydesk demo" in done.stdout


def test_the_desk_starts_without_any_extra(tmp_path: Path) -> None:
    done = without(only_in_extras(), COMPOSE, str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert done.stdout == "started\n"


def test_a_desk_without_databases_loads_nothing_that_reads_sql(tmp_path: Path) -> None:
    done = without(["sqlglot"], COMPOSE, str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert done.stdout == "started\n"


def test_help_loads_nothing_heavy() -> None:
    done = without(HEAVY, HELP)

    assert done.returncode == 0, done.stderr


def test_a_missing_base_library_is_found() -> None:
    done = without(["click"], HELP)

    assert done.returncode == 1
    assert "refused: click" in done.stderr
