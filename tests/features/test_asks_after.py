"""Who asks how it stands with what they have reported, and what they name of it."""

import pytest

from agent.brains.rules.understanding.message import read
from features.tickets.understanding.references import asks_after, named_of


@pytest.mark.parametrize(
    "said",
    [
        "whats happening with the boiler thing i reported",
        "any update on the broken trolley we raised",
        "any news on my fob",
        "did anyone look at the freezer",
        "nobody came about the lamp",
        "has somebody picked up my ticket yet",
        "我昨天报的灯修了没",
        "我们上周提交的申请有结果吗",
        "怎么还没人来",
        "空调有人管了没",
    ],
)
def test_who_asks_after_a_report_is_heard(said: str) -> None:
    assert asks_after(read(said))


@pytest.mark.parametrize(
    "said",
    [
        "what do i do if nobody has come to fix a room",
        "how long until somebody comes for a blocked sink",
        "the printer is broken",
        "那个人怎么还没来",
        "please change my bank account to the one I sent to payroll last week",
    ],
)
def test_a_question_for_a_rule_asks_after_nothing(said: str) -> None:
    assert not asks_after(read(said))


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("any news on the shower", "The shower in room 5 drips"),
        ("我刚报的空调有人管了没", "308房空调不制冷"),
        ("whats happening with the boiler thing i reported", "Boiler in the cellar leaks"),
    ],
)
def test_what_is_asked_after_shares_words_with_what_was_reported(said: str, reported: str) -> None:
    assert named_of(said) & named_of(reported)
