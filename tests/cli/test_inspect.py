"""`dutydesk inspect` over the recorded incident of the sample: words, JSON, a file, and an incident kept as a test."""

import json
import shutil
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
