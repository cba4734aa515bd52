"""A session at a terminal, as a process of its own."""

from pathlib import Path

from tests.cli.conftest import finish


def test_a_session_whose_input_ends_inside_a_form_ends(home: Path) -> None:
    code, output, errors = finish(
        "chat",
        "--as",
        "ada",
        "--home",
        str(home),
        text="my keyboard is broken\n1\n",
        environment={"DUTYDESK_MODEL": "rules"},
    )

    assert code == 0, errors
    assert output.rstrip().splitlines()[-2] == "Complete the ticket"
