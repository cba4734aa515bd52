"""House rules that neither ruff nor the import linter can express."""

from pathlib import Path

from tests.architecture.habits import (
    actorless_methods,
    broad_excepts,
    environment_reads,
    local_imports,
    mocks,
)
from tests.architecture.source import made_up, product, suite

#: They import the back end that the settings choose, where they choose it.
CHOOSES_BACK_ENDS = ("bot.compose.parts", "bot.compose.platforms", "evals.retrieval_trial")


def test_only_the_settings_read_the_environment() -> None:
    assert list(environment_reads(product())) == []


def test_everything_is_caught_in_three_named_places_only() -> None:
    assert list(broad_excepts(product())) == []


def test_nothing_is_mocked() -> None:
    assert list(mocks([*product(), *suite()])) == []


def test_every_use_case_asks_who_acts() -> None:
    assert list(actorless_methods(product())) == []


def test_imports_stand_at_the_top() -> None:
    assert list(local_imports(product(), allowed=CHOOSES_BACK_ENDS)) == []


def test_a_hidden_environment_read_is_found(tmp_path: Path) -> None:
    text = "import os\nfrom os import getenv\nhome = os.environ['HOME']\n"
    modules = made_up(tmp_path, {"bot/settings.py": text, "bot/server.py": text})

    assert sorted(environment_reads(modules)) == ["bot.server:2", "bot.server:3"]


def test_a_broad_except_is_found_unless_it_raises_again(tmp_path: Path) -> None:
    swallowed = "try:\n    f()\nexcept (ValueError, Exception):\n    log()\n"
    raised = "try:\n    f()\nexcept BaseException:\n    undo()\n    raise\n"
    modules = made_up(
        tmp_path, {"bot/inbox/inbox.py": swallowed, "bot/server.py": swallowed, "storage/database.py": raised}
    )

    assert list(broad_excepts(modules)) == ["bot.server:3"]


def test_a_mock_is_found(tmp_path: Path) -> None:
    modules = made_up(
        tmp_path, {"tests/test_a.py": "from unittest import mock\n", "tests/test_b.py": "import unittest.mock\n"}
    )

    assert list(mocks(modules)) == ["tests.test_a:1", "tests.test_b:1"]


def test_a_use_case_without_an_actor_is_found(tmp_path: Path) -> None:
    text = (
        "class TicketService:\n"
        "    async def show(self, actor, number): ...\n"
        "    async def file(self, number): ...\n"
        "    async def _load(self, number): ...\n"
    )

    assert list(actorless_methods(made_up(tmp_path, {"tickets/service.py": text}))) == [
        "tickets.service:3 TicketService.file"
    ]


def test_an_import_inside_a_function_is_found(tmp_path: Path) -> None:
    text = "def f():\n    import json\n"
    modules = made_up(tmp_path, {"bot/compose/parts.py": text, "bot/server.py": text})

    assert list(local_imports(modules, allowed=CHOOSES_BACK_ENDS)) == ["bot.server:2"]
