"""`dutydesk inspect` over the recorded incident of the sample: words, JSON, a file, and an incident kept as a test."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import jsonschema_rs
import pytest

from bot.cli.running.demo import SAMPLE
from queries.observe.report.written import schema
from tests.cli.conftest import invoke


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a home with the sample's cluster, which is a recording."""
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(SAMPLE / "clusters.yaml", home)
    shutil.copytree(SAMPLE / "incident", home / "incident")
    return home


def test_an_app_is_looked_at_and_the_report_said(place: Path) -> None:
    found = invoke("inspect", "--home", str(place), "--app", "checkout", "why is it down?")

    assert found.exit_code == 0, found.output
    assert "OOMKilled" in found.output
    assert "kubectl" in found.output


def test_it_answers_in_the_language_of_the_question(place: Path) -> None:
    found = invoke("inspect", "--home", str(place), "--app", "checkout", "为什么挂了?")

    assert "容器内存超限被终止" in found.output


def test_the_report_is_given_as_json_of_the_schema(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    found = invoke("inspect", "--home", str(place), "--app", "checkout", "--format", "json", "--out", str(file))

    report = json.loads(file.read_text(encoding="utf-8"))
    assert json.loads(found.output) == report
    jsonschema_rs.Draft202012Validator(dict(schema())).validate(report)
    assert report["summary"]["severity"] == "S1"


def test_what_was_read_is_kept_as_a_case_that_can_be_run(place: Path, tmp_path: Path) -> None:
    kept = tmp_path / "cases" / "one"
    kept.parent.mkdir()
    found = invoke("inspect", "--home", str(place), "-n", "shop", "--record", str(kept), "is anything wrong?")
    assert found.exit_code == 0, found.output
    assert (kept / "requests.json").is_file()

    out = tmp_path / "out"
    run = invoke("eval", "diagnosis", "--cases", str(kept.parent), "--out", str(out))
    assert run.exit_code == 0, run.output
    again = json.loads((out / "one.json").read_text(encoding="utf-8"))
    assert "OOM_KILLED" in {each["rule"] for each in again["issues"]}


def made_in_the_terminal(place: Path) -> str:
    report = invoke("inspect", "--home", str(place), "--app", "checkout", "--format", "json", "why is it down?")
    return str(json.loads(report.output)["runId"])


def test_a_diagnosis_is_gone_through_again_with_no_cluster_that_answers(place: Path) -> None:
    made = made_in_the_terminal(place)
    (place / "incident" / "requests.json").write_text("[]", encoding="utf-8")

    found = invoke("runs", "replay", made, "--home", str(place), "--json")
    assert found.exit_code == 0, (found.output, found.exception)
    parts = json.loads(found.output)
    assert [each["what"] for each in parts if each["diverges"]] == []
    assert any(each["what"].startswith("issue OOM_KILLED") for each in parts)


def test_a_replay_says_where_it_comes_out_differently(place: Path) -> None:
    made = made_in_the_terminal(place)
    with closing(sqlite3.connect(place / "dutydesk.db")) as kept, kept:
        kept.execute("UPDATE queries_reports SET report = replace(report, '\"OOM_KILLED\"', '\"OOM_ONCE\"')")

    found = invoke("runs", "replay", made, "--home", str(place))
    assert found.exit_code == 1, found.output
    rows = found.output.splitlines()
    assert any("OOM_ONCE" in row and "differs" in row for row in rows)
    assert any(row.startswith("metrics") and "same" in row for row in rows)


def test_a_diagnosis_that_nobody_made_has_no_run(place: Path) -> None:
    found = invoke("runs", "replay", "dgn_none", "--home", str(place))
    assert str(found.exception) == "no run dgn_none"


RUNBOOK = """# Runbook: containers out of memory

1. Look whether the line climbs or jumps.
2. Roll the last release back.
3. Raise the limit once; OOM_KILLED twice in a day goes to Platform.
"""


def test_the_runbook_of_the_company_is_cited_with_its_first_steps(place: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "memory.md").write_text(RUNBOOK, encoding="utf-8")
    assert invoke("index", str(pages), "--home", str(place)).exit_code == 0

    said = invoke("inspect", "--home", str(place), "--app", "checkout")
    assert "Roll the last release back." in said.output
    found = invoke("inspect", "--home", str(place), "--app", "checkout", "--format", "json")
    issue = next(each for each in json.loads(found.output)["issues"] if each["rule"] == "OOM_KILLED")
    assert {each["runbook"]["title"] for each in issue["recommendations"]} == {"Runbook: containers out of memory"}
    assert issue["recommendations"][0]["runbook"]["steps"][1] == "Roll the last release back."


@pytest.mark.parametrize(
    ("named", "said"), [((), "name an app or a namespace"), (("--app", "zebra"), "nothing called zebra")]
)
def test_what_cannot_be_looked_at_is_told_with_what_can(place: Path, named: tuple[str, ...], said: str) -> None:
    found = invoke("inspect", "--home", str(place), *named)

    assert found.exit_code == 2
    assert said in found.output
    assert "checkout" in found.output
