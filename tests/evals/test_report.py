import json

from evals.graders import Check, Grade, Score, shortfalls
from evals.report import Report, as_json, as_markdown, rows, summary

GOOD = Grade("good", "cited", (Check("outcome", passed=True), Check("recall", passed=True)))
UNFOUND = Grade(
    "unfound", "cited", (Check("outcome", passed=True), Check("recall", passed=False, said="finds nothing"))
)
BAD = Grade("bad", "refused", (Check("outcome", passed=False, said="ended answered | should be refused"),))


def _report(*grades: Grade, thresholds: dict[str, float]) -> Report:
    scores = (Score("cited", 2, 2), Score("refused", 0, 1))
    return Report("rules", grades, scores, thresholds, shortfalls(scores, thresholds), seconds=1.5)


def test_the_table_lists_what_went_wrong_and_on_request_everything() -> None:
    report = _report(GOOD, UNFOUND, BAD, thresholds={})

    assert [(row[0], row[2]) for row in rows(report, every=False)] == [("unfound", "ok"), ("bad", "wrong")]
    assert [row[0] for row in rows(report, every=True)] == ["good", "unfound", "bad"]


def test_the_summary_gives_figures_thresholds_and_a_verdict() -> None:
    lines = summary(_report(GOOD, BAD, thresholds={"cited": 0.9, "refused": 1.0}))

    assert lines == [
        "cited: 2 of 2 (1.000), at least 0.9",
        "refused: 0 of 1 (0.000), at least 1",
        "rules: 2 cases in 1.5 s, below threshold: refused 0.000 < 1",
    ]


def test_a_file_without_thresholds_says_so_instead_of_passing_silently() -> None:
    assert summary(_report(GOOD, thresholds={}))[-1].endswith("no thresholds are set for 'rules'")


def test_json_has_stable_keys_and_can_be_written() -> None:
    told = as_json(_report(GOOD, BAD, thresholds={"refused": 1.0}))

    assert json.loads(json.dumps(told)) == {
        "name": "rules",
        "passed": False,
        "seconds": 1.5,
        "scores": {
            "cited": {"right": 2, "of": 2, "value": 1.0},
            "refused": {"right": 0, "of": 1, "value": 0.0},
        },
        "thresholds": {"refused": 1.0},
        "cases": [
            {"id": "good", "group": "cited", "passed": True, "wrong": {}},
            {
                "id": "bad",
                "group": "refused",
                "passed": False,
                "wrong": {"outcome": "ended answered | should be refused"},
            },
        ],
    }


def test_markdown_keeps_its_table_whole_whatever_a_case_says() -> None:
    page = as_markdown(_report(GOOD, BAD, thresholds={"refused": 1.0}))

    assert "| refused | 0 of 1 (0.000) | 1 |" in page
    assert "| bad | refused | outcome: ended answered \\| should be refused |" in page
    assert "| good |" not in page
