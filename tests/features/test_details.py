"""What is told right after a report belongs to it: numbers, times, places, denials; and what calls it off does so."""

from pathlib import Path

import pytest

from agent.tools.context import Recollection, Turn
from tests.architecture.source import ROOT
from tests.evals.staff.cases import Conversation
from tests.evals.staff.cases import Turn as Said
from tests.evals.staff.playing import stage
from tests.features.test_understanding import intent

REPORTED = ("the scanner at the counter jams", "仓库的扫码枪坏了")


def _drafted(asked: str, outcome: str = "needs_approval") -> Recollection:
    return Recollection(turns=(Turn(asked, "", outcome),), last={"draft": "D1"})


@pytest.mark.parametrize("reported", REPORTED)
@pytest.mark.parametrize(
    "said",
    [
        "KX3391, counter two, the screen shows a cover error though it is shut",
        "around 30 degrees, since noon",
        "nobody slipped so far",
        "yes a customer is standing here",
        "doesn't even switch on",
        "tuesday morning it began, the cable looks fine",
        "提示请联系管理员",
        "没冒烟也没有异味",
        "少了大概三百块，餐补没发",
        "左边那台，从上周开始的",
    ],
)
def test_details_go_into_the_draft_that_waits(reported: str, said: str) -> None:
    assert intent(said, _drafted(reported)) == "revise"


@pytest.mark.parametrize(
    "said",
    [
        "also the heating in the canteen is broken",
        "the dishwasher in the kitchen leaks",
        "还有食堂的冰箱不制冷了",
        "my monitor flickers",
    ],
)
def test_another_thing_is_a_draft_of_its_own(said: str) -> None:
    assert intent(said, _drafted(REPORTED[0])) == "draft"


@pytest.mark.parametrize(
    "said", ["ok Piet brings his own, cancel that", "那我自己买一个，不用报了", "no wait, forget it"]
)
def test_what_calls_it_off_at_the_end_calls_it_off(said: str) -> None:
    assert intent(said, _drafted(REPORTED[0])) == "discard"


async def test_a_report_is_told_in_pieces(tmp_path: Path) -> None:
    sample = ROOT / "sample"
    async with stage(tmp_path, pages=[sample / "handbook"], people=sample / "people.yaml") as desk:
        told = (
            "the label printer in the mail room prints blank",
            "MV40218, mail room",
            "nobody else has it, today 14:30 we ship",
        )
        said = Conversation.model_construct(by="ada", turns=tuple(_said(each) for each in told))
        seen = await desk.play(said, thread="pieces")

    last = seen[-1].text
    assert last.count("Ticket draft: The label printer in the mail room prints blank") >= 1
    assert all(each in last for each in told)
    assert "printer MV40218" in last


def _said(text: str) -> Said:
    return Said.model_construct(say=text, by="", press="")
