"""Tickets, audit, sign-in and the schema from the command line."""

import re
from pathlib import Path

import pytest

from bot.cli.main import tell
from tests.cli.conftest import finish, invoke

TALK = """\
Please open a ticket: the projector in the big meeting room shows no picture.
"""


def file_ticket(home: Path) -> str:
    """Report something in a terminal session and press Confirm, whatever else is asked on the way."""
    code, output, errors = finish("chat", "--as", "ada", "--home", str(home), text=TALK)
    assert code == 0, errors
    confirm = re.search(r"(\d+)\) Confirm", output)
    complete = re.search(r"(\d+)\) Fill in the rest", output)
    assert confirm or complete, output
    return output


def test_a_report_in_a_terminal_becomes_a_draft(home: Path) -> None:
    output = file_ticket(home)

    assert "Ticket draft" in output


def test_empty_lists_say_what_to_do(home: Path) -> None:
    assert "queue" in invoke("tickets", "list", "--as", "ada", home=home).output
    assert "empty" in invoke("tickets", "queue", home=home).output
    assert "Nothing was asked" in invoke("runs", "list", "--as", "ada", home=home).output


def test_the_queue_is_for_those_who_work_tickets(home: Path) -> None:
    assert invoke("tickets", "queue", "--as", "dora", home=home).exit_code == 0
    assert invoke("tickets", "queue", "--as", "ada", home=home).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "TCK-2026-000001"],
        ["comment", "TCK-2026-000001", "hello"],
        ["urge", "TCK-2026-000001"],
        ["assign", "TCK-2026-000001", "dora"],
        ["resolve", "TCK-2026-000001", "done"],
        ["reopen", "TCK-2026-000001", "again"],
        ["cancel", "TCK-2026-000001", "no need", "--yes"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_unknown_ticket_fails(home: Path, arguments: list[str]) -> None:
    done = invoke("tickets", *arguments, home=home)

    assert done.exit_code == 1
    assert "TCK-2026-000001" in str(done.exception)


def test_cancelling_asks_first(home: Path) -> None:
    done = invoke("tickets", "cancel", "TCK-2026-000001", "no need", home=home, input="n\n")

    assert done.exit_code == 1
    assert "The requester is told" in done.output


def test_a_sign_in_link_is_printed(home: Path) -> None:
    done = invoke("login", "--as", "ada", home=home)

    assert re.fullmatch(r"http://127\.0\.0\.1:8765/sign-in\?token=\S{20,}\n", done.output)


def test_the_audit_is_whole_and_readable(home: Path) -> None:
    invoke("login", "--as", "ada", home=home)

    assert "The record is whole." in invoke("audit", "verify", home=home).output
    assert invoke("audit", "list", "--limit", "5", home=home).exit_code == 0
    assert invoke("audit", "list", "--as", "ada", home=home).exit_code == 1


def test_the_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    environment = {"DUTYDESK_DATABASE_URL": f"sqlite:///{tmp_path}/named.db"}
    before = invoke("migrate", "--check", home=tmp_path / "home", env=environment)
    refused = invoke("runs", "list", home=tmp_path / "home", env=environment)
    migrated = invoke("migrate", home=tmp_path / "home", env=environment)
    after = invoke("migrate", "--check", home=tmp_path / "home", env=environment)

    assert (before.exit_code, migrated.exit_code, after.exit_code) == (1, 0, 0)
    assert "dutydesk migrate" in str(refused.exception)


def test_an_error_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    code, _, errors = finish("knowledge", "remove", "nothing", "--home", str(tmp_path))

    assert code == 1
    assert errors.startswith("Error: ")
    assert len(errors.splitlines()) == 1


def test_debug_shows_where_it_broke(tmp_path: Path) -> None:
    code, _, errors = finish("knowledge", "remove", "nothing", "--home", str(tmp_path), "--debug")

    assert code == 1
    assert "Traceback" in errors


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    code, _, errors = finish("doctor", "--home", str(tmp_path), environment={"DUTYDESK_WEB__PORT": "many"})

    assert code == 1
    assert "web.port" in errors


def test_what_should_not_happen_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    tell(ZeroDivisionError, ZeroDivisionError("division by zero"), None)

    assert "ZeroDivisionError: division by zero" in (told := capsys.readouterr().err)
    assert "--debug" in told
