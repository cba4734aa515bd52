"""One question, one answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import PAGES, invoke

VPN = "How do I connect to the VPN?"
KEYS = "How do I rotate a vault key?"


def ask(home: Path, *arguments: str) -> dict[str, Any]:
    done = invoke("ask", *arguments, "--json", home=home)
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_json_has_the_documented_form(home: Path) -> None:
    answer = ask(home, VPN)

    said = [
        "outcome",
        "answer",
        "confidence",
        "citations",
        "followups",
        "tickets",
        "draft",
        "missing",
        "links",
        "run_id",
    ]
    assert list(answer) == said
    assert answer["outcome"] == "answered"
    assert answer["confidence"] in {"high", "medium", "low"}
    first = answer["citations"][0]
    assert list(first) == ["title", "section", "source", "url", "quote"]
    assert (first["source"], first["url"]) == ("vpn.md", None)
    assert first["section"].endswith("Remote access > Connect to the VPN")
    assert first["quote"] in PAGES["vpn.md"]


def test_the_json_of_a_report_names_its_draft_and_what_that_lacks(home: Path) -> None:
    answer = ask(home, "my keyboard is broken")

    assert answer["draft"].startswith("draft_")
    assert answer["missing"] == ["location"]
    assert answer["tickets"] == []
    assert "keyboard" in answer["answer"]


def test_a_dry_run_tells_what_would_be_done_and_does_nothing(home: Path) -> None:
    answer = ask(home, "my keyboard is broken, I sit at desk 4-117", "--dry-run")

    assert (answer["outcome"], answer["draft"]) == ("refused", None)
    assert "dry run" in answer["answer"]
    assert [each["tool"] for each in answer["undone"]] == ["draft_ticket"]
    assert answer["undone"][0]["arguments"]["fields"] == {"location": "desk 4-117", "device": "keyboard"}

    shown = invoke("ask", "my keyboard is broken, I sit at desk 4-117", "--dry-run", home=home).output
    assert 'would do: draft_ticket {"category": "hardware"' in shown

    drafts = invoke("ask", "show my draft", home=home).output
    assert "keyboard" not in drafts


def test_a_dry_run_reads_as_ever(home: Path) -> None:
    answer = ask(home, VPN, "--dry-run")

    assert answer["outcome"] == "answered"
    assert "undone" not in answer


def test_people_read_the_answer_and_its_source(home: Path) -> None:
    done = invoke("ask", VPN, home=home)

    assert "Tidegate" in done.output
    assert "[1] Remote access > Connect to the VPN" in done.output
    assert done.output.splitlines()[-1].startswith("The steps: dutydesk runs show run_")


def test_the_asker_decides_what_is_found(home: Path) -> None:
    assert ask(home, KEYS)["outcome"] == "answered"
    assert ask(home, KEYS, "--as", "dora@example.org")["outcome"] == "answered"

    forbidden = ask(home, KEYS, "--as", "ada")
    nothing = ask(home, "How do I paint a submarine hull?", "--as", "ada")

    assert forbidden["outcome"] == nothing["outcome"] == "no_evidence"
    assert forbidden["answer"] == nothing["answer"]
    assert forbidden["citations"] == []


def test_without_documents_it_says_what_to_do(tmp_path: Path) -> None:
    done = invoke("ask", VPN, "--json", home=tmp_path / "empty")

    assert json.loads(done.stdout)["outcome"] == "no_evidence"
    assert "dutydesk index PATH" in done.stderr


def test_an_unknown_person_is_wrong_use_and_the_known_ones_are_named(home: Path) -> None:
    done = invoke("ask", VPN, "--as", "zoe", home=home)

    assert done.exit_code == 2
    assert "ada, dora" in done.output


@pytest.mark.parametrize("place", ["before", "after", "environment"])
def test_the_home_may_be_named_anywhere(made_home: Path, place: str) -> None:
    named = ["--home", str(made_home)]
    arguments = {"before": [*named, "knowledge", "status"], "after": ["knowledge", "status", *named]}
    done = invoke(
        *arguments.get(place, ["knowledge", "status"]),
        env={"DUTYDESK_HOME": str(made_home)} if place == "environment" else {},
    )

    assert done.exit_code == 0, done.output
    assert "handbook" in done.output


def test_a_question_is_found_again_among_the_runs(home: Path) -> None:
    run_id = ask(home, VPN)["run_id"]

    assert run_id in invoke("runs", "list", home=home).output
    shown = invoke("runs", "show", run_id, home=home).output
    assert VPN in shown
    assert "E1" in shown


@pytest.mark.parametrize("typed", [("ask", "hello"), ("tickets", "list"), ("search", "badge"), ("chat",)])
def test_no_desk_is_begun_in_a_folder_that_one_happens_to_stand_in(
    typed: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUTYDESK_HOME", raising=False)

    done = invoke(*typed)

    assert done.exit_code == 2
    assert "There is no desk in this folder" in done.output
    assert not [*tmp_path.iterdir()]
