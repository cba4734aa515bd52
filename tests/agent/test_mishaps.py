"""What befell a thing, as it is told, and the place of a page that says what holds then."""

import pytest

from agent.brains.rules.answering.passages import Passage
from agent.brains.rules.answering.question import Question
from agent.brains.rules.mishaps import answer_mishap, mishap_of


def _page(evidence: str, heading: str, text: str) -> Passage:
    return Passage.of({"evidence": evidence, "title": "Handbook", "section": f"Handbook > {heading}", "text": text})


@pytest.mark.parametrize(
    ("told", "thing"),
    [
        ("lost the key", "key"),
        ("my flight home got cancelled, it's 11 pm", "flight"),
        ("hi, my lunch box was gone from the fridge on monday", "lunch box"),
        ("spilled tea over my keyboard", "my keyboard"),
        ("发票弄丢了", "发票"),
        ("忘记打卡了", "打卡"),
        ("扳手掉塔下面去了", "扳手"),
    ],
)
def test_a_mishap_names_its_thing(told: str, thing: str) -> None:
    found = mishap_of(told)

    assert found is not None
    assert found.thing == thing


@pytest.mark.parametrize("told", ["it is broken", "where is the canteen", "食堂几点开门"])
def test_what_names_no_thing_or_tells_nothing_is_no_mishap(told: str) -> None:
    assert mishap_of(told) is None


def test_the_place_that_says_the_same_of_the_thing_answers_a_mishap() -> None:
    tools = _page("E1", "工具", "工具丢失的，填写遗失单，由队长签字。")
    receipts = _page("E2", "发票", "发票抬头为“北风新能源”。发票丢了的，可用付款截图加情况说明代替。")

    assert _cited("发票弄丢了", "zh", tools, receipts) == ["E2"]


def test_another_thing_to_which_the_same_happened_answers_nothing() -> None:
    laptops = _page("E1", "Lost laptops", "Who loses a laptop calls IT at once.")

    assert _cited("I lost my locker key", "en", laptops) == []


def test_the_thing_alone_answers_nothing() -> None:
    keys = _page("E1", "Lockers", "Keys are handed out by the porter.")

    assert _cited("lost the key", "en", keys) == []


def _cited(said: str, language: str, *pages: Passage) -> list[str]:
    mishap = mishap_of(said)
    assert mishap is not None
    found = answer_mishap(mishap, Question.of(said, language), pages)
    return [each.evidence for each in found[2]] if found else []
