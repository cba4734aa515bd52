import json
from pathlib import Path

from click.testing import CliRunner

from evals.command import command


def _cases(folder: Path, text: str) -> str:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_of_ones_own_is_judged_and_says_that_it_has_no_thresholds(tmp_path: Path) -> None:
    path = _cases(tmp_path, "name: mine\ncases:\n  - {id: hi, text: good morning, intent: greeting}\n")

    result = CliRunner().invoke(command, ["routing", "--cases", path])

    assert result.exit_code == 0
    assert "every case is right" in result.output
    assert "no thresholds are set for 'mine'" in result.output


def test_a_score_below_its_threshold_ends_with_exit_code_1(tmp_path: Path) -> None:
    path = _cases(tmp_path, "name: routing\ncases:\n  - {id: hi, text: good morning, intent: cancel}\n")

    result = CliRunner().invoke(command, ["routing", "--cases", path, "--json"])

    assert result.exit_code == 1
    told = json.loads(result.output)
    assert told["passed"] is False
    assert told["scores"]["intent"] == {"right": 0, "of": 1, "value": 0.0}
    assert told["cases"][0]["wrong"] == {"intent": "read as greeting"}


def test_markdown_is_a_page_with_the_scores(tmp_path: Path) -> None:
    path = _cases(tmp_path, "name: mine\ncases:\n  - {id: hi, text: good morning, intent: greeting}\n")

    result = CliRunner().invoke(command, ["routing", "--cases", path, "--markdown"])

    assert result.output.startswith("# Evaluation: mine\n")
    assert "| intent | 1 of 1 (1.000) |  |" in result.output


def test_help_names_the_sub_commands_and_the_file_option() -> None:
    shown = CliRunner().invoke(command, ["--help"]).output

    assert "rules" in shown
    assert "routing" in shown
    assert "--cases" in CliRunner().invoke(command, ["rules", "--help"]).output
