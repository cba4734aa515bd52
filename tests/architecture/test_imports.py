"""Arrows point down: the import contracts of pyproject.toml, run as they are, and shown failing one by one."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.architecture.source import ROOT, made_up, project, root_packages

#: For each contract an import that it forbids: (module, what it would import).
VIOLATIONS: Mapping[str, tuple[str, str]] = {
    "layers": ("tickets/content.py", "agent.runs.answer"),
    "adapters": ("adapters/events.py", "storage.ids"),
    "acyclic": ("storage/ids.py", "storage.once"),
    "adapters-layers": ("adapters/memory.py", "adapters.terminal.chat"),
    "slack-layers": ("adapters/slack/words.py", "adapters.slack.inbound.events"),
    "teams-layers": ("adapters/teams/words.py", "adapters.teams.inbound.events"),
    "bot-layers": ("bot/rendering/cards.py", "bot.inbox.inbox"),
    "features-platforms": ("features/tickets/rendering.py", "adapters.port"),
    "agent-layers": ("agent/tools/context.py", "agent.runner.runner"),
    "search-layers": ("search/documents.py", "search.service"),
    "parsing-layers": ("search/parsing/markdown/comments.py", "search.parsing.sheets"),
    "elasticsearch-layers": (
        "search/indexes/elasticsearch/documents/mapping.py",
        "search.indexes.elasticsearch.commits.head",
    ),
    "crawling-layers": (
        "search/sources/crawling/kept/folder.py",
        "search.sources.crawling.fetching.fetcher",
    ),
    "observe-layers": ("queries/observe/errors.py", "queries.observe.config"),
    "sql-layers": ("queries/sql/errors.py", "queries.sql.reach"),
    "tickets-layers": ("tickets/ticket.py", "tickets.store"),
    "agent-tables": ("agent/runner/runner.py", "agent.runs.tables"),
    "bot-tables": ("bot/inbox/inbox.py", "bot.delivery.tables"),
    "identity-tables": ("identity/policy.py", "identity.tables"),
    "search-tables": ("search/sync/sync.py", "search.sync.tables"),
    "storage-tables": ("identity/chain.py", "storage.tables"),
    "queries-tables": ("queries/sql/service.py", "queries.sql.saved.tables"),
    "tickets-tables": ("tickets/service.py", "tickets.tables"),
    "tickets-store": ("agent/gate/gate.py", "tickets.store"),
    "search-store": ("features/knowledge/tools.py", "search.sync.store"),
    "identity-store": ("tickets/use_cases/reading.py", "identity.store"),
    "agent-store": ("bot/conversation/home.py", "agent.runs.store"),
    "pure": ("search/ranking/ranking.py", "sqlalchemy"),
    "sql": ("bot/conversation/actions.py", "sqlalchemy"),
}


def lint(folder: Path) -> tuple[bool, str]:
    """Run the import linter in a folder; return whether all contracts are kept, and what it said."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode == 0, done.stdout + done.stderr


def contracts() -> Mapping[str, str]:
    """Return the name of each contract by its id."""
    return {each["id"]: each["name"] for each in project()["tool"]["importlinter"]["contracts"]}


def packages_in(folder: Path) -> set[str]:
    """Return the folders of a project that are packages, but for its tests."""
    return {path.parent.name for path in folder.glob("*/__init__.py")} - {"tests"}


def copy_of_the_source(folder: Path) -> Path:
    copy = folder / "copy"
    for package in root_packages():
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def test_every_contract_is_kept() -> None:
    kept, said = lint(ROOT)

    assert kept, said


def test_every_package_is_under_contract() -> None:
    assert packages_in(ROOT) == set(root_packages())


def test_a_package_without_a_contract_is_found(tmp_path: Path) -> None:
    made_up(tmp_path, {"helpers/__init__.py": "", "tests/__init__.py": "", "docs/index.py": ""})

    assert packages_in(tmp_path) == {"helpers"}


def test_every_contract_breaks_when_it_is_violated(tmp_path: Path) -> None:
    copy = copy_of_the_source(tmp_path)
    for path, imported in VIOLATIONS.values():
        with (copy / path).open("a", encoding="utf-8") as module:
            module.write(f"\nimport {imported}\n")

    _, said = lint(copy)

    assert set(VIOLATIONS) == set(contracts())
    assert {
        name for name in contracts().values() if not re.search(rf"^{re.escape(name)} BROKEN$", said, re.MULTILINE)
    } == set()


def test_a_module_in_no_layer_is_found(tmp_path: Path) -> None:
    copy = copy_of_the_source(tmp_path)
    (copy / "search" / "helpers.py").write_text('"""Helpers."""\n')

    kept, said = lint(copy)

    assert not kept
    assert "- search.helpers" in said
