"""Tickets, audit, sign-in and the schema from the command line."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.main import tell
from bot.compose.compose import compose
from bot.settings import load
from search.embedding.memory import HashEmbedder
from tests.cli.conftest import finish, invoke

REPORT = "Please open a ticket: the projector in the big meeting room shows no picture."
NUMBER = re.compile(r"TCK-\d{4}-\d{6}")


@pytest.fixture
def ticket(home: Path) -> str:
    """Report something in a terminal session, press Confirm, and return the ticket's number."""
    code, output, errors = finish("chat", "--as", "ada", "--home", str(home), text=f"{REPORT}\n1\n")
    assert code == 0, errors
    assert "1) Confirm" in output, output
    found = NUMBER.search(output)
    assert found, output
    return found.group()


def test_a_ticket_goes_its_way_on_the_command_line(home: Path, ticket: str) -> None:
    assert ticket in invoke("tickets", "list", "--as", "ada", home=home).output
    assert ticket in invoke("tickets", "queue", "--status", "open", "--search", "projector", home=home).output

    taken = invoke("tickets", "assign", ticket, "dora", "--as", "dora", home=home)
    commented = invoke("tickets", "comment", ticket, "It hums, too.", "--as", "ada", home=home)
    resolved = invoke("tickets", "resolve", ticket, "New cable.", "--as", "dora", home=home)
    again = invoke("tickets", "resolve", ticket, "Twice.", "--as", "dora", home=home)
    reopened = invoke("tickets", "reopen", ticket, "Still dark.", "--as", "ada", home=home)
    cancelled = invoke("tickets", "cancel", ticket, "Bought another.", "--yes", "--as", "ada", home=home)

    assert "in_progress" in taken.output
    assert commented.exit_code == 0
    assert "New cable." in resolved.output
    assert again.exit_code == 1
    assert reopened.exit_code == cancelled.exit_code == 0
    assert "cancelled" in cancelled.output
    history = invoke("tickets", "show", ticket, home=home).output
    assert "It hums, too." in history
    assert [each for each in ("assign", "resolve", "reopen", "cancel") if each in history] == [
        "assign",
        "resolve",
        "reopen",
        "cancel",
    ]


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


def test_what_was_slipped_into_the_audit_or_cut_off_is_named(home: Path, tmp_path: Path) -> None:
    async def note() -> None:
        async with await compose(load(home=home), embedder=HashEmbedder()) as desk:
            await desk.audit.seal()
            await desk.witness.note()

    def tamper(*statements: str) -> None:
        with closing(sqlite3.connect(home / "dutydesk.db")) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    invoke("login", "--as", "ada", home=home)
    asyncio.run(note())
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes((home / "audit-witness.jsonl").read_bytes())
    whole = invoke("audit", "verify", "--witness", str(copy), home=home)
    names = "at, actor_id, actor_name, actor_kind, action, resource, allowed, reason, outcome, detail, run_id"
    tamper(f"INSERT INTO identity_audit (id, {names}) SELECT -7, {names} FROM identity_audit LIMIT 1")
    slipped = invoke("audit", "verify", home=home)
    tamper(*(f"DELETE FROM {table}" for table in ("identity_audit", "identity_audit_seals", "identity_audit_head")))
    emptied = invoke("audit", "verify", home=home)
    (home / "audit-witness.jsonl").unlink()
    unseen = invoke("audit", "verify", home=home)
    cut = invoke("audit", "verify", "--witness", str(copy), home=home)

    assert (whole.exit_code, slipped.exit_code, emptied.exit_code, unseen.exit_code, cut.exit_code) == (0, 1, 1, 1, 1)
    assert "Held against 1 heads that were witnessed." in whole.output
    assert "slipped in: -7" in slipped.output
    assert "cut off" in emptied.output
    assert "No head was witnessed yet" in unseen.output
    assert "missing: 1, 2" in unseen.output  # SQLite keeps how far it counted
    assert "cut off" in cut.output


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


def test_input_that_ends_while_a_form_is_open_ends_the_session(home: Path) -> None:
    code, output, errors = finish("chat", "--as", "ada", "--home", str(home), text="show my settings\n1\n")
    assert (code, errors) == (0, "")
    assert "Time zone" in output
