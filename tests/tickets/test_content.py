"""What a draft may hold."""

import pytest

from tickets.config import TicketsConfig
from tickets.content import EMPTY, missing, revised
from tickets.errors import Invalid
from tickets.ticket import Priority

CONFIG = TicketsConfig()


def test_what_is_missing_follows_the_category() -> None:
    assert missing(EMPTY, CONFIG) == ("category", "title")
    content = revised(EMPTY, {"category": "hardware", "title": "Printer"}, CONFIG)
    assert missing(content, CONFIG) == ("location", "device")
    assert missing(revised(content, {"category": "other"}, CONFIG), CONFIG) == ()


def test_a_category_is_known_by_its_name_in_any_language() -> None:
    for said in ("hardware", "HARDWARE", " Hardware ", "硬件"):
        assert revised(EMPTY, {"category": said}, CONFIG).category == "hardware"


def test_a_choice_is_kept_by_its_value() -> None:
    for said in ("everyone", "Everyone", "所有人"):
        assert revised(EMPTY, {"impact": said}, CONFIG).fields == {"impact": "everyone"}


def test_an_empty_value_takes_the_field_away() -> None:
    content = revised(EMPTY, {"location": "Berlin"}, CONFIG)
    assert revised(content, {"location": "  "}, CONFIG).fields == {}


def test_every_problem_is_named_at_once() -> None:
    changes = {
        "category": "gardening",
        "priority": "now!!",
        "title": "x" * 201,
        "floor": "3",
        "impact": "the moon",
        "location": "Berlin",
    }
    with pytest.raises(Invalid) as caught:
        revised(EMPTY, changes, CONFIG)
    problems = {problem.field: problem for problem in caught.value.problems}
    assert {name: problem.code for name, problem in problems.items()} == {
        "category": "unknown_category",
        "priority": "unknown_priority",
        "title": "too_long",
        "floor": "unknown_field",
        "impact": "not_a_choice",
    }
    assert problems["title"].limit == 200
    assert problems["impact"].allowed == ("me", "team", "everyone")
    assert problems["priority"].allowed == ("low", "normal", "high", "urgent")
    assert "location" in problems["floor"].allowed


def test_a_category_that_the_operator_removed_has_to_be_chosen_again() -> None:
    content = revised(EMPTY, {"category": "hr", "title": "Leave"}, CONFIG)
    kept = {name: category for name, category in CONFIG.categories.items() if name != "hr"}
    assert missing(content, TicketsConfig(categories=kept, fields=CONFIG.fields)) == ("category",)


def test_the_same_request_is_known_whatever_its_spaces_and_case() -> None:
    one = revised(EMPTY, {"title": "The  Printer jams", "location": "Berlin"}, CONFIG)
    other = revised(EMPTY, {"location": "berlin", "title": "the printer jams"}, CONFIG)
    assert one.digest == other.digest
    assert one.digest != revised(one, {"location": "Bonn"}, CONFIG).digest


def test_priority_is_normal_unless_said() -> None:
    assert EMPTY.priority is Priority.NORMAL
    assert revised(EMPTY, {"priority": "High"}, CONFIG).priority is Priority.HIGH
