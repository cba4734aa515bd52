from pathlib import Path

import pytest

from evals.cases import (
    SHIPPED,
    CaseKind,
    CasesInvalid,
    QuestionFile,
    load_questions,
    load_routing,
    load_thresholds,
)
from evals.command import THRESHOLDS


def _write(folder: Path, text: str) -> Path:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _count(file: QuestionFile, kind: CaseKind, language: str = "") -> int:
    return sum(case.kind is kind and language in ("", case.language) for case in file.cases)


def test_the_shipped_questions_are_the_46_that_were_promised() -> None:
    file = load_questions(SHIPPED / "rules.yaml")

    assert len(file.cases) == 46
    assert _count(file, CaseKind.ANSWERABLE, "en") == 20
    assert _count(file, CaseKind.ANSWERABLE, "zh") == 10
    assert _count(file, CaseKind.UNANSWERABLE) == 5
    assert _count(file, CaseKind.FORBIDDEN) == 5
    assert _count(file, CaseKind.OUT_OF_SCOPE) == 6


def test_the_held_out_questions_share_no_question_with_the_tuned_ones() -> None:
    held_out = load_questions(SHIPPED / "held_out.yaml")
    tuned = load_questions(SHIPPED / "rules.yaml")

    assert len(held_out.cases) >= 40
    assert not {case.question for case in held_out.cases} & {case.question for case in tuned.cases}


def test_the_routing_file_asks_for_every_intent_in_both_languages() -> None:
    file = load_routing(SHIPPED / "routing.yaml")

    assert len(file.cases) >= 60
    intents = {case.intent for case in file.cases}
    assert intents >= {
        "ask", "draft", "list", "show", "comment", "urge", "assign", "resolve", "reopen", "cancel", "help",
        "greeting", "thanks", "out_of_scope", "not_allowed",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["rules", "held_out", "routing", "held_out_routing"])
def test_every_shipped_file_has_thresholds(name: str) -> None:
    assert load_thresholds(THRESHOLDS, name)


def test_a_file_without_thresholds_of_its_own_has_none() -> None:
    assert load_thresholds(THRESHOLDS, "somebody-elses") == {}


def test_a_wrong_case_is_named_by_its_id_and_field(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "name: mine\ncases:\n"
        "  - {id: good, kind: unanswerable, asker: ada, language: en, question: why}\n"
        "  - {id: bad, kind: unanswerable, asker: ada, language: fr, question: pourquoi}\n",
    )

    with pytest.raises(CasesInvalid) as raised:
        load_questions(path)

    assert "case bad.language" in str(raised.value)
    assert str(path) in str(raised.value)
    assert "case good" not in str(raised.value)


def test_a_case_without_an_id_is_named_by_its_number(tmp_path: Path) -> None:
    path = _write(tmp_path, "name: mine\ncases:\n  - {kind: unanswerable, asker: ada, language: en, question: why}\n")

    with pytest.raises(CasesInvalid, match="case #1"):
        load_questions(path)


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("{id: a, kind: answerable, asker: ada, language: en, question: q}", "`accept` belongs to answerable"),
        ("{id: a, kind: forbidden, asker: ada, language: en, question: q}", "`hidden` belongs to forbidden"),
        ("{id: a, kind: unanswerable, asker: ada, language: en, question: q, acept: []}", "case a.acept"),
    ],
)
def test_a_case_that_cannot_be_judged_is_refused(tmp_path: Path, case: str, told: str) -> None:
    with pytest.raises(CasesInvalid) as raised:
        load_questions(_write(tmp_path, f"name: mine\ncases:\n  - {case}\n"))

    assert told in str(raised.value)


def test_two_cases_with_one_id_are_refused(tmp_path: Path) -> None:
    case = "  - {id: twice, text: hello, intent: greeting}\n"

    with pytest.raises(CasesInvalid, match="twice"):
        load_routing(_write(tmp_path, f"name: mine\ncases:\n{case}{case}"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cases: [", "this is no YAML"),
        ("- a\n- b\n", "to correct"),
        ("", "to correct"),
        ("name: x\ncases: []\n", "cases"),
    ],
)
def test_a_file_that_is_no_case_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(CasesInvalid, match=told):
        load_questions(_write(tmp_path, text))


def test_a_missing_file_and_a_file_of_bytes_are_told(tmp_path: Path) -> None:
    with pytest.raises(CasesInvalid, match="there is no such file"):
        load_questions(tmp_path / "none.yaml")

    odd = tmp_path / "odd.yaml"
    odd.write_bytes(b"name: \xff\xfe")
    with pytest.raises(CasesInvalid, match="not UTF-8"):
        load_questions(odd)


def test_thresholds_that_are_no_numbers_are_told(tmp_path: Path) -> None:
    with pytest.raises(CasesInvalid, match="each a number"):
        load_thresholds(_write(tmp_path, "rules: {cited: most}\n"), "rules")
