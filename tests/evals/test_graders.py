"""Each grader is shown to pass and to fail."""

from dataclasses import replace

import pytest

from evals.cases import AcceptedSource, CaseKind, QuestionCase, RoutingCase
from evals.graders import (
    CaseObservation,
    CitedPlace,
    Grade,
    Score,
    Understood,
    grade_question,
    grade_routing,
    question_scores,
    routing_scores,
    shortfalls,
)

CASE = QuestionCase(
    id="vpn",
    kind=CaseKind.ANSWERABLE,
    asker="ada",
    language="en",
    question="how long?",
    accept=(AcceptedSource(page="it/vpn.md", section="VPN > Session length"),),
    absent=("24 hours",),
)
RIGHT = CaseObservation(
    case_id="vpn",
    outcome="answered",
    words="A session lasts 10 hours.",
    cited=(CitedPlace("it/vpn.md", "VPN > Session length"),),
    found=(CitedPlace("it/wifi.md", "Wi-Fi"), CitedPlace("it/vpn.md", "VPN > Session length")),
)


def _wrong(grade: Grade) -> set[str]:
    return {check.name for check in grade.checks if not check.passed}


def test_a_right_answer_passes_every_check() -> None:
    grade = grade_question(CASE, RIGHT)

    assert grade.passed
    assert {check.name for check in grade.checks} == {
        "outcome", "page", "section", "focus", "recall", "section recall", "absent",
    }  # fmt: skip


def test_spelling_of_a_heading_does_not_matter_but_its_place_does() -> None:
    respelt = replace(RIGHT, cited=(CitedPlace("it/vpn.md", "vpn >  session LENGTH"),))
    parent = replace(RIGHT, cited=(CitedPlace("it/vpn.md", "VPN"),))

    assert grade_question(CASE, respelt).passed
    assert _wrong(grade_question(CASE, parent)) == {"section"}


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        (replace(RIGHT, outcome="no_evidence"), {"outcome"}),
        (replace(RIGHT, cited=(CitedPlace("it/wifi.md", "VPN > Session length"),)), {"page", "section"}),
        (replace(RIGHT, cited=()), {"page", "section"}),
        (replace(RIGHT, cited=tuple(CitedPlace("it/vpn.md", "VPN > Session length") for _ in range(5))), {"focus"}),
        (replace(RIGHT, words="It was 24 Hours once."), {"absent"}),
    ],
)
def test_each_thing_that_is_wrong_fails_the_case(changed: CaseObservation, wrong: set[str]) -> None:
    grade = grade_question(CASE, changed)

    assert _wrong(grade) == wrong
    assert not grade.passed


def test_recall_looks_at_three_hits_and_is_counted_on_its_own() -> None:
    late = replace(
        RIGHT, found=(*(CitedPlace("x.md", "X") for _ in range(3)), CitedPlace("it/vpn.md", "VPN > Session length"))
    )

    grade = grade_question(CASE, late)

    assert _wrong(grade) == {"recall", "section recall"}
    assert grade.passed
    assert {score.name: score.value for score in question_scores([grade])} == {
        "cited": 1.0, "recall_at_3": 0.0, "section_recall_at_3": 0.0, "no_evidence": 1.0, "refused": 1.0,
    }  # fmt: skip


def test_finding_the_page_by_another_section_is_half_of_recall() -> None:
    beside = replace(RIGHT, found=(CitedPlace("it/vpn.md", "VPN > Error codes"),))

    assert _wrong(grade_question(CASE, beside)) == {"section recall"}


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (CaseKind.UNANSWERABLE, "no_evidence", "answered"),
        (CaseKind.FORBIDDEN, "no_evidence", "refused"),
        (CaseKind.OUT_OF_SCOPE, "refused", "no_evidence"),
    ],
)
def test_what_may_not_be_answered_has_one_right_ending(kind: CaseKind, right: str, wrong: str) -> None:
    hidden = "hr/pay.md" if kind is CaseKind.FORBIDDEN else ""
    case = QuestionCase(id="x", kind=kind, asker="ada", language="en", question="?", hidden=hidden)

    assert grade_question(case, CaseObservation("x", right)).passed
    assert not grade_question(case, CaseObservation("x", wrong)).passed


def test_a_forbidden_word_in_a_no_evidence_reply_fails() -> None:
    case = QuestionCase(
        id="x", kind=CaseKind.FORBIDDEN, asker="ada", language="en", question="?", hidden="p.md", absent=("58,000",)
    )

    assert not grade_question(case, CaseObservation("x", "no_evidence", words="Nothing, not even 58,000.")).passed


def test_scores_count_by_kind() -> None:
    grades = [
        grade_question(CASE, RIGHT),
        grade_question(CASE, replace(RIGHT, outcome="failed")),
        grade_question(
            QuestionCase(id="o", kind=CaseKind.OUT_OF_SCOPE, asker="ada", language="en", question="joke"),
            CaseObservation("o", "refused"),
        ),
    ]

    scores = {score.name: (score.right, score.of) for score in question_scores(grades)}

    assert scores == {
        "cited": (1, 2), "recall_at_3": (2, 2), "section_recall_at_3": (2, 2), "no_evidence": (0, 0), "refused": (1, 1),
    }  # fmt: skip


def test_thresholds_are_reached_met_or_missed() -> None:
    scores = [Score("cited", 27, 30), Score("refused", 5, 6)]

    assert shortfalls(scores, {"cited": 0.9}) == ()
    assert [missed.name for missed in shortfalls(scores, {"cited": 0.9, "refused": 1.0})] == ["refused"]
    assert [missed.name for missed in shortfalls(scores, {"unheard_of": 0.1})] == ["unheard_of"]


ROUTED = RoutingCase(
    id="jam",
    text="the printer on floor 3 is jammed",
    intent="draft",
    fields={"location": "floor 3"},
    none=("contact",),
)


def test_routing_judges_the_intent_and_each_part() -> None:
    seen = Understood("draft", fields={"location": "the floor 3"})

    grade = grade_routing(ROUTED, seen)

    assert grade.passed
    assert [(score.name, score.right, score.of) for score in routing_scores([grade])] == [
        ("intent", 1, 1),
        ("parts", 2, 2),
    ]


@pytest.mark.parametrize(
    ("seen", "wrong"),
    [
        (Understood("ask", fields={"location": "floor 3"}), {"intent"}),
        (Understood("draft"), {"location"}),
        (Understood("draft", fields={"location": "the printer on floor 3 is jammed"}), {"location"}),
        (Understood("draft", fields={"location": "floor 3", "contact": "4821"}), {"no contact"}),
    ],
)
def test_a_part_that_is_missing_too_much_or_made_up_is_wrong(seen: Understood, wrong: set[str]) -> None:
    assert _wrong(grade_routing(ROUTED, seen)) == wrong


def test_references_are_compared_without_case_and_details_without_punctuation() -> None:
    case = RoutingCase(id="c", text="…", intent="comment", ticket="TCK-2026-000007", detail="it still hums")

    assert grade_routing(case, Understood("comment", ticket="tck-2026-000007", detail="It still hums.")).passed
    assert _wrong(grade_routing(case, Understood("comment", ticket="last"))) == {"ticket", "detail"}
