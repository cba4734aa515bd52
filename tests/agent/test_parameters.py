"""Pages of interfaces: parameters by their names, numbers that are asked for, code inside items."""

import pytest

from agent.brains.rules.answering.certainty.likelihood import holds_number, lacks_age
from agent.brains.rules.answering.passages import PieceKind, pieces_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.wanted import Wanted
from tests.agent.test_extractive import answer, passage, text_of

LIMITS = """Special parameters of the request:

+ `DelaySeconds` – The time for which the delivery of all messages in the queue is delayed. Default: 0.
+ `VisibilityTimeout` – The visibility timeout for the queue, in seconds. Default: 30.
+ `ReceiveWait` – The time for which the queue waits for a message. Default: 7."""
NAMED = """ **[VisibilityTimeout](#request)**
The time in seconds that messages are hidden.

 **QueueName**
The name of the queue.
"""
STEPS = "- Extend it:\n  ```sh\n  $ resize\n  | id | size |\n  | -- | ---- |\n  ```\n- Look at it."


def test_a_parameter_is_found_by_its_name_before_a_dash() -> None:
    said = text_of(
        answer("What is the default visibility timeout of a queue?", passage(1, "CreateQueue", "Request", LIMITS))
    )
    assert "Default: 30" in said
    assert "DelaySeconds" not in said


def test_a_name_alone_on_its_line_heads_its_paragraph() -> None:
    assert [piece.lead for piece in pieces_of(NAMED)] == ["VisibilityTimeout", "QueueName"]


def test_code_inside_an_item_stays_in_it() -> None:
    assert [piece.kind for piece in pieces_of(STEPS)] == [PieceKind.ITEM, PieceKind.ITEM]


@pytest.mark.parametrize(
    ("question", "answered", "holds"),
    [
        ("How many records can I send?", "Send several records with S3 at https://a.example/v1/1.", False),
        ("How many records can I send?", "Up to 500 records.", True),
        ("What is the default port range?", "```yaml\nport: 80\n```", False),
        ("How do I send records?", "Call PutRecords.", True),
        ("NodePort 的默认端口范围是什么？", "端口分为两段。", False),
    ],
)
def test_an_answer_is_told_whether_it_holds_the_number(question: str, answered: str, holds: bool) -> None:
    assert holds_number(question, "en" if question.isascii() else "zh", answered) is holds


def test_how_long_a_name_may_be_is_no_time() -> None:
    asked = Question.of("How long may the common name be?", "en")
    assert Wanted.AMOUNT in asked.wanted
    assert Wanted.TIME not in asked.wanted
    assert not asked.asks_how_long
    assert Wanted.TIME in Question.of("How long may a session be?", "en").wanted


@pytest.mark.parametrize(
    ("question", "answered", "lacks"),
    [
        ("can our 16 year old trainee run the bread slicer?", "The slicer is run with both guards down.", True),
        ("the temp is 17, can he drive the forklift", "Forklifts are driven with a licence of the house.", True),
        ("the temp is 17, can he drive the forklift", "Nobody under 18 drives a forklift.", False),
        ("may minors work in the freezer", "Stay in the freezer for twenty minutes at most.", True),
        ("实习生才16岁，能上夜班吗", "夜班从22点到6点，补贴30元。", True),
        ("实习生才16岁，能上夜班吗", "未满18岁不得上夜班。", False),
        ("my 15 year old is ill, do i get a day off", "One day of care leave is paid.", False),
        ("can i use the 17 m ladder", "Ladders above 3 m need a second person.", False),
        ("is 17 km too far for a taxi", "Taxis are paid after 22:00.", False),
        ("what do i do with a minor cut", "Wash it and take a plaster.", False),
        ("we are under 18 % of the budget", "Budgets are closed in March.", False),
    ],
)
def test_an_answer_about_somebody_under_age_that_says_no_age_is_not_sure(
    question: str, answered: str, *, lacks: bool
) -> None:
    assert lacks_age(question, answered) is lacks
