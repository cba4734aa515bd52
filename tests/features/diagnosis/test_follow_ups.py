"""What is asked after a diagnosis: what it was about, which report tells it, and what is none of its business."""

import pytest

from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn
from features.diagnosis.understanding.follow_ups import FollowUp, follow_up
from features.diagnosis.understanding.vocabulary import DIAGNOSED, TOOL, AppVocabulary, NamedApp
from queries.observe.config import ObserveConfig

CONFIG = ObserveConfig.model_validate(
    {
        "clusters": {"prod": {"prometheus": {"url": "http://127.0.0.1:9090"}}},
        "apps": {
            name: {"cluster": "prod", "namespace": "shop", "labels": {"app": name}} for name in ("checkout", "payment")
        },
    }
)
VOCABULARY = AppVocabulary(CONFIG)
THINGS = {TOOL: ("checkout", "payment", "prod/shop")}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("is it still happening?", "again"),
        ("run it again", "again"),
        ("has it recovered yet?", "again"),
        ("还在发生吗", "again"),
        ("what changed?", "changes"),
        ("who deployed it?", "changes"),
        ("改了什么?", "changes"),
        ("why do you think so?", "evidence"),
        ("how do you know it was memory?", "evidence"),
        ("为什么这么说?", "evidence"),
        ("show me the logs", "logs"),
        ("给我看日志", "logs"),
        ("compare with yesterday", "compared"),
        ("和昨天比呢", "compared"),
        ("since when?", "onset"),
        ("how do we fix it?", "steps"),
        ("open a ticket for that", "ticket"),
        ("why is checkout down?", None),
        ("show me the logs of the printer", None),
        ("what changed in the travel policy?", None),
        ("open a ticket for the coffee machine", None),
        ("昨天的会议纪要", None),
        ("again and again the printer jams", None),
    ],
)
def test_what_is_asked_of_the_last_diagnosis(text: str, kind: FollowUp | None) -> None:
    assert follow_up(read(text, None, {}).plain) == kind


def _thread(*asked: str, last: str = "checkout") -> Recollection:
    turns = tuple(Turn(each, f"answer to {each}", "answered") for each in asked)
    return Recollection(turns=turns, last={"diagnosis": "dgn_1", DIAGNOSED: last} if last else {})


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("why is checkout down?",), NamedApp(app="checkout")),
        (("why is checkout down?", "why do you think so?", "show me the logs"), NamedApp(app="checkout")),
        (("is checkout ok?", "and payment?"), NamedApp(app="payment")),
        (("show me the logs", "what changed?"), NamedApp(app="checkout")),  # the question is no longer remembered
        (("why is checkout down?", "how many days off do I have?"), None),
    ],
)
def test_it_is_about_what_was_diagnosed_last(asked: tuple[str, ...], named: NamedApp | None) -> None:
    last = "payment" if "and payment?" in asked else "checkout"
    message = read("is it still happening?", _thread(*asked, last=last), THINGS)
    assert VOCABULARY.wanted(message) == named
    proof = read("why do you think so?", _thread(*asked, last=last), THINGS)
    assert VOCABULARY.asked_on(proof) == ("evidence" if named else None)


def test_what_the_asker_may_no_longer_look_at_is_not_asked_on_about() -> None:
    message = read("is it still happening?", _thread("show me the logs"), {TOOL: ("payment",)})
    assert VOCABULARY.wanted(message) is None


def test_a_ticket_holds_the_question_and_the_last_findings() -> None:
    message = read("open a ticket for that", _thread("why is checkout down?", "what changed?", "thanks!", "ok"), THINGS)
    title, text = VOCABULARY.ticket_of(message)
    assert title == "why is checkout down?"
    assert "answer to why is checkout down?" in text


@pytest.mark.parametrize(
    "text",
    [
        "checkout spins",
        "error rate looks high on checkout",
        "checkout returns 500 for everybody",
        "someone says checkout times out",
        "pods of checkout keep dying",
        "can you have a look at checkout please",
        "who broke checkout",
        "checkout throws errors",
        "is checkout having issues right now",
        "checkout isn't answering",
        "checkout can't connect to its database",
        "big spike of errors on checkout",
        "is checkout back?",
    ],
)
def test_trouble_that_is_told_is_looked_into(text: str) -> None:
    assert VOCABULARY.wanted(read(text, None, THINGS)) == NamedApp(app="checkout")


@pytest.mark.parametrize(
    "text",
    [
        "checkout was slow yesterday, it is fixed now",
        "checkout will be down on Saturday for maintenance",
        "if checkout is down, whom do I call",
        "payment of my travel expenses is late",
        "the payment terms are wrong",
        "payment method for the canteen?",
        "支付报错已经修好了",
    ],
)
def test_what_is_over_or_planned_or_of_papers_is_not(text: str) -> None:
    assert VOCABULARY.wanted(read(text, None, THINGS)) is None
